"""The files that pages load, read once and served from memory under addresses that name their content."""

import gzip
import hashlib
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response

from crito.report.saving import figure_style

TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
OURS = ("crito.js", "icon.svg")
THEIRS = ("vendor/htmx.min.js", "vendor/hx-sse.min.js")
FOREVER = "public, max-age=31536000, immutable"


@dataclass(frozen=True)
class StaticFile:
    """One file: `address` is its name with a hash of its content before the ending."""

    name: str
    content: bytes

    @cached_property
    def address(self) -> str:
        stem, _, ending = self.name.rpartition(".")
        return f"{stem}.{hashlib.sha256(self.content).hexdigest()[:12]}.{ending}"

    @cached_property
    def packed(self) -> bytes:
        return gzip.compress(self.content, mtime=0)

    def response(self, request: Request) -> Response:
        headers = {"Cache-Control": FOREVER, "Vary": "Accept-Encoding"}
        media_type = TYPES["." + self.name.rpartition(".")[2]]
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(self.packed, headers={**headers, "Content-Encoding": "gzip"}, media_type=media_type)
        return Response(self.content, headers=headers, media_type=media_type)


class StaticFiles:
    """Every file by name and by address."""

    def __init__(self) -> None:
        folder = files("crito.web") / "static"
        read = [StaticFile(name, (folder / name).read_bytes()) for name in (*OURS, *THEIRS)]
        pico = (folder / "vendor/pico.classless.min.css").read_bytes().removeprefix(b'@charset "UTF-8";')
        # In a layer of its own the ground loses against every rule of ours, whatever its selectors weigh.
        style = b"@layer ground{" + pico + b"}\n" + (folder / "crito.css").read_bytes() + figure_style().encode()
        self._by_name = {file.name: file for file in [*read, StaticFile("crito.css", style)]}
        self._by_address = {file.address: file for file in self._by_name.values()}

    def address(self, name: str) -> str:
        """The address below `/static/` of the file called `name`."""
        return self._by_name[name].address

    async def serve(self, request: Request) -> Response:
        found = self._by_address.get(request.path_params["address"])
        return found.response(request) if found else Response(status_code=404)
