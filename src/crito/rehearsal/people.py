"""Scripted people who walk through a study, each at their own pace and with their own mistakes."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from crito.rehearsal.browser import Browser, Stuck
from crito.rehearsal.pages import Form, SeenPage
from crito.rehearsal.tempers import Mind

MOST_PAGES = 1000
"""More than any study has for one person; whoever looks at more of them walks in circles."""

DROPPED_OUT = "dropped out"
STUCK = "stuck"


@dataclass(frozen=True, slots=True)
class Walked:
    """How far someone came: an ending of the study, `dropped out`, or `stuck` with the reason."""

    who: str
    ending: str
    pages: int
    reason: str = ""


class Person:
    """One person with the invitation they came by. `new_browser` gives them a device with nothing on it."""

    def __init__(self, who: str, invitation: str, mind: Mind, new_browser: Callable[[], Browser]) -> None:
        self.who = who
        self._invitation = invitation
        self._mind = mind
        self._new_browser = new_browser
        self._browsers = [new_browser()]
        self._careless = mind.does(mind.temper.careless)
        self._before: tuple[Form, dict[str, str]] | None = None
        self._corrected = False

    async def walk(self) -> Walked:
        """From the invitation to whatever end."""
        pages = 0
        try:
            page = await self._browser.get(self._invitation)
            for pages in range(1, MOST_PAGES):
                if page.ending:
                    return Walked(self.who, page.ending, pages)
                if page.step != "consent" and self._mind.does(self._mind.temper.drops_out):
                    return Walked(self.who, DROPPED_OUT, pages)
                await self._look_at(page)
                page = await self._step(await self._stray(page))
            raise Stuck("the study does not end")
        except Stuck as problem:
            return Walked(self.who, STUCK, pages, str(problem))
        finally:
            for browser in self._browsers:
                await browser.close()

    @property
    def _browser(self) -> Browser:
        return self._browsers[-1]

    async def _look_at(self, page: SeenPage) -> None:
        if self._mind.temper.mean_pause_s:
            await asyncio.sleep(self._mind.rng.expovariate(1 / self._mind.temper.mean_pause_s))
        seconds = "".join(filter(str.isdigit, page.notice))
        if seconds:
            # Asked to be slower: nobody writes faster than the study allows for long.
            await asyncio.sleep(min(int(seconds), 60))

    async def _stray(self, page: SeenPage) -> SeenPage:
        """Now and then something else than what the page is for; gives the page that is looked at then."""
        temper = self._mind.temper
        if page.step == "consent":
            return page
        ways: list[tuple[float, Callable[[SeenPage], Awaitable[SeenPage]]]] = [
            (temper.reloads, self._reload),
            (temper.goes_back, self._send_again),
            (temper.leaves, self._leave_and_return),
            (temper.other_device, self._change_device),
            (temper.two_windows, self._use_two_windows),
            (temper.withdraws, self._withdraw),
        ]
        for chance, way in ways:
            if not page.ending and self._mind.does(chance):
                page = await way(page)
        return page

    async def _step(self, page: SeenPage) -> SeenPage:
        """What the page is for."""
        match page.step:
            case "":
                raise Stuck(f"there is no way on from {page.address} ({page.heading!r})")
            case "end":
                return page
            case "consent":
                refuses = self._mind.does(self._mind.temper.declines)
                return await self._send(page.forms["consent"], {"consent": "no" if refuses else "yes"})
            case "confirm" if not self._corrected and self._mind.does(self._mind.temper.corrects):
                self._corrected = True
                return await self._correct(page)
            case "message":
                return await self._talk(page)
            case step:
                return await self._fill_in(page.forms[step])

    async def _talk(self, page: SeenPage) -> SeenPage:
        after = next((page.forms[step] for step in ("reannotate", "continue") if step in page.forms), None)
        if after and not after.closed and not self._mind.does(self._mind.temper.talks_on):
            return await self._fill_in(after)
        return await self._send(page.forms["message"], {"message": self._mind.message()})

    async def _fill_in(self, form: Form) -> SeenPage:
        return await self._send(form, self._mind.answers(form, careless=self._careless))

    async def _send(self, form: Form, values: dict[str, str]) -> SeenPage:
        self._before = (form, values)
        if not self._mind.does(self._mind.temper.double_clicks):
            return await self._browser.submit(form, values)
        # One browser shows what the second click brings; the first goes on at the server all the same.
        _, page = await asyncio.gather(self._browser.submit(form, values), self._browser.submit(form, values))
        return await self._browser.get(page.address)

    async def _correct(self, page: SeenPage) -> SeenPage:
        corrections = [link for link in page.links if "/correct/" in link]
        form_page = await self._browser.get(self._mind.rng.choice(corrections))
        if "annotate" not in form_page.forms:
            return form_page
        return await self._fill_in(form_page.forms["annotate"])

    async def _reload(self, page: SeenPage) -> SeenPage:
        return await self._browser.get(page.address)

    async def _send_again(self, page: SeenPage) -> SeenPage:
        return await self._browser.submit(*self._before) if self._before else page

    async def _leave_and_return(self, page: SeenPage) -> SeenPage:
        if "leave" not in page.forms:
            return page
        left = await self._browser.submit(page.forms["leave"], {})
        personal = next((link for link in left.links if "/r/" in link), self._invitation)
        self._browsers.append(self._new_browser())
        return await self._browser.get(personal)

    async def _change_device(self, page: SeenPage) -> SeenPage:
        self._browsers.append(self._new_browser())
        return await self._browser.get(self._invitation)

    async def _use_two_windows(self, page: SeenPage) -> SeenPage:
        """The same page twice, filled in differently; then the study is looked at again."""
        form = page.forms.get(page.step)
        if form is None or page.step in ("reply", "debate"):
            return page
        windows = [page, await self._browser.get(page.address)]
        for window in windows:
            if page.step in window.forms and not window.forms[page.step].closed:
                same = window.forms[page.step]
                values = self._mind.answers(same, careless=self._careless)
                if page.step == "message":
                    values = {"message": self._mind.message()}
                await self._browser.submit(same, values)
        return await self._browser.get(self._invitation)

    async def _withdraw(self, page: SeenPage) -> SeenPage:
        asking = next((link for link in page.links if link.endswith("/withdraw")), None)
        if asking is None:
            return page
        sure = await self._browser.get(asking)
        return await self._browser.submit(sure.forms["withdraw"], {}) if "withdraw" in sure.forms else sure
