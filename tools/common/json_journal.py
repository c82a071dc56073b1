"""Journals: files of lines of JSON that make long work resumable. The first line tells what work it is."""

import json

from bluekrait.tools.common.append_only import reserve, write


class Journal:
    """A journal that is open for more lines. A ValueError if the file is something else, or in use."""

    def __init__(self, path, kind):
        self._path, self._kind = path, kind
        self._file = open(path, "ab+")  # noqa: SIM115, for it stays open
        try:
            reserve(self._file)
            self.head, self.entries = self._read()
        except ValueError:
            self._file.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Nothing more is to be added."""
        self._file.close()

    def begin(self, head):
        """Write the first line, unless the journal has one."""
        if not self.head:
            self.head = head
            self._write({"journal": self._kind, **head})

    def add(self, entry):
        """Write another line."""
        self.entries.append(entry)
        self._write(entry)

    def _write(self, entry):
        write(self._file, json.dumps(entry).encode() + b"\n")

    def _read(self):
        """The first line, empty if there is none, and the others; what is torn is cut off."""
        self._file.seek(0)
        text = self._file.read()
        beginning = json.dumps({"journal": self._kind})[:-1].encode()
        if not beginning.startswith(text[: len(beginning)]):
            raise ValueError(f"{self._path} is no journal of {self._kind}")
        whole = text.rfind(b"\n") + 1
        self._file.truncate(whole)
        try:
            head, *entries = map(json.loads, text[:whole].splitlines() or [b"{}"])
        except ValueError:
            raise ValueError(f"{self._path} is damaged") from None
        head.pop("journal", None)
        return head, entries
