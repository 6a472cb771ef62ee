"""Checks a .vsix package: its parts, and that it contains each file that its manifest names.

Usage: vsix.py FILE"""

import json
import sys
import xml.etree.ElementTree as ElementTree
import zipfile


def named(value):
    """Yields each relative path in a manifest."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from named(part)
    elif isinstance(value, str) and value.startswith("./"):
        yield value[2:]


def main():
    with zipfile.ZipFile(sys.argv[1]) as package:
        bad = package.testzip()
        if bad:
            sys.exit(f"{bad} is damaged")
        names = set(package.namelist())
        about = json.loads(package.read("extension/package.json"))
        types = ElementTree.fromstring(package.read("[Content_Types].xml"))
        manifest = ElementTree.fromstring(package.read("extension.vsixmanifest"))
        for name in names:
            if name.endswith(".json"):
                json.loads(package.read(name))
    space = {"v": "http://schemas.microsoft.com/developer/vsx-schema/2011"}
    identity = manifest.find("v:Metadata/v:Identity", space).attrib
    if (identity["Id"], identity["Version"], identity["Publisher"]) != (about["name"], about["version"], about["publisher"]):
        sys.exit(f"the manifest and package.json differ: {identity}")
    assets = [asset.attrib["Path"] for asset in manifest.findall("v:Assets/v:Asset", space)]
    missing = {name for name in assets + [f"extension/{path}" for path in named(about)] if name not in names}
    known = {entry.attrib["Extension"] for entry in types}
    unknown = {name for name in names if name != "[Content_Types].xml" and f".{name.rsplit('.', 1)[-1]}" not in known}
    if missing or unknown:
        sys.exit(f"missing: {sorted(missing)}; without a content type: {sorted(unknown)}")
    print(f"{len(names)} files in the package")


if __name__ == "__main__":
    main()
