// The page that builds cycles. The server draws the ring and knows the possible changes; this script turns presses and
// words into addresses, inserts the results, and lets the browser's history undo them.

import { pathTo } from "./base.js";
import { add } from "./sheet.js";

const nonce = document.querySelector("meta[name=style-nonce]").content;
const words = document.getElementById("words");
const field = words.elements.cycle;
const dialect = words.elements.arch;
const bench = document.getElementById("bench");
const status = document.getElementById("status");
/** @param {string} text */
const say = (text) => {
  status.textContent = text;
};

/**
 * get fetches a fragment. It throws an Error with a message for the visitor.
 * @param {string} url
 * @param {AbortSignal} signal
 */
async function get(url, signal) {
  let r;
  try {
    r = await fetch(url, { signal, headers: { "X-Page-Nonce": nonce } });
  } catch (e) {
    if (signal?.aborted) throw e;
    throw new Error("Cannot reach the server. Try again later.");
  }
  if (r.ok) return r.text();
  /** @type {Partial<ProblemDocument>} */
  const problem = r.headers.get("Content-Type")?.includes("json") ? await r.json() : {};
  throw new Error(problem.detail ?? `The server answered ${r.status}.`);
}

// latest runs one request at a time: a new request cancels the old one.
function latest() {
  /** @type {AbortController | null} */
  let running = null;
  return async (/** @type {(signal: AbortSignal) => Promise<unknown>} */ work) => {
    running?.abort();
    const mine = new AbortController();
    running = mine;
    try {
      await work(mine.signal);
    } catch (e) {
      if (!mine.signal.aborted) fail(e);
    } finally {
      if (running === mine) running = null;
    }
  };
}

/** @param {Error} error */
function fail(error) {
  const p = document.createElement("p");
  p.className = "problem";
  p.textContent = error.message;
  document.getElementById("messages").replaceChildren(p);
  say(error.message);
}

/**
 * @param {number} ms
 * @param {() => void} f
 */
const later = (ms, f) => {
  let timer = 0;
  /** @param {...unknown} args */
  const run = (...args) => {
    clearTimeout(timer);
    timer = setTimeout(f, ms, ...args);
  };
  run.cancel = () => clearTimeout(timer);
  return run;
};

// The cycle on show.
const shown = { arch: document.getElementById("messages").dataset.arch, cycle: document.getElementById("messages").dataset.cycle };
const address = (/** @type {Cycle} */ { arch, cycle }) => `?${new URLSearchParams({ arch, cycle })}`;

const drawing = latest();
const judging = latest();

/**
 * go shows a cycle.
 * @param {Cycle} to
 * @param {{history?: string, focus?: string, typing?: boolean}} how
 *   history: "push" where it is a step of its own, "replace" while one types, "" where the address is there already;
 *   focus: the id of the part that keeps the focus; typing: the field is left as it is
 */
function go(to, { history: step = "push", focus = "", typing = false } = {}) {
  typed.cancel();
  closeMenu(false);
  drawing(async (signal) => {
    const query = new URLSearchParams({ arch: to.arch, cycle: to.cycle });
    if (to.was) query.set("was", to.was);
    const page = document.createElement("template");
    page.innerHTML = await get(pathTo(`/cycles/ring?${query}`), signal);
    const messages = page.content.getElementById("messages");
    const board = page.content.getElementById("board");
    const { arch, cycle, title } = messages.dataset;
    document.getElementById("messages").replaceWith(messages);
    document.querySelector(".shapes").replaceWith(page.content.querySelector(".shapes"));
    field.toggleAttribute("aria-invalid", !board);
    if (!board) {
      field.setAttribute("aria-invalid", "true");
      document.getElementById("board")?.classList.add("stale");
      judging(async () => {});
      say(messages.textContent.trim().replace(/\s+/g, " "));
      return;
    }
    const old = document.getElementById("board");
    if (old) {
      // Keep the old verdicts until the new ones arrive.
      const verdicts = old.querySelector("#verdicts");
      verdicts.setAttribute("aria-busy", "true");
      board.querySelector("#verdicts").replaceWith(verdicts);
      old.replaceWith(board);
    } else bench.append(board);
    const moved = arch !== shown.arch || cycle !== shown.cycle;
    const dialectMoved = arch !== shown.arch;
    Object.assign(shown, { arch, cycle });
    if (step && moved) history[/** @type {"pushState" | "replaceState"} */ (`${step}State`)]({ arch, cycle }, "", address(shown));
    document.title = title;
    words.elements.was.value = arch;
    dialect.value = arch;
    if (!typing) field.value = cycle;
    mountRing(focus);
    judge(messages.textContent.trim().replace(/\s+/g, " "));
    if (dialectMoved) families.load();
    else for (const f of document.querySelectorAll("#family [name=cycle]")) f.value = cycle;
  });
}

