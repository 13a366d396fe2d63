// The pages of a class: student, projector and teacher. The server renders them; this script sends votes until they
// arrive, and keeps pictures in step.

import { byTeacher, onScreen } from "./classkeys.js";
import { stream } from "./classstream.js";
import { counting } from "./classtimer.js";

const room = document.getElementById("room");
const { role, base, code } = room.dataset;
const nonce = document.querySelector("meta[name=style-nonce]").content;
const status = document.getElementById("status");
const $ = (/** @type {string} */ selector) => room.querySelector(selector);

/** @typedef {{ item: number, round: number, ballot?: string, text?: string, made: number }} Vote */

// --- how it looks ---

// focusKey identifies the focused element, to find it in the new page.
/** @param {Field | null} e */
const focusKey = (e) => (e?.id ? `#${CSS.escape(e.id)}` : e?.name ? `[name="${CSS.escape(e.name)}"][value="${CSS.escape(e.value)}"]` : "");

// grow animates the bars of a new tally from their old lengths.
/**
 * @param {ParentNode} fresh
 * @param {ParentNode} old
 */
function grow(fresh, old) {
  for (const bar of fresh.querySelectorAll("[data-bar]")) {
    const before = old.querySelector(`[data-bar="${bar.dataset.bar}"]`)?.getAttribute("width");
    const now = bar.getAttribute("width");
    if (!before || before === now) continue;
    bar.setAttribute("width", before);
    requestAnimationFrame(() => requestAnimationFrame(() => bar.setAttribute("width", /** @type {string} */ (now))));
  }
}

/** @param {string} html */
function parse(html) {
  const t = document.createElement("template");
  t.innerHTML = html;
  return t.content;
}

/** @param {ClassEvent} told */
function view(told) {
  held = {};
  if (pressing()) {
    held.view = told;
    return;
  }
  const { html, status: words } = told;
  const fresh = parse(html);
  // An unchanged picture stays in the page.
  const [was, is] = [$("#evidence"), fresh.querySelector("#evidence")];
  if (was && is && was.dataset.src === is.dataset.src) {
    was.dataset.step = is.dataset.step;
    is.replaceWith(was);
  }
  // So do choices that are not sent yet.
  const [old, now] = [$("#ballot"), fresh.querySelector("#ballot")];
  if (old && now && old.dataset.item === now.dataset.item && old.dataset.round === now.dataset.round) {
    for (const chosen of old.querySelectorAll("input:checked")) {
      const same = now.querySelector(`[name="${chosen.name}"][value="${chosen.value}"]`);
      if (same) same.checked = true;
    }
  }
  grow(fresh, room);
  focused(room, () => {
    const scrolled = old && now && old.dataset.item === now.dataset.item ? scrollY : 0;
    if (old?.matches(".text[data-open]") && now?.matches(".text[data-open]") && isHere(old, now.dataset)) around(old, now, fresh);
    else room.replaceChildren(fresh);
    if (role === "student") scrollTo(0, scrolled);
  });
  if (words && words !== status.textContent) status.textContent = words;
  if (role === "student") {
    begun();
    mine();
  }
  counting(room);
  evidence();
  devices();
  fit();
}

/**
 * focused keeps the focus while change replaces an element's content.
 * @param {HTMLElement} within
 * @param {() => void} change
 */
function focused(within, change) {
  const key = focusKey(/** @type {Field | null} */ (within.contains(document.activeElement) ? document.activeElement : null));
  change();
  if (key) $(key)?.focus({ preventScroll: true });
}

/**
 * around updates a page around a form in which the visitor may be writing.
 * @param {HTMLElement} old
 * @param {HTMLElement} now
 * @param {DocumentFragment} fresh
 */
function around(old, now, fresh) {
  for (const e of [...room.childNodes]) if (e !== old) e.remove();
  while (fresh.firstChild !== now) old.before(/** @type {ChildNode} */ (fresh.firstChild));
  now.remove();
  room.append(fresh);
}

/** pressing reports whether a button is pressed: removing it before the release would lose the click. */
const pressing = () => $(":is(button, label):active");
/**
 * aiming reports whether the teacher points at a button beside an answer, which must not move then.
 * @param {HTMLElement} old
 */
const aiming = (old) => old.querySelector(".written button:active") || matchMedia("(hover: hover)").matches && old.querySelector(".written button:hover");
/** @type {{ view?: ClassEvent, tally?: ClassEvent | null }} */
let held = {}; // events to show after the current press ends

