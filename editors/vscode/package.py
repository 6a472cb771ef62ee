"""Writes grognard-VERSION.vsix, the package that VS Code installs, from the files in this folder. Downloads nothing.

Usage: package.py [FOLDER]

A .vsix is a zip file with a manifest, the content types, and the extension in the folder `extension`. All times are fixed, so
the same files produce the same bytes."""

import json
import sys
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

HERE = Path(__file__).resolve().parent
FILES = ["package.json", "language-configuration.json", "extension.js", "lsp.js", "scenario.js", "README.md",
         "syntaxes/grognard.tmLanguage.json", "snippets/rules.json", "snippets/scenarios.json"]

TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension=".json" ContentType="application/json"/>
<Default Extension=".vsixmanifest" ContentType="text/xml"/>
<Default Extension=".js" ContentType="application/javascript"/>
<Default Extension=".md" ContentType="text/markdown"/>
</Types>
"""

MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata>
<Identity Language="en-US" Id="{name}" Version="{version}" Publisher="{publisher}"/>
<DisplayName>{title}</DisplayName>
<Description xml:space="preserve">{description}</Description>
<Categories>{categories}</Categories>
<Properties>
<Property Id="Microsoft.VisualStudio.Code.Engine" Value="{engine}"/>
<Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
</Properties>
</Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Dependencies/>
<Assets>
<Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
</Assets>
</PackageManifest>
"""


def main():
    about = json.loads((HERE / "package.json").read_text(encoding="utf-8"))
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path.cwd()
    target = folder / f"{about['name']}-{about['version']}.vsix"
    manifest = MANIFEST.format(
        name=about["name"], version=about["version"], publisher=about["publisher"],
        title=escape(about["displayName"]), description=escape(about["description"]),
        categories=escape(",".join(about["categories"])), engine=escape(about["engines"]["vscode"]))
    parts = [("extension.vsixmanifest", manifest.encode()), ("[Content_Types].xml", TYPES.encode())]
    parts += [(f"extension/{name}", (HERE / name).read_bytes()) for name in FILES]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in parts:
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            package.writestr(entry, data)
    print(target)


if __name__ == "__main__":
    main()