// judge asks every model for its verdict on the test.
function judge(first = "") {
  const place = document.getElementById("verdicts");
  if (!document.getElementById("source")) {
    place.replaceChildren();
    place.removeAttribute("aria-busy");
    return;
  }
  judging(async (signal) => {
    try {
      place.innerHTML = await get(pathTo(`/cycles/verdicts${address(shown)}`), signal);
    } catch (e) {
      if (!signal.aborted) place.replaceChildren();
      throw e;
    } finally {
      if (!signal.aborted) place.removeAttribute("aria-busy");
    }
    say(`${first} ${document.getElementById("test-name").firstChild?.textContent?.trim()}: ${place.querySelector("[data-summary]")?.dataset.summary ?? ""}`.trim());
  });
}

// A burst of typing is one step of the history.
let burst = false;
const typed = later(250, () => {
  const text = field.value.trim();
  if (text === shown.cycle && !isOutdated()) {
    drawing(async () => {}); // nothing else is to come
    return;
  }
  go({ arch: shown.arch, cycle: text }, { history: burst ? "replace" : "push", typing: true });
  burst = true;
});
/** isOutdated reports whether the page shows errors in the words instead of a cycle. */
const isOutdated = () => field.hasAttribute("aria-invalid");
field.addEventListener("input", () => {
  // What the page shows is about other words.
  document.getElementById("board")?.classList.toggle("stale", isOutdated() || field.value.trim() !== shown.cycle);
  typed();
});
field.addEventListener("blur", () => {
  burst = false;
});
words.addEventListener("submit", (e) => {
  e.preventDefault();
  go({ arch: dialect.value, cycle: field.value.trim() });
});
dialect.addEventListener("change", () => go({ arch: dialect.value, was: shown.arch, cycle: field.value.trim() }));

addEventListener("popstate", () => {
  const q = new URLSearchParams(location.search);
  burst = false;
  go({ arch: q.get("arch") ?? "", cycle: q.get("cycle") ?? first }, { history: "" });
});
const first = shown.cycle;
history.replaceState({ ...shown }, "", location.search ? location.href : undefined);

// The ring is one tab stop; arrow keys move around it. A wide ring is in the page twice: phones show the tall form.
/** @param {HTMLElement} ring */
const parts = (ring) => [...ring.querySelectorAll(".part")];
/** @param {string} id */
const named = (id) => id.replace("tall-", "");

/** @param {string} focus */
function mountRing(focus) {
  for (const ring of document.querySelectorAll(".ring")) {
    const all = parts(ring);
    const kept = all.find((p) => named(p.id) === named(focus)) ?? all.at(Math.min(Number(/\d+$/.exec(focus)?.[0] ?? 0) * 2, all.length - 1));
    for (const p of all) {
      p.setAttribute("tabindex", p === kept ? "0" : "-1");
      p.setAttribute("aria-haspopup", "dialog");
    }
    if (focus && ring.checkVisibility()) kept?.focus({ preventScroll: true });
  }
  const box = document.querySelector(".ring-box");
  if (box && !focus) box.scrollLeft = (box.scrollWidth - box.clientWidth) / 2;
}

/** @param {HTMLElement} to */
function rove(to) {
  for (const p of parts(to.closest(".ring"))) p.setAttribute("tabindex", p === to ? "0" : "-1");
  to.focus();
}

bench.addEventListener("keydown", (e) => {
  const part = e.target.closest(".ring .part");
  if (!part || e.ctrlKey || e.metaKey || e.altKey) return;
  const all = parts(part.closest(".ring"));
  const i = all.indexOf(part);
  const to = { ArrowRight: i + 1, ArrowDown: i + 1, ArrowLeft: i - 1, ArrowUp: i - 1, Home: 0, End: all.length - 1 }[e.key];
  if (to !== undefined) rove(/** @type {HTMLElement} */ (all.at(to % all.length)));
  else if (e.key === "Enter" || e.key === " ") openMenu(part);
  else if (e.key === "Delete" || e.key === "Backspace") remove(part);
  else return;
  e.preventDefault();
});