/** @param {ClassEvent} told */
function tally(told) {
  const fresh = parse(told.html);
  const [old, now] = [$("#tally"), fresh.querySelector("#tally")];
  held.tally = null;
  if (held.view || $("#devices :active")) {
    held.tally = told;
    return;
  }
  counts(fresh.querySelector("#devices"));
  if (old && now && aiming(old)) {
    held.tally = told;
    old.querySelector(".count").replaceWith(now.querySelector(".count"));
    return;
  }
  if (old && now) {
    grow(now, old);
    focused(old, () => old.replaceWith(now));
  }
  fit(true);
}

/**
 * counts replaces the part about the class's devices.
 * @param {HTMLElement | null} now
 */
function counts(now) {
  const old = $("#devices");
  if (!old || !now) return;
  const scrolled = old.querySelector(".scroll")?.scrollLeft ?? 0;
  focused(old, () => old.replaceWith(now));
  const table = now.querySelector(".scroll");
  if (table) table.scrollLeft = scrolled;
  devices();
}

/** @type {Promise<() => void> | null} */
let taking = null;
// devices has a student's page take part in a run on the class's devices.
async function devices() {
  if (role !== "student" || !$("#devices")) return;
  taking ??= import("./classdevices.js").then((d) => d.participation({ room, code, nonce, replace: (html) => tally({ html }) }));
  (await taking)();
}

function letGo() {
  const { view: whole, tally: count } = held;
  if (whole) view(whole);
  if (count) tally(count);
}
for (const left of ["pointerout", "pointerup", "pointercancel", "keyup"]) addEventListener(left, () => requestAnimationFrame(letGo));

// fit makes everything fit the projector's screen.
let fit = (_ifNeeded = false) => {};
if (role === "screen") {
  const { fitting, overflowing } = await import("./classfit.js");
  fit = (ifNeeded = false) => ifNeeded && !overflowing(room) || fitting(room);
  addEventListener("resize", () => fit());
}

// --- the picture of the answer ---

/** @type {Run | null} */
let player = null; // steps of the picture
let following = false; // the current step comes from the teacher

async function evidence() {
  const place = $("#evidence");
  if (!place) {
    player = null;
    return;
  }
  if (!place.dataset.state) {
    place.dataset.state = "asked";
    player = null;
    try {
      const [r, pictures] = await Promise.all([
        fetch(place.dataset.src, { headers: { "X-Page-Nonce": nonce } }),
        import("./classpicture.js"),
      ]);
      if (!r.ok) throw new Error((/** @type {ProblemDocument} */ (await r.json())).detail);
      const html = await r.text();
      if (!place.isConnected) return;
      place.innerHTML = html;
      player = pictures.activate(/** @type {HTMLElement} */ (place.firstElementChild), role === "screen", (step, end) => {
        if (role === "teacher" && !following) drive(`step:${end ? -1 : step}`);
      });
      fit();
      follow(Number(place.dataset.step));
      place.dataset.done = "";
    } catch (e) {
      delete place.dataset.state; // so that the next update tries again
      place.textContent = e.message;
      return;
    }
  }
  if (role !== "teacher") follow(Number(place.dataset.step)); // the teacher's page leads
}

/** @param {number} step */
function follow(step) {
  if (!player || player.step() === step) return;
  following = true;
  player.go(step < 0 ? Infinity : step);
  following = false;
}

// --- votes ---

const KEY = `litmuscope.class.${code}`;
const PATIENCE = 8000; // milliseconds to wait for the server to accept a vote
let sending = false;
let pause = 400;
/** @typedef {{ item: string | number, round: string | number, words?: string | null, mark?: string }} Said */
/** @type {Said | null} */
let said = null; // result of the last vote, { item, round, words }; without words, it was accepted
/** @type {number | null} */
let timer = null;

// A vote stays here until the server has it, since the page may be reloaded.
/** @type {Vote | null} */
let waiting = null;
/** @param {Vote | null} vote */
function keep(vote) {
  waiting = vote;
  try {
    if (vote) localStorage.setItem(KEY, JSON.stringify(vote));
    else localStorage.removeItem(KEY);
  } catch {
    // storage is off: the vote lasts as long as the page
  }
}
try {
  waiting = JSON.parse(localStorage.getItem(KEY) ?? "null");
} catch {
  // there is none
}

// Unsent edits and texts are stored until the question changes.
const DRAFT = `${KEY}.edits`;
/** @param {HTMLElement} form */
const edited = (form) => {
  const chosen = [...form.querySelectorAll("input[type=radio]:checked")].map((i) => /** @type {[number, string]} */ ([Number(i.name.split("-")[1]), i.value]));
  return chosen.sort((a, b) => a[0] - b[0]).map((c) => c[1]).join(" ");
};

