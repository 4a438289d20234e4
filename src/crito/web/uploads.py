"""Files that are sent with a form."""

from collections.abc import AsyncGenerator
from typing import NamedTuple

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

MAX_BYTES = 32 * 1024 * 1024
MAX_FIELDS = 20


class Upload(NamedTuple):
    """The fields of a form, and the file in it: without a name where none was chosen."""

    fields: dict[str, str]
    file: str
    content: bytes


async def read_upload(request: Request) -> Upload:
    """A form with one file.

    Raises:
        HTTPException: 413 for more than `MAX_BYTES`, 415 for anything but a form with a file, 400 for a broken one.
    """
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        raise HTTPException(415)
    parser = MultiPartParser(request.headers, _limited(request), max_files=1, max_fields=MAX_FIELDS)
    try:
        form = await parser.parse()
    except (MultiPartException, KeyError) as error:
        raise HTTPException(400) from error
    try:
        file = next((part for _, part in form.multi_items() if isinstance(part, UploadFile)), None)
        fields = {name: part for name, part in form.multi_items() if isinstance(part, str)}
        return Upload(fields, (file.filename or "") if file else "", await file.read() if file else b"")
    finally:
        await form.close()


async def _limited(request: Request) -> AsyncGenerator[bytes, None]:
    n_bytes = 0
    async for chunk in request.stream():
        n_bytes += len(chunk)
        if n_bytes > MAX_BYTES:
            raise HTTPException(413)
        yield chunk
