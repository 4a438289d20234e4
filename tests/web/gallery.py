"""Every page from made-up content: `python -m tests.web.gallery PORT` serves them, to look at while working on the looks."""

import sys

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from crito.model.ids import Language
from crito.web.rendering import Notice, Pages
from crito.web.static_files import StaticFiles
from tests.web import samples

STATIC = StaticFiles()
RENDERER = Pages(STATIC)
PARTICIPANT = {"base": "/s/sample/", "csrf": "c", "study_title": "Sarcasm and relations"}
TEMPLATE_OF = {
    "reading": "talk",
    "reading_done": "talk",
    "reading_later": "talk",
    "talk_open": "talk",
    "talk_waiting": "talk",
    "annotate_fault": "annotate",
}


def rendered(name: str, renderer: Pages = RENDERER, language: Language = samples.ENGLISH) -> str:
    """The page called `name`; its own words in English, ours in `language`."""
    if name in samples.PAGES:
        notice = Notice("missing", "confidence") if name == "annotate_fault" else None
        values = {"page": samples.PAGES[name], "notice": notice}
        template = TEMPLATE_OF.get(name, name)
    else:
        template, values = samples.OTHER_PAGES[name]
    return renderer.render(template, samples.ENGLISH, "", words=language, **{**PARTICIPANT, **values})


NAMES = (*samples.PAGES, *samples.OTHER_PAGES)


async def page(request: Request) -> Response:
    name = request.path_params.get("name")
    if not name:
        return HTMLResponse("".join(f'<p><a href="/{known}">{known}</a></p>' for known in NAMES))
    return HTMLResponse(rendered(name))


async def busy(request: Request) -> Response:
    """The server has not got there yet: what sends itself goes on waiting."""
    return Response(status_code=503)


app = Starlette(
    routes=[
        Route("/s/sample/debate", busy, methods=["POST"]),
        Route("/static/{address:path}", STATIC.serve),
        Route("/", page),
        Route("/{name}", page),
    ]
)

if __name__ == "__main__":
    uvicorn.run(app, port=int(sys.argv[1]), log_level="warning")
