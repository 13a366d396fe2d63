// The explorer's page. The server renders everything; this sends the form, puts
// answer and picture in place, and ties editor, table and picture together.

import * as address from "./address.js";
import * as answer from "./answer.js";
import * as drafting from "./drafts.js";
import { mount } from "./editor.js";
import * as engines from "./engines.js";
import * as models from "./models.js";
import * as files from "./open.js";
import * as panes from "./panes.js";
import * as picker from "./picker.js";
import * as picture from "./picture.js";
import * as rerun from "./rerun.js";
import { nonce, send } from "./send.js";
import * as states from "./state.js";
import * as visiting from "./visits.js";
import * as waiting from "./waiting.js";
import * as welcome from "./welcome.js";

const form = document.getElementById("explore");
const result = document.getElementById("result");
const status = document.getElementById("status");
const note = document.getElementById("note");
const pickButton = document.getElementById("pick-name");

let running = null; // the AbortController of the run under way
let own = null; // the editor of models, once it is there
let owning = null; // … or is on its way
let asked = null; // the form as it was when the answer on show was asked for
let askedState = null; // … and the state
let answering = null; // the pick that answers the question
let fresh = true; // what is on show is going to be what the address is for

const say = (text) => {
  status.textContent = text;
};

const editor = mount(form.elements.source, nonce, {
  run: () => run(),
  change: changed,
  pasted: suitText,
  cell: (key) => pictures.lightCell(key),
  check,
});

const pictures = picture.mount(document.getElementById("picture"), {
  question: () => asked,
  columns: () => answers.columns(),
  apart: (a, b, state) => answers.apart(a, b, state),
  light: (keys) => editor.light(keys),
  goTo: (line, col) => editor.goTo(line, col),
  chosen: (pick) => answers.press(pick),
  lightModel: ({ file, from, to }) => own?.lightLines(file, from, to),
  changed: () => visits.changed(),
  say,
});

const answers = answer.mount(result, {
  question: () => asked,
  picture: (pick) => pictures.show(pick),
  beside: (column) => pictures.beside(column),
  remove: removeColumn,
  start: async (model) => (await ownModels()).start(model),
  goTo: (line, col) => editor.goTo(line, col),
});

const ownBox = form.querySelector(".own-models");
const bar = document.getElementById("drafts");
const again = rerun.asYouType({ toggle: document.getElementById("rerun"), run });
const answered = rerun.edited(
  () => JSON.stringify(state()),
  (edited) => form.classList.toggle("edited", edited),
);
const drafts = drafting.mount({
  get: state,
  set: restore,
  name: (s) => testName(s),
  bar,
});
const visits = visiting.mount({ state: onShow, open: openLink, pick: (id) => pick(id, false), fail: (e) => tell(e.message) });

// onShow is the question as it was asked and what is shown of the answer, as links have it;
// what is shown by itself goes without saying.
function onShow(all = false) {
  if (!askedState) return null;
  const view = pictures.state();
  const { pick } = view;
  const byItself = !all && pick?.column === answering?.column && pick?.state === answering?.state && !pick?.flag && !(pick?.n > 1);
  return { ...states.brief(form, askedState), view: address.brief({ ...view, pick: byItself ? null : pick }) };
}

// shared is what links are made of: what is on show, or what has been typed since.
function shared() {
  return answered.is() || !askedState ? { ...states.brief(form, state()), view: {} } : onShow(true);
}

// openLink puts what a link holds in place.
async function openLink(link) {
  const whole = states.whole(form, link);
  drafts.leaving();
  if (link.source !== editor.text()) {
    note.textContent = "";
    pickButton.textContent = testName(link);
    document.title = `${testName(link)} – litmuscope`;
  }
  pictures.forget();
  fresh = false;
  await restore(whole);
  document.documentElement.classList.remove("restoring");
  drafts.moved();
  pictures.restore(link.view);
  await run(link.view.pick);
}

const testName = (s) => /^\s*\w+\s+(\S+)/.exec(s.source)?.[1] ?? "a test";

// changed is called when the visitor changes anything.
function changed() {
  answered.changed();
  drafts.changed();
  again.changed();
}

// state is all of the question, as drafts keep it; restore puts one in place.
function state() {
  return { source: editor.text(), ...states.read(form), own: own ? own.state() : states.rows(ownBox) };
}

