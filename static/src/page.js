// The explorer's page. The server renders everything; this sends the form, puts
// answer and picture in place, and ties editor, table and picture together.

import * as answer from "./answer.js";
import { mount } from "./editor.js";
import * as engines from "./engines.js";
import * as models from "./models.js";
import * as panes from "./panes.js";
import * as picker from "./picker.js";
import * as picture from "./picture.js";
import { nonce, send } from "./send.js";
import * as waiting from "./waiting.js";

const form = document.getElementById("explore");
const result = document.getElementById("result");
const status = document.getElementById("status");
const note = document.getElementById("note");
const pickButton = document.getElementById("pick-name");

let running = null; // the AbortController of the run under way
let asked = null; // the form as it was when the answer on show was asked for

const say = (text) => {
  status.textContent = text;
};

const editor = mount(form.elements.source, nonce, {
  run: () => run(),
  change: () => form.classList.add("edited"),
  cell: (key) => pictures.lightCell(key),
  check,
});

const pictures = picture.mount(document.getElementById("picture"), {
  question: () => asked,
  columns: () => answers.columns(),
  light: (keys) => editor.light(keys),
  goTo: (line, col) => editor.goTo(line, col),
  chosen: (pick) => answers.press(pick),
  say,
});

const answers = answer.mount(result, {
  question: () => asked,
  picture: (pick) => pictures.show(pick),
  beside: (column) => pictures.beside(column),
  add: addColumn,
  remove: removeColumn,
  goTo: (line, col) => editor.goTo(line, col),
});

async function check(text) {
  try {
    const r = await send("/check", new URLSearchParams({ source: text }));
    const { errors, remarks, arch, models } = await r.json();
    if (arch && text === editor.text()) suit(arch, models);
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
  const wait = waiting.begin(result, {
    what: `${form.elements.engine.value} under ${question.getAll("model").length || 1} models`,
    cancel: () => mine.abort(),
  });
  try {
    const r = await send("/explore", question, mine.signal);
    const html = await r.text();
    asked = question;
    form.classList.remove("edited");
    show(html, wished);
  } catch (e) {
    if (running === mine && mine.signal.aborted) say("Cancelled. What is shown is of an earlier run.");
    if (!mine.signal.aborted) fail(e);
  } finally {
    wait.end();
    if (running === mine) running = null;
  }
}

function show(html, wished) {
  const first = answers.show(html);
  editor.recheck();
  editor.setCells(answers.cells());
  say(result.querySelector("[data-summary]")?.dataset.summary ?? "");
  const pick = wished ?? about(first) ?? pictures.again(answers) ?? first;
  if (pick) pictures.show(pick);
  else pictures.clear();
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
// are ticked stay.
function suit(arch, chosen) {
  if (arch === form.elements.arch.value) return;
  form.elements.arch.value = arch;
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
    editor.setText(test.source);
    suit(test.arch, test.models);
    note.textContent = test.note;
    pickButton.textContent = test.name;
    document.title = `${test.name} – litmuscope`;
    if (remember) history.pushState({ test: id }, "", `/?test=${encodeURIComponent(id)}`);
    pictures.forget();
    await run();
  } catch (e) {
    fail(e);
  }
}

async function permalink() {
  const place = document.getElementById("permalink");
  try {
    const r = await send("/links", new URLSearchParams(new FormData(form)));
    const { url } = await r.json();
    const a = document.createElement("a");
    a.href = url;
    a.textContent = location.host + url;
    place.replaceChildren(a);
    history.replaceState(history.state, "", url);
    try {
      await navigator.clipboard.writeText(a.href);
      say("Permalink copied.");
      place.append(" (copied)");
    } catch {
      say("Permalink ready."); // no clipboard; the link is there to be copied
    }
  } catch (e) {
    place.textContent = e.message;
  }
}

form.addEventListener("submit", (e) => {
  e.preventDefault();
  const { id, name, value } = e.submitter ?? {};
  if (id === "link") permalink();
  else if (name === "cell") answers.choose(e.submitter);
  else if (name === "model") addColumn(value);
  else run();
});
form.addEventListener("change", (e) => {
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
addEventListener("popstate", () => location.reload());

picker.activate(document.getElementById("picker"), pick);
panes.activate(form);
engines.fit(form);
document.documentElement.classList.add("live");
run();
