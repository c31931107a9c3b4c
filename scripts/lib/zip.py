#!/usr/bin/env python3
"""Packs a folder so that the same files give the same archive: zip.py TARGET PARENT NAME

Entries are sorted, have the time SOURCE_DATE_EPOCH, and keep only whether they may be executed. With TARGET alone it packs an existing archive anew.
"""

import os
import pathlib
import sys
import time
import zipfile

TIME = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), 315532800))[:6]  # zip begins in 1980


def write(target, entries):
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data, executable in sorted(entries):
            entry = zipfile.ZipInfo(name, TIME)
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            archive.writestr(entry, data)


def main():
    target = pathlib.Path(sys.argv[1])
    if len(sys.argv) > 2:
        parent = pathlib.Path(sys.argv[2])
        files = [path for path in (parent / sys.argv[3]).rglob("*") if path.is_file()]
        write(target, [(path.relative_to(parent).as_posix(), path.read_bytes(), os.access(path, os.X_OK)) for path in files])
        return
    with zipfile.ZipFile(target) as archive:
        entries = [(entry.filename, archive.read(entry), entry.external_attr >> 16 & 0o111) for entry in archive.infolist()]
    write(target, entries)


main()