// … and gives a promise where an editor has to come first.
function restore(s) {
  engines.release(form);
  form.elements.arch.value = s.arch;
  models.offer(form, s.arch, s.models);
  for (const column of s.models) models.add(form, column);
  states.write(form, s);
  engines.fit(form);
  editor.setText(s.source);
  editor.speak(s.arch);
  let ready = null;
  if (own) own.restore(s.own);
  else if (s.own.length > 0 || states.rows(ownBox).length > 0) ready = ownModels().then((o) => o.restore(s.own));
  changed();
  return ready;
}

// ownModels fetches the editor of models when it is first wanted.
function ownModels() {
  ownBox.closest("details").open = true;
  owning ??= import("./cateditor.js").then(async (editing) => {
    own = await editing.mount(ownBox, {
      nonce,
      run: () => run(),
      change: changed,
      rename: (from, to) => models.rename(form, from, to),
      async check(list) {
        const body = new URLSearchParams();
        for (const m of list) {
          body.append("own-name", m.name);
          body.append("own-text", m.text);
          body.append("own-files", JSON.stringify(m.files));
        }
        return (await send("/check", body)).json();
      },
    });
    engines.fit(form);
    return own;
  });
  return owning;
}

// suitText ticks the models of a text that came from elsewhere, at once.
const suitText = (text) => check(text);

// open takes a file's text.
async function open({ kind, name, text }) {
  if (kind === "cat") {
    (await ownModels()).open({ name: name.replace(/\.cat$/, ""), text });
  } else {
    drafts.leaving();
    editor.setText(text);
    note.textContent = "";
    pickButton.textContent = name;
    await suitText(text);
  }
  await run();
}

// tell says something that is to be seen, too.
function tell(text) {
  const p = document.createElement("span");
  p.textContent = text;
  bar.replaceChildren(p);
  bar.hidden = false;
}

async function check(text) {
  try {
    const r = await send("/check", new URLSearchParams({ source: text }));
    const { errors, remarks, arch, models } = await r.json();
    if (text === editor.text()) {
      editor.speak(arch);
      if (arch) suit(arch, models);
      again.checked(errors.length);
    }
    return [...errors.map((e) => ({ ...e, severity: "error" })), ...remarks.map((m) => ({ ...m, severity: "info" }))];
  } catch {
    return []; // a run will say what is wrong
  }
}

/**
 * run asks the form's question.
 * @param {?object} wished what to show a picture of, rather than of what answers
 */
async function run(wished = null) {
  running?.abort();
  pictures.stop();
  const mine = (running = new AbortController());
  const question = new URLSearchParams(new FormData(form));
  const asking = state();
  const started = performance.now();
  let took = null;
  const wait = waiting.begin(result, {
    what: `${form.elements.engine.value} under ${question.getAll("model").length || 1} models`,
    cancel: () => mine.abort(),
  });
  try {
    const r = await send("/explore", question, mine.signal);
    const html = await r.text();
    if (mine !== running) return;
    asked = question;
    if (r.ok) took = performance.now() - started;
    askedState = asking;
    answered.ran(JSON.stringify(asking));
    show(html, wished);
  } catch (e) {
    if (running === mine && mine.signal.aborted) say("Cancelled. What is shown is of an earlier run.");
    if (!mine.signal.aborted) fail(e);
  } finally {
    wait.end();
    if (running === mine) {
      running = null;
      again.ran(took);
    }
  }
}

function show(html, wished) {
  const first = (answering = answers.show(html));
  editor.recheck();
  editor.setCells(answers.cells());
  say(result.querySelector("[data-summary]")?.dataset.summary ?? "");
  const pick = wished ?? about(first) ?? pictures.again(answers) ?? first;
  if (!pick) pictures.clear();
  Promise.resolve(!pick || pictures.show(pick)).then((done) => {
    if (fresh && done) visits.settled();
    fresh = false;
    visits.changed();
  });
}

// about is what a visitor came for from a suite, the first time: what the model in question
// says of the condition.
function about(first) {
  const model = form.dataset.about;
  delete form.dataset.about;
  return model && { column: model, state: first?.column === model ? first.state : "" };
}

function fail(error) {
  const p = document.createElement("p");
  p.className = "problem";
  p.textContent = error.message;
  answers.show("");
  result.replaceChildren(p);
  pictures.clear();
  say(p.textContent);
}

// suit ticks the models that go with a test of another architecture; else those that
// are ticked stay, as do those of a link, which says what it asks and not of which architecture.
function suit(arch, chosen) {
  const before = form.elements.arch.value;
  if (arch === before) return;
  form.elements.arch.value = arch;
  if (before === "") return models.arrange(form, arch);
  engines.release(form);
  models.offer(form, arch, chosen);
  engines.fit(form);
}

function addColumn(column) {
  models.add(form, column);
  run();
}

