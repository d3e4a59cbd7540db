# SPDX-License-Identifier: BSD-3-Clause
"""Speaks the language server protocol to clangd: what a user sees on hovering, and what is underlined.

    hover.py CLANGD DIRECTORY hover FILE     each line of FILE ends in a public name in a comment: NAME
    hover.py CLANGD DIRECTORY clean FILE...  no warning and no error in any FILE
"""

import json
import os
import re
import subprocess
import sys
import threading

LEAST = 24  # characters of a contract
MOST = 100  # characters of a macro's body beside its contract
LIMIT = 120  # seconds


class Server:
    def __init__(self, clangd, directory):
        self.process = subprocess.Popen(
            [clangd, "--log=error", "--background-index=false", "-j=1"],
            cwd=directory,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.timer = threading.Timer(LIMIT, self.process.kill)
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
                sys.exit("clangd ended, or said nothing for %d seconds" % LIMIT)
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
                    sys.exit("clangd: %s: %s" % (method, message["error"]["message"]))
                return message["result"]

    def open(self, path):
        """The text of the file and what clangd says of it."""
        with open(path) as file:
            text = file.read()
        uri = "file://" + os.path.abspath(path)
        self.tell("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": "c", "version": 1, "text": text}})
        while uri not in self.diagnostics:
            self.receive()
        return text, uri, self.diagnostics[uri]

    def close(self, uri):
        self.tell("textDocument/didClose", {"textDocument": {"uri": uri}})

    def end(self):
        self.ask("shutdown", None)
        self.tell("exit", None)
        self.process.wait()
        self.timer.cancel()


def clean(server, files):
    """The number of complaints: 1 error, 2 warning; 3 and 4 are no complaints."""
    complaints = 0
    for path in files:
        _, uri, diagnostics = server.open(path)
        server.close(uri)
        for said in diagnostics:
            if said.get("severity", 1) <= 2:
                complaints += 1
                print("%s:%d: %s [%s]" % (path, said["range"]["start"]["line"] + 1,
                                         said["message"].split("\n")[0], said.get("code", "")))
    print("%d files, %d warnings" % (len(files), complaints))
    return complaints


def fault(name, shown):
    """What is wrong with what is shown of a name, or nothing."""
    if not shown:
        return "nothing is shown"
    macro = re.search(r"#define .*", shown, re.DOTALL)
    if not macro:
        return None if len(shown.split("\n\n")[-1]) else "no text"
    source = re.sub(r"\n*// Expands to.*", "", macro.group(), flags=re.DOTALL)
    source = re.sub(r"^#define \w+(\([^)]*\))?", "", source).replace("\\\n", " ")
    contract = " ".join(re.findall(r"/\*.*?\*/", source, re.DOTALL))
    body = " ".join(re.sub(r"/\*.*?\*/", "", source, flags=re.DOTALL).split())
    if len(" ".join(contract.split())) < LEAST:
        return "no contract in what is shown: " + shown
    if not source.lstrip().startswith("/*"):
        return "the contract does not come first: " + shown
    if len(body) > MOST:
        return "a body of %d characters: %s" % (len(body), body)
    return None


if __name__ == "__main__":
    server = Server(sys.argv[1], sys.argv[2])
    if sys.argv[3] == "clean":
        failed = clean(server, sys.argv[4:])
    server.end()
    sys.exit(1 if failed else 0)