/** @param {HTMLElement} part */
function remove(part) {
  if (part.dataset.remove) go({ arch: shown.arch, cycle: part.dataset.remove }, { focus: part.id });
  else say(part.dataset.stays ?? "To remove an access, press Delete on one of its edges.");
}

bench.addEventListener("click", (e) => {
  if (e.ctrlKey || e.metaKey || e.shiftKey || e.button !== 0) return;
  const part = e.target.closest(".ring .part");
  const link = e.target.closest(".shapes a");
  if (part) openMenu(part);
  else if (link) go(of(link));
  else {
    if (e.target.id === "copy-test") copy(e.target);
    else if (e.target.id === "to-sheet") {
      const button = /** @type {HTMLButtonElement} */ (e.target);
      add(button, /** @type {HTMLFormElement} */ (button.form).dataset.address.slice("/#".length), say);
    }
    return;
  }
  e.preventDefault();
});

/**
 * @param {HTMLAnchorElement} link
 * @returns {Cycle}
 */
const of = (link) => /** @type {{ arch: string, cycle: string }} */ (Object.fromEntries(new URLSearchParams(link.search)));

// The menu of a part.
const opening = latest();
/** @type {HTMLElement | null} */
let menu = null;

/** @param {HTMLElement} part */
function openMenu(part) {
  rove(part);
  opening(async (signal) => {
    const html = await get(pathTo(`/cycles/menu${/** @type {string} */ (part.getAttribute("href")).slice(pathTo("/cycles").length)}`), signal);
    closeMenu(false);
    const box = document.createElement("template");
    box.innerHTML = html;
    menu = /** @type {HTMLElement} */ (box.content.firstElementChild);
    menu.dataset.part = part.id;
    menu.popover = "auto";
    menu.addEventListener("toggle", (e) => {
      if (e.newState === "closed") closeMenu(e.target.contains(document.activeElement) || document.activeElement === document.body);
    });
    menu.addEventListener("click", (e) => {
      const choice = e.target.closest("a.choice");
      const refused = e.target.closest("[aria-disabled]");
      if (refused) say(refused.querySelector("span").textContent);
      if (!choice && !e.target.closest(".close")) return;
      e.preventDefault();
      if (choice) go({ arch: shown.arch, cycle: choice.dataset.cycle }, { focus: part.id });
      else closeMenu(true);
    });
    menu.addEventListener("keydown", stepMenu);
    filtered(menu);
    document.querySelector("main").append(menu);
    part.classList.add("pressed");
    menu.showPopover();
    beside(part);
    (menu.querySelector("a.choice[aria-current]") ?? menu.querySelector("a.choice"))?.focus({ preventScroll: true });
    menu.scrollTop = 0;
  });
}

// filtered adds a filter field to a long menu: it hides the choices that do not contain all its words.
/** @param {HTMLElement} menu */
function filtered(menu) {
  const choices = [...menu.querySelectorAll("li")];
  if (choices.length < 8) return;
  const field = document.createElement("input");
  field.type = "search";
  field.placeholder = "Filter";
  field.setAttribute("aria-label", "Filter the choices");
  const none = document.createElement("p");
  none.className = "hint";
  none.hidden = true;
  none.textContent = "No choice matches.";
  menu.querySelector(".close").after(field, none);
  const folds = [...menu.querySelectorAll("details")].map((d) => ({ d, open: d.open }));
  /** @param {HTMLElement} e */
  const left = (e) => e.querySelector("li:not([hidden])") !== null;
  field.addEventListener("input", () => {
    const wanted = field.value.toLowerCase().split(/\s+/);
    for (const c of choices) c.hidden = !wanted.every((w) => c.textContent.toLowerCase().includes(w));
    for (const { d, open } of folds) d.open = field.value.trim() !== "" || open;
    for (const e of menu.querySelectorAll("details, section")) e.hidden = !left(e);
    none.hidden = left(menu);
  });
  menu.addEventListener("keydown", (e) => {
    if (e.key === "Enter" && e.target === field) menu.querySelector("li:not([hidden]) a.choice")?.click();
    // Typing goes to the field.
    else if (e.key.length === 1 && e.key !== " " && !e.ctrlKey && !e.metaKey && !e.altKey) field.focus();
  });
}

