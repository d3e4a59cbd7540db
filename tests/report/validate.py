#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""validate.py PAGE [URL]: whether a page of make report is well-formed and complete in itself, with
no link but to its own parts and to URL; and whether results come first, the menu has each section, and
what agrees is folded."""
import base64
import re
import struct
import sys
import zlib
from html.parser import HTMLParser

VOID = {"meta", "img", "br", "link", "hr", "input", "path"}
problems = []


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.links, self.counts = [], [], [], {}
        self.sections, self.menu, self.title, self.heading = [], [], "", ""

    def start(self, tag, attributes, closed):
        attributes = dict(attributes)
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if tag in ("script", "iframe", "object", "embed", "link", "base"):
            problems.append(f"there is a <{tag}>")
        if tag == "img" and not attributes.get("src", "").startswith("data:image/"):
            problems.append("an image is no data URI")
        if tag == "img" and not attributes.get("alt"):
            problems.append("an image has no alternative text")
        if tag == "svg" and not attributes.get("aria-label"):
            problems.append("an SVG has no label")
        if tag == "th" and "scope" not in attributes:
            problems.append("a th has no scope")
        if tag == "section":
            self.sections.append(attributes.get("id"))
        # A case is in view if and only if it fails.
        if tag == "tr" and attributes.get("id", "").startswith("case-"):
            if ("details" in self.open) == (attributes.get("class") == "bad"):
                problems.append("a case that agrees is in view, or one that fails is folded away")
        if "href" in attributes:
            self.links.append(attributes["href"])
            if "nav" in self.open:
                self.menu.append(attributes["href"])
        if tag == "img" and attributes.get("src", "").startswith("data:image/png;base64,"):
            png(base64.b64decode(attributes["src"].split(",", 1)[1], validate=True))
        if tag not in VOID and not closed:
            self.open.append(tag)

    def handle_starttag(self, tag, attributes):
        self.start(tag, attributes, False)

    def handle_startendtag(self, tag, attributes):
        self.start(tag, attributes, True)

    def handle_data(self, data):
        if self.open and self.open[-1] == "title":
            self.title += data
        if self.open and self.open[-1] == "h1":
            self.heading += data

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            problems.append(f"</{tag}> at {self.getpos()} closes nothing, or something else")
            self.open = []


def png(data):
    """A PNG's chunks have their checksums, and its samples are all there."""
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        problems.append("a PNG has no signature")
        return
    place, samples, header = 8, b"", None
    while place < len(data):
        length, name = struct.unpack(">I4s", data[place:place + 8])
        body = data[place + 8:place + 8 + length]
        checksum, = struct.unpack(">I", data[place + 8 + length:place + 12 + length])
        if checksum != zlib.crc32(name + body):
            problems.append("a chunk of a PNG has another checksum")
        if name == b"IHDR":
            header = struct.unpack(">IIBB", body[:10])
        samples += body if name == b"IDAT" else b""
        place += 12 + length
    width, height, _, colour = header
    if len(zlib.decompress(samples)) != height * (width * (3 if colour == 2 else 1) + 1):
        problems.append("a PNG lacks samples")


text = open(sys.argv[1], encoding="utf-8").read()
page = Page()
page.feed(text)
page.close()
if page.open:
    problems.append(f"never closed: {page.open}")
for identifier in {i for i in page.ids if page.ids.count(i) > 1}:
    problems.append(f"two elements have the id {identifier}")
SECTIONS = ["checks", "errors", "images", "speed", "built", "reading"]
if page.sections != [s for s in SECTIONS if s in page.sections or s not in ("images", "speed")]:
    problems.append(f"the sections are not the results, then the builds: {page.sections}")
if page.menu != [f"#{section}" for section in page.sections]:
    problems.append(f"the menu is not the sections: {page.menu}")
for name, what in (("title", page.title), ("heading", page.heading)):
    if not re.search(r"portable\.h [0-9]+\.[0-9]+\.[0-9]+", what):
        problems.append(f"the {name} does not name the project and its version: {what}")
if not set(sys.argv[2:]) <= set(page.links):
    problems.append("no link leads to the project")
for link in page.links:
    if link in sys.argv[2:]:
        continue
    if not link.startswith("#") or link[1:] not in page.ids:
        problems.append(f"a link leads out of the page, or nowhere: {link}")
outside = re.sub(r'"data:[^"]*"', '""', text)
for url in sys.argv[2:]:
    outside = outside.replace(f'<a href="{url}">', "").replace(f"<dd>{url}</dd>", "")
for pattern in (r"https?:", r"src=.?//", r"@import", r"url\("):
    if re.search(pattern, outside):
        problems.append(f"the page has {pattern}")
if not text.startswith("<!DOCTYPE html>") or not text.endswith("</html>\n"):
    problems.append("it does not begin or end as a page does")
if len(text) > 10 << 20:
    problems.append("it has more than 10 MiB")
for problem in problems[:20]:
    print(f"{sys.argv[1]}: {problem}")
print(" ".join(f"{tag}={page.counts.get(tag, 0)}" for tag in ("img", "svg", "table", "section")))
sys.exit(1 if problems else 0)