function removeColumn(column) {
  models.remove(form, column);
  run();
}

// pick puts a classic test in place.
async function pick(id, remember = true) {
  try {
    const r = await fetch(`/classic?test=${encodeURIComponent(id)}`);
    if (!r.ok) throw new Error(`There is no classic test ${id}.`);
    const test = await r.json();
    drafts.leaving();
    editor.setText(test.source);
    editor.speak(test.arch);
    suit(test.arch, test.models);
    note.textContent = test.note;
    pickButton.textContent = test.name;
    document.title = `${test.name} – litmuscope`;
    if (remember) history.pushState({ test: id }, "", `/?test=${encodeURIComponent(id)}`);
    visits.moved();
    drafts.moved();
    pictures.forget();
    fresh = true;
    await run();
  } catch (e) {
    fail(e);
  }
}

// mine are the tests that this browser keeps of its visitor, but for the one in the editor.
function mine() {
  const others = drafts.recent().filter((d) => d.state.source !== editor.text());
  return others.map((d) => ({
    name: d.name,
    note: `edited ${drafting.when(d.at)}`,
    take() {
      drafts.leaving();
      drafts.restore(d.key);
      run();
    },
  }));
}

// share opens the menu of links and copies, which is fetched when it is first wanted.
async function share() {
  shareButton.removeEventListener("click", share);
  const { mount } = await import("./share.js");
  mount(shareButton, {
    state: shared,
    fields: () => new URLSearchParams(new FormData(form)),
    name: () => testName(state()),
    say,
  }).open();
}

const shareButton = document.getElementById("share");
shareButton.addEventListener("click", share);

form.addEventListener("submit", (e) => {
  const { name, value } = e.submitter ?? {};
  if (name === "open") return; // elsewhere
  e.preventDefault();
  if (name === "cell") answers.choose(e.submitter);
  else if (name === "model") addColumn(value);
  else if (name === "to") answers.compile(value);
  else run();
});
form.addEventListener("change", (e) => {
  if (e.target.id === "rerun" || e.target.type === "file") return;
  drafts.changed();
  answered.changed();
  if (e.target.name === "engine") engines.fit(form);
  if (e.target.name === "model" || e.target.name === "engine") run();
});
form.addEventListener("keydown", (e) => {
  if (e.key === "Enter" && (e.ctrlKey || e.metaKey) && !e.defaultPrevented) run();
});
// Links within the page move the focus, and leave the address alone.
document.addEventListener("click", (e) => {
  const to = e.target.closest?.(".skip, .jump a")?.getAttribute("href");
  if (!to) return;
  e.preventDefault();
  const pane = document.querySelector(to);
  pane.focus();
  pane.scrollIntoView({ block: "start" });
});
picker.activate(document.getElementById("pick"), document.getElementById("picker"), {
  pick,
  arch: () => form.elements.arch.value,
  mine,
});
// Cards that say what a word means are fetched when somebody first comes to such a word.
let cards = null;
const onWord = (e) => {
  if (!e.target.closest?.("[data-term]")) return;
  if (e.type === "click") {
    if (e.pointerType !== "touch") return;
    e.preventDefault();
  }
  cards ??= import("./help.js").then((help) => {
    for (const type of wordEvents) document.removeEventListener(type, onWord);
    help.activate(document.body);
  });
  cards.then(() => e.target.dispatchEvent(new e.constructor(e.type, e)), () => (cards = null));
};
const wordEvents = ["pointerover", "focusin", "click"];
for (const type of wordEvents) document.addEventListener(type, onWord);
welcome.activate(document.getElementById("welcome"));
panes.activate(form);
engines.fit(form);
ownBox.closest("details").addEventListener("toggle", (e) => e.target.open && ownModels());
if (ownBox.closest("details").open) ownModels();
files.mount({ button: document.getElementById("open"), load: open, say: tell });
document.documentElement.classList.add("live");
editor.speak(form.elements.arch.value);
begin();

// begin asks the first question: of the address's fragment, or as the server has put it, but
// for what was typed here before.
async function begin() {
  const { test, view } = form.dataset;
  if (test && !history.state) history.replaceState({ test }, "");
  if (address.carries(location.hash) && (await visits.here())) {
    drafts.resume(performance.getEntriesByType("navigation")[0]?.type !== "navigate");
    return;
  }
  document.documentElement.classList.remove("restoring");
  const shown = view ? address.viewOf(JSON.parse(view)) : null;
  if (shown) pictures.restore(shown);
  if (drafts.resume()) fresh = false;
  run(shown?.pick);
}
