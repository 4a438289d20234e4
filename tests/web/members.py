"""People who work on the study of a site, each in a browser where they are signed in."""

from crito.model.access import StudyRole
from crito.model.ids import StudyName
from crito.services import accounts, members
from crito.web.roles import ACCOUNT
from tests.web.site import HOST, Browser, Site


async def session_of(site: Site, role: StudyRole, name: str, study: StudyName | None = None, password: str = "") -> str:
    """The token of a session of a new account that has `role` in a study, this site's own unless another is named."""
    _, token = await members.invite(site.parts, study or site.study.name, role, name)
    return await accounts.follow_link(site.parts, token, name=name, password=password)


def browser_of(site: Site, session: str, **headers: str) -> Browser:
    browser = site.browser(**headers)
    browser.client.cookies.set(ACCOUNT, session, domain=HOST.partition("//")[2], path=site.prefix or "/")
    return browser


async def browser_as(site: Site, role: StudyRole, name: str, study: StudyName | None = None) -> Browser:
    return browser_of(site, await session_of(site, role, name, study))