/**
 * written returns the field for a written answer.
 * @param {HTMLElement} form
 */
const written = (form) => form.querySelector("[name=text]");

/**
 * entered returns the unsent content of a form as a vote.
 * @param {HTMLElement} form
 */
const entered = (form) => (form.matches(".text") ? { text: written(form).value } : { ballot: edited(form) });

function begun() {
  const form = $("#ballot:is(.edits, .text)[data-open]");
  if (!form) return;
  /** @type {Vote & Required<Pick<Vote, "text" | "ballot">> | null} */
  let kept = null;
  try {
    kept = JSON.parse(localStorage.getItem(DRAFT) ?? "null");
  } catch {
    // there is none
  }
  if (kept === null || !isHere(form, kept)) return;
  if (form.matches(".text")) {
    written(form).value = kept.text;
    if (kept.text !== form.dataset.text) untried(form);
    return;
  }
  if (kept.ballot === edited(form)) return;
  kept.ballot.split(" ").forEach((choice, n) => {
    const input = form.querySelector(`[name="place-${n}"][value="${CSS.escape(choice)}"]`);
    if (input) input.checked = true;
  });
  untried(form);
}

/** @param {HTMLElement} form */
function untried(form) {
  said = { item: form.dataset.item, round: form.dataset.round, words: form.matches(".text") ? "Not sent yet." : "Not tried yet.", mark: "" };
}

/**
 * draft stores the content of a form, or removes it.
 * @param {HTMLElement} form
 */
function draft(form, forget = false) {
  try {
    if (forget) localStorage.removeItem(DRAFT);
    else localStorage.setItem(DRAFT, JSON.stringify({ item: form.dataset.item, round: form.dataset.round, ...entered(form) }));
  } catch {
    // the page has it while it is open
  }
}

/**
 * isHere reports whether a vote belongs to the form's question.
 * @template {{ item?: string | number, round?: string | number }} V
 * @param {HTMLElement | null} form
 * @param {V | null} vote
 * @returns {vote is V}
 */
const isHere = (form, vote) => /** @type {boolean} */ (form && vote && form.dataset.item === String(vote.item) && form.dataset.round === String(vote.round));

// mine shows the state of the voter's own vote.
function mine() {
  const form = $("#ballot");
  const words = $("#mine");
  if (!form) return;
  const vote = isHere(form, waiting) ? waiting : null;
  const noun = form.matches(".text") ? "answer" : "vote";
  const ballot = (vote?.ballot ?? form.dataset.ballot).split(" ");
  for (const b of form.querySelectorAll("button.vote")) {
    const [part, choice] = b.value.split(":");
    b.setAttribute("aria-pressed", String(ballot[/** @type {number} */ (/** @type {unknown} */ (part))] === choice));
  }
  form.classList.toggle("sending", Boolean(vote));
  if (!words) return;
  const sent = form.classList.contains("edits") ? "Judging …" : "Sending …";
  if (vote) words.textContent = pause > 1000 ? `Not sent yet: no connection. This page will send your ${noun} later.` : sent;
  else if (isHere(form, said)) words.textContent = said.words ?? `Your ${noun} is in.${"open" in form.dataset ? " You can change it." : ""}`;
  if (vote) words.dataset.mark = "";
  else if (isHere(form, said)) words.dataset.mark = said.mark ?? "";
}

/**
 * cast sends a vote: a ballot or a text.
 * @param {HTMLElement} form
 * @param {{ ballot?: string, text?: string }} says
 */
function cast(form, says) {
  said = null;
  const last = Number(form.dataset.made ?? 0);
  keep({ item: Number(form.dataset.item), round: Number(form.dataset.round), ...says, made: Math.max(Date.now(), last + 1, (waiting?.made ?? 0) + 1) });
  pause = 400;
  mine();
  send();
}