// beside places the menu at its part if there is room; on a phone it is at the bottom.
/** @param {HTMLElement} part */
function beside(part) {
  if (matchMedia("(width < 900px)").matches) return;
  const at = part.getBoundingClientRect();
  const box = /** @type {HTMLElement} */ (menu).getBoundingClientRect();
  const right = at.right + 12 + box.width < innerWidth;
  /** @type {HTMLElement} */ (menu).style.left = `${right ? at.right + 12 : Math.max(8, at.left - 12 - box.width)}px`;
  /** @type {HTMLElement} */ (menu).style.top = `${Math.max(8, Math.min(at.top - 24, innerHeight - box.height - 8))}px`;
}

/** @param {boolean} back */
function closeMenu(back) {
  if (!menu) return;
  const closed = menu;
  menu = null;
  closed.remove();
  const part = document.getElementById(closed.dataset.part);
  part?.classList.remove("pressed");
  if (back) part?.focus({ preventScroll: true });
}

/** @param {Heard<"keydown">} e */
function stepMenu(e) {
  const step = /** @type {Record<string, number | undefined>} */ ({ ArrowDown: 1, ArrowUp: -1 })[e.key];
  if (!step) return;
  const all = [.../** @type {HTMLElement} */ (menu).querySelectorAll("input, a.choice, summary, .close")].filter((c) => c.checkVisibility());
  const i = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  /** @type {HTMLElement} */ (all.at((i + step + all.length) % all.length)).focus();
  e.preventDefault();
}

// The buttons below the test.
/** @param {HTMLElement} button */
async function copy(button) {
  const source = document.getElementById("source");
  let done = await navigator.clipboard?.writeText(source.textContent).then(() => true, () => false);
  if (!done) {
    getSelection()?.selectAllChildren(source);
    done = document.execCommand("copy");
  }
  button.textContent = done ? "Copied" : "Copy the selection";
  say(done ? "Copied." : "The test is selected: copy it yourself.");
}

// Store the test in the address, so that Back returns to it from the explorer.
bench.addEventListener("submit", (e) => {
  if (e.target.id !== "explore-cycle") return;
  e.preventDefault();
  location.assign(e.target.dataset.address);
});

// Counts a family while the visitor types.
const families = (() => {
  const counting = latest();
  const place = () => document.getElementById("families");
  const form = () => document.getElementById("family");

  function sync() {
    const { relax, from, to } = form().elements;
    const suite = document.getElementById("family-suite");
    for (const f of [relax, from, to]) if (suite) /** @type {Field} */ (suite.elements[f.name]).value = f.value;
  }

  function count() {
    const { relax, from, to } = form().elements;
    sync();
    const result = document.getElementById("family-result");
    result.setAttribute("aria-busy", "true");
    counting(async (signal) => {
      try {
        result.innerHTML = await get(pathTo(`/cycles/family?${new URLSearchParams({ arch: shown.arch, relax: relax.value, from: from.value, to: to.value })}`), signal);
      } catch (e) {
        if (!signal.aborted) result.replaceChildren();
        throw e;
      } finally {
        if (!signal.aborted) result.removeAttribute("aria-busy");
      }
    });
  }
  const soon = later(350, count);

  function mount() {
    form().addEventListener("input", () => {
      document.getElementById("family-result").setAttribute("aria-busy", "true");
      sync(); // a press of "Submit as a suite" does not wait
      soon();
    });
    form().addEventListener("submit", (e) => {
      e.preventDefault();
      count();
    });
    place().addEventListener("click", (e) => {
      const preset = e.target.closest("[data-list]");
      const member = e.target.closest(".members a");
      if (!preset && !member || e.ctrlKey || e.metaKey || e.shiftKey) return;
      e.preventDefault();
      if (preset) {
        form().elements.relax.value = preset.dataset.list;
        count();
      } else {
        go(of(member));
        words.scrollIntoView({ block: "start" });
      }
    });
  }
  mount();
  return {
    // load fetches the section for another dialect.
    load() {
      const { from, to } = form().elements;
      counting(async (signal) => {
        const section = document.createElement("template");
        section.innerHTML = await get(pathTo(`/cycles/families${address(shown)}&from=${from.value}&to=${to.value}`), signal);
        place().replaceWith(section.content);
        mount();
      });
    },
  };
})();

// Remove the menu that the server rendered for browsers without scripts.
document.querySelector(".round > .menu")?.remove();
mountRing("");
document.documentElement.classList.add("live");
