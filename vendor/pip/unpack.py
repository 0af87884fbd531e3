"""Takes the named paths out of a wheel or source distribution.

usage: unpack.py ARCHIVE FOLDER PATH...

Paths are as after an installation, without the version: `NAME-VERSION.data/platlib/` and the top
folder of a source distribution are left out, `NAME-VERSION.dist-info/` is called `dist-info/`.
Prints the date of the newest file in seconds since 1970; nothing if all files have one date, which
is then a constant that the packer wrote.
"""

import calendar
import os
import re
import sys
import tarfile
import zipfile


def entries(archive):
    """Yields (path, date, content) of every file; content is a function."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as files:
            for info in files.infolist():
                if not info.is_dir():
                    path = re.sub(r"^[^/]+\.data/(platlib|purelib)/", "", info.filename)
                    path = re.sub(r"^[^/]+\.dist-info/", "dist-info/", path)
                    date = calendar.timegm(info.date_time)
                    yield path, date, lambda info=info: files.read(info)
    else:
        with tarfile.open(archive) as files:
            for info in files:
                if info.isfile():
                    path = info.name.partition("/")[2]
                    yield path, info.mtime, lambda info=info: files.extractfile(info).read()


def main(archive, folder, *wanted):
    dates = set()
    for path, date, content in entries(archive):
        dates.add(int(date))
        if ".." in path.split("/") or path.startswith("/"):
            sys.exit(f"{archive} holds the path {path}")
        if any(path == want or path.startswith(want + "/") for want in wanted):
            target = os.path.join(folder, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as file:
                file.write(content())
    if len(dates) > 1:
        print(max(dates))


main(*sys.argv[1:])
