# SPDX-License-Identifier: BSD-3-Clause
"""Asks clangd, by the language server protocol, for what an editor shows.

    hover.py CLANGD DIRECTORY hover HEADER    a contract for each name on stdin, in C that includes
                                              HEADER by the flags of DIRECTORY/compile_flags.txt
    hover.py CLANGD DIRECTORY clean FILE...   no warnings and no errors in the files

Exit status: 0 when all is so, 1 when not, 2 when clangd does not answer.
"""

import json
import os
import re
import subprocess
import sys
import threading

SHORTEST_CONTRACT = 24  # characters, of a macro
SHORTEST_COMMENT = 8  # of anything else
LONGEST_BODY = 330  # characters: three targets, each within three lines
PATIENCE = 120  # seconds


class Server:
    def __init__(self, clangd, directory):
        self.process = subprocess.Popen(
            [clangd, "--log=error", "--background-index=false", "-j=1"],
            cwd=directory,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.timer = threading.Timer(PATIENCE, self.process.kill)
        self.timer.start()
        self.count = 0
        self.diagnostics = {}
        uri = "file://" + os.path.abspath(directory)
        self.ask("initialize", {"processId": None, "rootUri": uri, "capabilities": {
            "textDocument": {"hover": {"contentFormat": ["plaintext"]}}}})
        self.tell("initialized", {})

    def send(self, message):
        body = json.dumps(dict(message, jsonrpc="2.0")).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def receive(self):
        length = 0
        while True:
            line = self.process.stdout.readline()
            if not line:
                print("clangd ended, or took over %d seconds" % PATIENCE)
                sys.exit(2)
            if line == b"\r\n":
                break
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        message = json.loads(self.process.stdout.read(length))
        if message.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif "method" in message and "id" in message:
            self.send({"id": message["id"], "result": None})
        return message

    def ask(self, method, params):
        self.count += 1
        self.send({"id": self.count, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("id") == self.count and "method" not in message:
                if "error" in message:
                    print("clangd: %s: %s" % (method, message["error"]["message"]))
                    sys.exit(2)
                return message["result"]

    def open(self, path):
        """The file's URI and its diagnostics."""
        with open(path, encoding="utf-8") as file:
            text = file.read()
        uri = "file://" + os.path.abspath(path)
        self.tell("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": "c", "version": 1, "text": text}})
        while uri not in self.diagnostics:
            self.receive()
        return uri, self.diagnostics.pop(uri)

    def close(self, uri):
        self.tell("textDocument/didClose", {"textDocument": {"uri": uri}})

    def end(self):
        self.ask("shutdown", None)
        self.tell("exit", None)
        self.process.wait()
        self.timer.cancel()



def clean(server, files):
    """The number of warnings and errors."""
    count = 0
    for path in files:
        uri, diagnostics = server.open(path)
        server.close(uri)
        for said in diagnostics:
            if said.get("severity", 1) <= 2:
                count += 1
                print("%s:%d: %s [%s]" % (path, said["range"]["start"]["line"] + 1,
                                         said["message"].split("\n")[0], said.get("code", "")))
    print("%d files, %d warnings" % (len(files), count))
    return count


def macro_fault(definition):
    definition = re.sub(r"\n*// Expands to.*", "", definition, flags=re.DOTALL).replace("\\\n", " ")
    rest = re.sub(r"^#define \w+(\([^)]*\))?\s*", "", definition)
    body = " ".join(re.sub(r"/\*.*?\*/", "", rest, flags=re.DOTALL).split())
    contract = " ".join(" ".join(re.findall(r"/\*(.*?)\*/", rest, re.DOTALL)).split())
    if not rest.startswith("/*") or len(contract) < SHORTEST_CONTRACT:
        return "its definition does not begin with a contract: %.100s" % " ".join(rest.split())
    if len(body) > LONGEST_BODY:
        return "a body of %d characters: %.100s" % (len(body), body)
    return ""


def comment_fault(shown):
    """The heading, the types, and after the last empty line the definition are no comment."""
    comment = [line for line in "\n".join(shown.split("\n\n")[:-1]).split("\n")[1:]
               if not re.match(r"→ |Parameters:|- |Type: |Value = |provided by |Size: |$", line)]
    if len(" ".join(comment)) < SHORTEST_COMMENT:
        return "no comment before it"
    return ""


def hover(server, directory, header, names):
    """The number of names that an editor shows without their contract."""
    with open(header, encoding="utf-8") as file:
        text = file.read()
    lines, at = ['#include "%s"' % os.path.basename(header)], {}
    for name in names:
        if re.search(r"^#define %s\b" % name, text, re.MULTILINE):
            before, after = "#ifdef ", "\n#endif"
        elif re.search(r"^struct %s \{" % name, text, re.MULTILINE):
            before, after = "typedef __typeof__(struct ", ") used_%d;" % len(at)
        else:
            before, after = "typedef __typeof__(", ") used_%d;" % len(at)
        at[name] = {"line": sum(1 + line.count("\n") for line in lines), "character": len(before)}
        lines.append(before + name + after)
    path = os.path.join(directory, "names.c")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    uri, diagnostics = server.open(path)
    count = 0
    for said in diagnostics:
        if said.get("severity", 1) == 1:
            count += 1
            print("%s: %s" % (lines[1], said["message"]))
    for name in names:
        answer = server.ask("textDocument/hover", {"textDocument": {"uri": uri},
                                                   "position": at[name]})
        shown = answer["contents"]["value"].strip() if answer else ""
        if not shown:
            fault = "an editor shows nothing"
        elif "#define " in shown:
            fault = macro_fault(shown[shown.index("#define "):])
        else:
            fault = comment_fault(shown)
        if fault:
            count += 1
            print("%s: %s" % (name, fault))
    print("%d names, %d without what an editor should show" % (len(names), count))
    return count


def main():
    clangd, directory, what, arguments = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    server = Server(clangd, directory)
    if what == "hover":
        count = hover(server, directory, arguments[0], sys.stdin.read().split())
    else:
        count = clean(server, arguments)
    server.end()
    return 1 if count else 0


sys.exit(main())