async function send() {
  clearTimeout(/** @type {number} */ (timer));
  if (sending || !waiting) return;
  sending = true;
  const vote = waiting;
  let again = false;
  try {
    const r = await fetch(`/class/${code}/vote`, {
      method: "POST",
      body: new URLSearchParams(/** @type {Record<string, string>} */ (/** @type {unknown} */ (vote))),
      headers: { "X-Page-Nonce": nonce },
      signal: AbortSignal.timeout(PATIENCE),
    });
    /** @type {CastVote | null} */
    const taken = r.ok ? await r.json() : null;
    if (taken) {
      if (waiting === vote) keep(null);
      const form = $("#ballot");
      said = { ...taken, words: taken.tried?.text ?? null, mark: taken.tried?.mark };
      if (isHere(form, taken)) {
        form.dataset.ballot = taken.ballot;
        form.dataset.made = String(taken.made);
        form.dataset.text = taken.text ?? "";
        // Show the text as the server stored it, unless the voter has changed it.
        if (taken.text && written(form).value !== vote.text) untried(form);
        else if (taken.text) {
          written(form).value = taken.text;
          draft(form, true);
        }
      }
    } else if (r.status >= 500 || r.status === 429 || r.status === 408) {
      again = true;
    } else {
      if (waiting === vote) keep(null);
      const words = (/** @type {Partial<ProblemDocument>} */ (await r.json().catch(() => ({})))).detail ?? "The server did not accept the vote.";
      said = { ...vote, words: r.status === 409 ? "Your vote arrived after the vote was closed." : words };
    }
  } catch {
    again = true;
  }
  sending = false;
  if (again && waiting) {
    pause = Math.min(pause * 1.6, 4000);
    timer = setTimeout(send, pause * (0.75 + Math.random() / 2));
  } else {
    pause = 400;
    if (waiting) send(); // the vote has changed meanwhile
  }
  mine();
}

// --- driving ---

let driving = false;
/** @type {string[]} */
let next = [];
/** @param {string} what */
const hides = (what) => /^(un)?hide:/.test(what);

// drive sends the teacher's actions, one after the other. Of several steps only the last counts; of hidden answers,
// all.
/** @param {string} what */
async function drive(what) {
  next = [...next.filter((other) => hides(other) || hides(what)), what];
  if (driving) return;
  driving = true;
  for (let now; (now = next.shift()); ) {
    try {
      const r = await fetch(`${base}/do`, { method: "POST", body: new URLSearchParams({ do: now }), headers: { "X-Page-Nonce": nonce } });
      if (!r.ok) refused((/** @type {Required<ProblemDocument>} */ (await r.json())).detail);
    } catch {
      refused("Cannot reach the server. Press again later.");
    }
  }
  driving = false;
}

/**
 * refused shows why the server did not do what the teacher pressed.
 * @param {string} why
 */
function refused(why) {
  const place = $(".refused");
  if (!place) return;
  place.textContent = why;
  place.hidden = false;
}

// --- what is pressed ---

room.addEventListener("submit", (e) => {
  const form = e.target;
  if (form.id === "ballot") {
    e.preventDefault();
    if (form.matches(".edits, .text")) {
      cast(form, entered(form));
      return;
    }
    if (!e.submitter) return;
    const [part, choice] = e.submitter.value.split(":");
    const fieldsets = form.querySelectorAll("fieldset").length;
    const last = isHere(form, waiting) ? waiting.ballot : form.dataset.ballot;
    const ballot = last ? last.split(" ") : Array(fieldsets).fill("-");
    ballot[/** @type {number} */ (/** @type {unknown} */ (part))] = choice;
    cast(form, { ballot: ballot.join(" ") });
  } else if (form.action.endsWith("/do") && e.submitter) {
    e.preventDefault();
    drive(e.submitter.value);
  }
});

room.addEventListener("change", (e) => {
  const form = e.target.closest("#ballot.edits");
  if (!form) return;
  draft(form);
  untried(form);
  mine();
});

room.addEventListener("input", (e) => {
  const form = e.target.closest("#ballot.text");
  if (!form) return;
  draft(form);
  untried(form);
  if (written(form).value === form.dataset.text) /** @type {Said} */ (said).words = form.dataset.text ? null : "";
  mine();
});

// Enter sends a line. Not every phone names the key, so listen to the input.
room.addEventListener("beforeinput", (e) => {
  if (e.target.id !== "text" || e.inputType !== "insertLineBreak") return;
  e.preventDefault();
  e.target.closest("form").requestSubmit();
});

addEventListener("online", () => send());
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && send());

if (role === "screen") onScreen(code);
if (role === "teacher") byTeacher(code, room, drive);
begun();
mine();
counting(room);
evidence();
devices();
fit();
send();
stream(`${base}/${role === "screen" ? "screen/events" : "events"}`, {
  view,
  tally,
  end: view,
  lost: () => document.documentElement.classList.add("lost"),
  found: () => document.documentElement.classList.remove("lost"),
});
document.documentElement.classList.add("live");
