// The page on C programs. The server renders everything; this sends the form, puts answer and
// execution in place, and ties the program's lines to the execution's events and steps.

import * as address from "./address.js";
import { cLanguage, setFailing, showing } from "./clanguage.js";
import * as drafting from "./drafts.js";
import { mount } from "./editor.js";
import * as engines from "./engines.js";
import * as execution from "./execution.js";
import * as help from "./help.js";
import * as files from "./open.js";
import * as panes from "./panes.js";
import * as picture from "./picture.js";
import * as rerun from "./rerun.js";
import { nonce, send } from "./send.js";
import * as states from "./state.js";
import * as visiting from "./visits.js";
import * as waiting from "./waiting.js";

const form = document.getElementById("verify");
const result = document.getElementById("result");
const pane = document.getElementById("picture");
const status = document.getElementById("status");
const note = document.getElementById("note");
const program = document.getElementById("program");
const bar = document.getElementById("drafts");
const usualProperty = "assertion";

let running = null; // the AbortController of the run under way
let asked = null; // the form as it was when the answer on show was asked for
let askedState = null; // … and the state
let first = null; // the model whose execution is shown by itself
let fresh = true; // what is on show is going to be what the address is for
let lines = {}; // of the statements in the picture, by "thread:statement"
let places = null; // the element that they are from

const nameOf = () => program.selectedOptions[0]?.textContent.trim() ?? "a program";

const ticked = (name) => [...form.querySelectorAll(`input[name=${name}]:checked`)].map((e) => e.value);

const say = (text) => {
  status.textContent = text;
};

const editor = mount(form.elements.source, nonce, {
  label: "C program",
  language: cLanguage,
  writing: async () => (await import("./cwriting.js")).extension(),
  run: () => run(),
  change: changed,
  pasted() {},
  cell: (line) => lightLine(line),
  check,
});

editor.speak("program");

// lightLine lights all that is done on a line of the program.
function lightLine(line) {
  const keys = Object.keys(lines).filter((key) => line !== null && String(lines[key]) === line);
  for (const box of pane.querySelectorAll(".picture")) execution.lightCell(box, keys);
}

const pictures = picture.mount(pane, {
  at: "/verify",
  still: true,
  question: () => asked,
  columns: () => [],
  light: (keys) => editor.light(new Set([...keys].map((key) => String(lines[key])))),
  chosen: ({ column }) => {
    for (const b of result.querySelectorAll("button.show")) b.setAttribute("aria-pressed", String(b.value === column));
  },
  changed() {
    place();
    visits.changed();
  },
  say,
});

// place ties the picture that has come to the lines of the program.
function place() {
  const now = pane.querySelector("#places");
  if (now === places) return;
  places = now;
  const { lines: of = {}, cells = [], fails = [] } = now ? JSON.parse(now.textContent) : {};
  lines = of;
  editor.setCells(cells);
  editor.view.dispatch({ effects: setFailing.of(fails) });
  if (!editor.view.hasFocus && fails.length > 0) showing(editor.view, fails[0]);
}

const answered = rerun.edited(
  () => JSON.stringify(state()),
  (edited) => form.classList.toggle("edited", edited),
);
const drafts = drafting.mount({
  get: state,
  set: restore,
  name: nameOf,
  bar,
});
const visits = visiting.mount({ state: onShow, open: openLink, pick: (id) => pick(id, false), fail: (e) => tell(e.message) });

// state is all that is asked, as drafts keep it; restore puts one in place.
function state() {
  return { source: editor.text(), ...states.read(form), own: [], properties: ticked("property") };
}

function restore(s) {
  engines.release(form);
  for (const e of form.querySelectorAll("input[name=model]")) e.checked = s.models.includes(e.value);
  for (const e of form.querySelectorAll("input[name=property]")) e.checked = s.properties.includes(e.value);
  states.write(form, s);
  engines.fit(form);
  editor.setText(s.source);
  changed();
}

// brief is a state as links have it.
function brief(s) {
  const out = states.brief(form, s);
  const property = s.properties.join("+");
  if (property !== usualProperty) out.options = { ...out.options, property };
  return out;
}

function onShow(all = false) {
  if (!askedState) return null;
  const view = pictures.state();
  const byItself = !all && view.pick?.column === first;
  return { ...brief(askedState), view: address.brief({ ...view, pick: byItself ? null : view.pick }) };
}

function shared() {
  return answered.is() || !askedState ? { ...brief(state()), view: {} } : onShow(true);
}

// openLink puts what a link holds in place.
async function openLink(link) {
  const { property = usualProperty } = link.options;
  const whole = { ...states.whole(form, link), properties: property.split("+") };
  drafts.leaving();
  if (link.source !== editor.text()) ownText();
  pictures.forget();
  fresh = false;
  restore(whole);
  document.documentElement.classList.remove("restoring");
  drafts.moved();
  pictures.restore(link.view);
  await run(link.view.pick?.column);
}

// ownText says that the text is none of the examples.
function ownText(name = "Your own") {
  note.textContent = "";
  const own = program.querySelector('option[value=""]') ?? new Option("", "");
  own.textContent = name;
  program.prepend(own);
  program.value = "";
}

function changed() {
  answered.changed();
  drafts.changed();
}

function tell(text) {
  const p = document.createElement("span");
  p.textContent = text;
  bar.replaceChildren(p);
  bar.hidden = false;
}

async function check(text) {
  try {
    const body = new URLSearchParams(new FormData(form));
    body.set("source", text);
    const { errors, remarks } = await (await send("/verify/check", body)).json();
    return [...errors.map((e) => ({ ...e, severity: "error" })), ...remarks.map((m) => ({ ...m, severity: "info" }))];
  } catch {
    return []; // a run will say what is wrong
  }
}

