"""Folders of whole files, and the journal of a job: sealed JSON Lines in segments."""

from __future__ import annotations

import hashlib
import json
import os
import re
import socket
import time
import uuid
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from grognard._errors import InputError
from grognard._grognard import __version__

FORM = 1
"""The version of the format of journals."""

EVERY = 2.0
"""The seconds between two segments at first. Later ones follow after a fiftieth of the time so far."""


class ScaleWarning(UserWarning):
    """A remark about a journal, such as a damaged segment that is ignored."""


class Folder(Protocol):
    """A folder whose files are written as a whole."""

    def names(self) -> list[str]: ...
    def read(self, name: str) -> bytes: ...
    def write(self, name: str, data: bytes) -> None: ...


class Local:
    """A folder of this machine."""

    def __init__(self, path: str) -> None:
        self.path = Path(path)

    def names(self) -> list[str]:
        return sorted(one.name for one in self.path.iterdir() if one.is_file()) if self.path.is_dir() else []

    def read(self, name: str) -> bytes:
        return (self.path / name).read_bytes()

    def write(self, name: str, data: bytes) -> None:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.part")
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)


class Remote:
    """A folder at a URL, such as `s3://bucket/path`, through the package fsspec."""

    def __init__(self, url: str) -> None:
        try:
            from fsspec.core import url_to_fs  # type: ignore[import-untyped,import-not-found,unused-ignore]
        except ImportError as error:
            raise ImportError(f"{url} needs the package fsspec: pip install fsspec") from error
        self.fs, root = url_to_fs(url)
        self.root = root.rstrip("/")

    def names(self) -> list[str]:
        self.fs.invalidate_cache()
        try:
            found = self.fs.ls(self.root, detail=True)
        except FileNotFoundError:
            return []
        return sorted(one["name"].rsplit("/", 1)[-1] for one in found if one["type"] == "file")

    def read(self, name: str) -> bytes:
        return bytes(self.fs.cat_file(f"{self.root}/{name}"))

    def write(self, name: str, data: bytes) -> None:
        path = f"{self.root}/{name}"
        parent, _, last = path.rpartition("/")
        part = f"{parent}/.{last}.{uuid.uuid4().hex[:8]}.part"
        self.fs.makedirs(parent, exist_ok=True)
        self.fs.pipe_file(part, data)
        self.fs.mv(part, path)


def folder(where: str | os.PathLike[str]) -> Folder:
    """Returns the folder at a path or a URL."""
    text = os.fspath(where)
    return Remote(text) if "://" in text else Local(text)


def _sum(text: str, of: str) -> str:
    return hashlib.sha256(f"{of}\n{text}".encode()).hexdigest()[:16]


def sealed(text: str, of: str) -> str:
    """Returns a JSON object as a line with a checksum, as the journals of `grognard sweep` have it."""
    return f'{{"sum":"{_sum(text, of)}",{text[1:]}\n'


def unsealed(line: str, of: str) -> str | None:
    """Returns the JSON object of a line, or `None` if the checksum is wrong."""
    start = '{"sum":"'
    found, rest = line[len(start) : len(start) + 16], line[len(start) + 16 :]
    if not line.startswith(start) or not rest.startswith('",'):
        return None
    text = "{" + rest[2:]
    return text if found == _sum(text, of) else None


class Part:
    """A part of a result: the job, its range, its counts as a text, and the process that computed it."""

    __slots__ = ("job", "first", "last", "text", "by")

    def __init__(self, job: int, first: int, last: int, text: str, by: str) -> None:
        self.job, self.first, self.last, self.text, self.by = job, first, last, text, by

    def line(self) -> str:
        head = json.dumps({"job": self.job, "first": self.first, "last": self.last, "by": self.by}, separators=(",", ":"))
        return f'{head[:-1]},"counts":{self.text}}}'

    @staticmethod
    def of(text: str) -> Part:
        head, _, rest = text.partition(',"counts":')
        facts = json.loads(head + "}")
        return Part(facts["job"], facts["first"], facts["last"], rest[:-1], facts["by"])


class Journal:
    """The parts that are known, in a folder of segments. Drivers only add segments, so several can share a journal."""

    def __init__(self, where: str | os.PathLike[str], key: str) -> None:
        self.folder, self.key = folder(where), key
        self.driver = uuid.uuid4().hex[:8]
        self.head = self._head(key)
        self.lines: list[str] = []
        self.number = 0
        self.began = self.written = time.monotonic()

    def _head(self, key: str) -> str:
        facts: dict[str, Any] = {"journal": FORM, "grognard": __version__, "key": key}
        return json.dumps(facts | {"driver": self.driver, "host": socket.gethostname()}, separators=(",", ":"))

    def parts(self) -> Iterator[Part]:
        """Returns the parts of all segments. Damaged lines are ignored with a warning.

        Raises `InputError` if the journal belongs to another question.
        """
        for name in self.folder.names():
            number = re.fullmatch(r"(\d{8,})-[0-9a-f]+\.jsonl", name)
            if number is None:
                continue
            self.number = max(self.number, int(number[1]) + 1)
            lines = self.folder.read(name).decode(errors="replace").split("\n")
            head = unsealed(lines[0], "")
            # the text after the last line break is a line that was cut
            bad = int(bool(lines[-1])) if head else 1
            facts = json.loads(head) if head else {}
            if head and (facts.get("journal") != FORM or facts.get("key") != self.key):
                raise InputError(f"{name}: this journal belongs to another question\n  help: use another folder")
            for line in lines[1:-1] if head else []:
                text = unsealed(line, head or "")
                if text is None:
                    bad += 1
                else:
                    yield Part.of(text)
            if bad:
                what = f"{bad} damaged line{'s' if bad > 1 else ''}" if head else "a damaged segment"
                warnings.warn(f"{name}: {what} ignored; the units are computed again", ScaleWarning, stacklevel=2)

    def add(self, part: Part) -> None:
        """Adds a part. It is written some seconds later."""
        self.lines.append(sealed(part.line(), self.head))
        now = time.monotonic()
        if now - self.written > max(EVERY, (self.written - self.began) / 50):
            self.flush()

    def flush(self) -> None:
        """Writes the parts that were added as a segment."""
        if self.lines:
            text = sealed(self.head, "") + "".join(self.lines)
            self.folder.write(f"{self.number:08}-{self.driver}.jsonl", text.encode())
            self.number += 1
            self.lines = []
        self.written = time.monotonic()
