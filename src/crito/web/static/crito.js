// Niceties for pages that also work without this file: keys, drafts, patient saving, the growing text field, the open gate.
(() => {
  "use strict";
  const root = document.documentElement;
  const arrived = performance.now();
  const narrow = matchMedia("(max-width: 51.99rem)");
  const find = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  root.classList.add("scripted");

  const timers = new Map();
  const flying = new Map();

  // Saving: a form is sent until the server has it; the server keeps each form once, however often it comes.
  const say = (form, what) => {
    const line = find(".saving", form);
    if (!line) return;
    line.textContent = what ? line.dataset[what] : "";
    line.classList.toggle("trying", what === "trying");
  };
  const online = () => (navigator.onLine ? pause(0) : new Promise((resolve) => addEventListener("online", resolve, { once: true })));
  const backOff = async (attempt) => {
    await Promise.race([pause(Math.min(1000 * 2 ** attempt, 15000)), navigator.onLine ? new Promise(() => {}) : online()]);
  };

  const save = async (form, submitter) => {
    const body = new URLSearchParams(new FormData(form, submitter ?? undefined));
    const address = submitter?.getAttribute("formaction") || form.getAttribute("action");
    stopDraft(form);
    say(form, "saving");
    for (let attempt = 0; ; attempt += 1) {
      try {
        const answer = await fetch(address, { method: "POST", body, redirect: "manual", signal: AbortSignal.timeout(30000) });
        if (answer.type === "opaqueredirect") {
          say(form, "saved");
          location.assign(address.replace(/[^/]*$/, submitter?.hasAttribute("formaction") ? "left" : ""));
          return;
        }
        if (![502, 503, 504].includes(answer.status)) {
          sendPlainly(form, submitter);
          return;
        }
      } catch {
        // No connection: the loop goes round again.
      }
      say(form, "trying");
      await backOff(attempt);
    }
  };
  const sendPlainly = (form, submitter) => {
    form.dataset.plain = "yes";
    if (submitter) form.requestSubmit(submitter);
    else form.submit();
  };
  // Experts go from item to item in place: a key need not wait for a whole page to be built again.
  const goOnInPlace = async (form, submitter) => {
    const body = new URLSearchParams(new FormData(form, submitter ?? undefined));
    try {
      const answer = await fetch(form.getAttribute("action"), { method: "POST", body, signal: AbortSignal.timeout(10000) });
      if (!answer.ok) throw new Error(answer.statusText);
      const next = new DOMParser().parseFromString(await answer.text(), "text/html");
      document.title = next.title;
      for (const part of ["header", "main"]) find(part).replaceWith(find(part, next));
      history.replaceState(null, "", answer.url);
      find("main").focus({ preventScroll: true });
      scrollTo(0, 0);
    } catch {
      sendPlainly(form, submitter);
    }
  };
  // Captured, to come before htmx where a button of the dialogue's form leads elsewhere.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (flying.has(form)) {
      // The draft goes first: one that came after the form would bring back what was sent.
      event.preventDefault();
      event.stopPropagation();
      flying.get(form).then(() => form.requestSubmit(event.submitter));
      return;
    }
    const chats = form.hasAttribute("hx-post") && !event.submitter?.hasAttribute("formaction");
    if (chats || form.dataset.plain) return;
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    const inPlace = form.hasAttribute("data-in-place");
    if (!inPlace && !form.hasAttribute("data-save") && !form.hasAttribute("hx-post")) return;
    event.preventDefault();
    event.stopPropagation();
    form.dataset.sent = "yes";
    if (inPlace) {
      goOnInPlace(form, event.submitter);
      return;
    }
    const submit = find("[name=ms_submit]", form);
    if (submit) submit.value = Math.round(performance.now() - arrived);
    save(form, event.submitter);
  }, { capture: true });
  // What is being written is asked for at once; the answer is this page again.
  addEventListener("load", () => all("form[data-sends-itself]").forEach((form) => save(form)));
  addEventListener("pageshow", () => all("form[data-sent]").forEach((form) => delete form.dataset.sent));

  // Drafts: what is typed goes to the server a moment later, and at once when the page goes away.
  const draft = (form, leaving = false) => {
    stopDraft(form);
    if (form.dataset.sent) return;
    const body = new URLSearchParams(new FormData(form));
    for (const name of ["ms_first_input", "ms_submit", "paste_times", "paste_characters"]) body.delete(name);
    const keepalive = leaving && body.toString().length < 60000;
    const sending = fetch(form.dataset.draft, { method: "POST", body, keepalive, signal: AbortSignal.timeout(3000) })
      .catch(() => {})
      .then(() => flying.delete(form));
    flying.set(form, sending);
  };
  const stopDraft = (form) => {
    clearTimeout(timers.get(form));
    timers.delete(form);
  };
  document.addEventListener("input", (event) => {
    const form = event.target.form;
    if (!form) return;
    const first = find("[name=ms_first_input]", form);
    if (first && !first.value) first.value = Math.round(performance.now() - arrived);
    if (form.dataset.draft) {
      stopDraft(form);
      timers.set(form, setTimeout(() => draft(form), 800));
    }
    if (event.target.matches("[type=radio]")) {
      applyBranches(form);
      markNext(form);
    }
    if (event.target.matches("[data-grows]")) grow(event.target);
  });
  addEventListener("pagehide", () => [...timers.keys()].forEach((form) => draft(form, true)));
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") [...timers.keys()].forEach((form) => draft(form, true));
  });

  // What is pasted is counted, never kept: how often, and how many characters.
  document.addEventListener("paste", (event) => {
    const form = event.target.form;
    if (!form || !event.target.matches("textarea")) return;
    const characters = [...(event.clipboardData?.getData("text/plain") ?? "")].length;
    for (const [name, more] of [["paste_times", 1], ["paste_characters", characters]]) {
      const counted = find(`[name=${name}]`, form) ?? form.appendChild(Object.assign(document.createElement("input"), { type: "hidden", name, value: 0 }));
      counted.value = Number(counted.value) + more;
    }
  });

  // Text fields grow where the style sheet alone cannot make them.
  const grow = (field) => {
    if (CSS.supports("field-sizing", "content")) return;
    field.rows = Math.min(14, Math.max(2, field.value.split("\n").length, Math.ceil(field.value.length / 60)));
  };
  all("[data-grows]").forEach(grow);

  // Questions that depend on an earlier answer.
  const applyBranches = (form) => {
    for (const branch of all(".branch", form)) {
      const chosen = all(`[name="${CSS.escape(branch.dataset.onlyIf)}"]:checked`, form).find((input) => !input.disabled);
      const asked = Boolean(chosen) && JSON.parse(branch.dataset.onlyValues).includes(chosen.value);
      branch.hidden = !asked;
      for (const field of all("input, textarea", branch)) {
        field.disabled = !asked;
        field.required = asked && branch.hasAttribute("data-required");
      }
    }
    all(".when", form).forEach((line) => { line.hidden = true; });
  };

  // Times are written as the clock of whoever looks shows them; the exact time stays on hover.
  const clock = new Intl.DateTimeFormat(root.lang || undefined, { dateStyle: "medium", timeStyle: "short" });
  const localTimes = (from) => all("time[data-local]", from).forEach((time) => {
    time.textContent = clock.format(new Date(time.dateTime));
    time.removeAttribute("data-local");
  });
  localTimes(document);
  document.addEventListener("htmx:after:swap", () => localTimes(document));

  // Keys: a digit answers the question in focus, or the first open one; Enter saves.
  const usable = (set) => !set.closest("[hidden]") && !set.closest("fieldset:disabled");
  const openSet = (form) => all(".choice", form).find((set) => usable(set) && !find("input:checked", set));
  const markNext = (form) => {
    if (!form.hasAttribute("data-keys")) return;
    const next = openSet(form);
    all(".choice", form).forEach((set) => set.classList.toggle("is-next", set === next));
  };
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const field = event.target;
    if (field.matches("textarea")) {
      if (event.key === "Enter" && !event.shiftKey && field.hasAttribute("data-enter-sends")) {
        event.preventDefault();
        if (!find("button[type=submit]", field.form).disabled) field.form.requestSubmit();
      }
      return;
    }
    const keyed = find(`[data-key="${CSS.escape(event.key)}"]`);
    if (keyed && !field.matches("input, select") && !(event.key === "Enter" && field.matches("button, a, summary"))) {
      event.preventDefault();
      // A key that is held down decides nothing about items that come while it is.
      if (!event.repeat) keyed.click();
      return;
    }
    if (event.key === "g" && find("form.expert")) {
      const guideline = find("details.guideline");
      if (guideline) guideline.open = !guideline.open;
      return;
    }
    if (field.matches("input:not([type=radio]), select, button, a, summary")) return;
    const form = find("form[data-keys]");
    if (!form) return;
    if (/^[1-9]$/.test(event.key)) {
      const set = field.closest(".choice") ?? openSet(form) ?? find(".choice", form);
      const input = set && usable(set) ? all("input", set)[Number(event.key) - 1] : undefined;
      if (!input) return;
      event.preventDefault();
      input.click();
      (find("input", openSet(form) ?? set) ?? input).focus({ preventScroll: false });
    } else if (event.key === "Enter" && !field.matches("input")) {
      event.preventDefault();
      form.requestSubmit(find("button[type=submit]", form));
    }
  });

  // The dialogue.
  const message = find("#message");
  const log = find("#log");
  const sendButton = message && find("button[type=submit]", message);
  const turn = () => {
    if (!message) return;
    const waiting = Boolean(find("#incoming"));
    sendButton.disabled = waiting;
    const gate = find("#gate");
    const again = find("#again");
    if (gate && again) {
      const wasShut = again.disabled;
      again.disabled = gate.dataset.open !== "yes";
      if (wasShut && !again.disabled) markNext(again.form);
    }
  };
  // Where the window scrolls and not the log; whoever is in the second form already is left there.
  const showLast = () => {
    const elsewhere = find("#answers")?.contains(document.activeElement);
    if (narrow.matches && !elsewhere) log.lastElementChild?.scrollIntoView({ block: "end" });
  };
  if (message) {
    let attempt = 0;
    message.addEventListener("htmx:before:request", () => {
      stopDraft(message);
      sendButton.disabled = true;
      say(message, "saving");
    });
    message.addEventListener("htmx:after:request", (event) => {
      const { status } = event.detail.ctx.response;
      attempt = 0;
      say(message, "");
      if (status === 200) {
        const field = find("textarea", message);
        field.value = "";
        all("[name^=paste_]", message).forEach((counted) => counted.remove());
        grow(field);
      }
    });
    message.addEventListener("htmx:error", async () => {
      say(message, "trying");
      await backOff(attempt);
      attempt += 1;
      message.requestSubmit();
    });
    const reload = async () => {
      say(message, "trying");
      await pause(1500);
      await online();
      location.reload();
    };
    document.addEventListener("htmx:sse:error", reload);
    document.addEventListener("htmx:error", (event) => {
      if (event.target.id === "reply") reload();
    });
    // A reply that came sentence by sentence stays where it is and becomes a line like the others.
    document.addEventListener("htmx:finally:request", (event) => {
      const incoming = find("#incoming");
      if (event.target.id === "reply" && incoming && find("#incoming-words").textContent) {
        incoming.classList.remove("waiting");
        for (const named of [incoming, ...all("[id]", incoming)]) named.removeAttribute("id");
        turn();
      }
    });
    document.addEventListener("crito:moved", () => location.assign(message.action.replace(/[^/]*$/, "")));
    new MutationObserver(() => { turn(); showLast(); }).observe(log, { childList: true, subtree: true });
    document.addEventListener("htmx:after:swap", turn);
    // A phone's keyboard comes and goes.
    addEventListener("resize", showLast);
    find("textarea", message).addEventListener("focus", () => {
      if (narrow.matches) find(".item > details").open = false;
    });
    turn();
    if (log.childElementCount > 1) showLast();
  }

  // Codes and links that are taken elsewhere.
  for (const button of all("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const source = find(button.dataset.copy);
      try {
        await navigator.clipboard.writeText(source.textContent.trim());
      } catch {
        getSelection().selectAllChildren(source);
        document.execCommand("copy");
      }
      button.textContent = button.dataset.done;
    });
  }

  // On a phone the rooms of the owner's pages run over: the one that is open is in view.
  find(".rooms [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
  all("form").forEach((form) => { applyBranches(form); markNext(form); });
  find(".at-fault")?.scrollIntoView({ block: "center" });
})();