/**
 * run asks the form's question.
 * @param {string} [model] whose execution to show, rather than the first that fails
 */
async function run(model = "") {
  running?.abort();
  pictures.stop();
  const mine = (running = new AbortController());
  const question = new URLSearchParams(new FormData(form));
  question.delete("program");
  const asking = state();
  const wait = waiting.begin(result, {
    what: `${form.elements.engine.value} under ${question.getAll("model").length || "the usual"} models`,
    cancel: () => mine.abort(),
  });
  try {
    const r = await send("/verify", question, mine.signal);
    const html = await r.text();
    if (mine !== running) return;
    [asked, askedState] = [question, asking];
    answered.ran(JSON.stringify(asking));
    show(html, model);
  } catch (e) {
    if (running === mine && mine.signal.aborted) say("Cancelled. What is shown is of an earlier run.");
    if (!mine.signal.aborted) fail(e);
  } finally {
    wait.end();
    if (running === mine) running = null;
  }
}

function show(html, model) {
  result.innerHTML = html;
  editor.recheck();
  const answer = result.querySelector("[data-summary]");
  say(answer?.dataset.summary ?? "");
  const failing = [...result.querySelectorAll("button.show")].map((b) => b.value);
  first = answer?.dataset.first || null;
  const column = [model, pictures.state().pick?.column, first].find((m) => failing.includes(m));
  if (!column) {
    pictures.clear();
    place();
  }
  Promise.resolve(!column || pictures.show({ column, state: "" }, false)).then((done) => {
    if (fresh && done) visits.settled();
    fresh = false;
    visits.changed();
  });
}

function fail(error) {
  const p = document.createElement("p");
  p.className = "problem";
  p.textContent = error.message;
  result.replaceChildren(p);
  pictures.clear();
  place();
  say(p.textContent);
}

// raise takes a bound up, as a button of the answer says: "unroll=4".
function raise(text) {
  const [name, value] = text.split("=");
  form.elements[`option-${name}`].value = value;
  changed();
  run();
}

// pick puts an example in place.
async function pick(id, remember = true) {
  try {
    const r = await fetch(`/verify/program?program=${encodeURIComponent(id)}`);
    if (!r.ok) throw new Error(`There is no program ${id}.`);
    const example = await r.json();
    drafts.leaving();
    editor.setText(example.source);
    engines.release(form);
    for (const e of form.querySelectorAll("input[name=model]")) e.checked = example.models.includes(e.value);
    form.elements["option-defines"].value = example.defines.join(" ");
    const rounds = form.elements["option-unroll"];
    rounds.value = example.unroll ?? rounds.closest("[data-default]").dataset.default;
    engines.fit(form);
    note.textContent = example.note;
    program.value = example.id;
    program.querySelector('option[value=""]')?.remove();
    if (remember) history.pushState({ test: id }, "", `/verify?program=${encodeURIComponent(id)}`);
    visits.moved();
    drafts.moved();
    pictures.forget();
    fresh = true;
    await run();
  } catch (e) {
    fail(e);
  }
}

// share opens the menu of links and copies, which is fetched when it is first wanted.
async function share() {
  shareButton.removeEventListener("click", share);
  const { mount, programs } = await import("./share.js");
  mount(shareButton, { kinds: programs, path: "/verify", state: shared, fields: () => new URLSearchParams(new FormData(form)), name: nameOf, say }).open();
}

const shareButton = document.getElementById("share");
shareButton.addEventListener("click", share);

form.addEventListener("submit", (e) => {
  e.preventDefault();
  const { name, value } = e.submitter ?? {};
  if (name === "show") pictures.show({ column: value, state: "" });
  else if (name === "raise") raise(value);
  else run();
});
form.addEventListener("change", (e) => {
  if (e.target.type === "file") return;
  if (e.target === program) {
    if (program.value) pick(program.value);
    return;
  }
  changed();
  if (e.target.name === "engine") engines.fit(form);
  if (/^option-(defines|entry)$/.test(e.target.name)) editor.recheck();
});
form.addEventListener("keydown", (e) => {
  if (e.key === "Enter" && (e.ctrlKey || e.metaKey) && !e.defaultPrevented) run();
});
result.addEventListener("click", (e) => {
  const at = e.target.closest("[data-line]");
  if (!at) return;
  e.preventDefault();
  editor.goTo(Number(at.dataset.line), Number(at.dataset.col));
});
document.addEventListener("click", (e) => {
  const to = e.target.closest?.(".jump a")?.getAttribute("href");
  if (!to) return;
  e.preventDefault();
  const there = document.querySelector(to);
  there.focus();
  there.scrollIntoView({ block: "start" });
});
help.activate(document.body);
panes.activate(form);
engines.fit(form);
files.mount({
  button: document.getElementById("open"),
  kinds: { c: "program", h: "program", i: "program", txt: "program" },
  what: "C program (.c)",
  async load({ name, text }) {
    drafts.leaving();
    editor.setText(text);
    ownText(name);
    await run();
  },
  say: tell,
});
document.documentElement.classList.add("live");
begin();

// begin asks the first question: of the address's fragment, or as the server has put it, but
// for what was typed here before.
async function begin() {
  const { program: id, view } = form.dataset;
  if (id && !history.state) history.replaceState({ test: id }, "");
  if (address.carries(location.hash) && (await visits.here())) {
    drafts.resume(performance.getEntriesByType("navigation")[0]?.type !== "navigate");
    return;
  }
  document.documentElement.classList.remove("restoring");
  const shown = view ? address.viewOf(JSON.parse(view)) : null;
  if (shown) pictures.restore(shown);
  if (drafts.resume()) fresh = false;
  run(shown?.pick?.column);
}
