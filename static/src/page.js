// The explorer's page. The server renders everything; this sends the form,
// puts the answer in place, and ties editor, table and drawing together.

import { mount } from "./editor.js";
import * as engines from "./engines.js";
import * as execution from "./execution.js";
import * as models from "./models.js";
import * as picker from "./picker.js";

const form = document.getElementById("explore");
const result = document.getElementById("result");
const status = document.getElementById("status");
const note = document.getElementById("note");
const pickButton = document.getElementById("pick-name");

// The permission for styles in what the server sends; see send.
const nonce = document.querySelector("meta[name=style-nonce]").content;

let running = null; // the AbortController of the run under way
let drawing = null; // … and of the drawing
let asked = null; // the form as it was when the answer on show was asked for

const box = () => document.getElementById("execution");

const editor = mount(form.elements.source, nonce, {
  run: () => form.requestSubmit(document.getElementById("run")),
  change: () => form.classList.add("edited"),
  cell: (key) => execution.lightCell(box(), key),
  check,
});

// send posts the form, or other fields, and gives the text of the answer. Answers
// to wrong questions (4xx) are pages to show as well; what went wrong on the way
// is not.
async function send(url, body, signal) {
  const r = await fetch(url, { method: "POST", body, signal, headers: { "X-Page-Nonce": nonce } });
  const type = r.headers.get("Content-Type") ?? "";
  if (!r.ok && !type.startsWith("text/html")) {
    const problem = type.includes("json") ? await r.json() : {};
    throw new Error(problem.detail ?? `The server answered ${r.status}.`);
  }
  return r;
}

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

async function run() {
  running?.abort();
  drawing?.abort();
  const mine = (running = new AbortController());
  result.setAttribute("aria-busy", "true");
  say("Running …");
  try {
    const question = new URLSearchParams(new FormData(form));
    const r = await send("/explore", question, mine.signal);
    const html = await r.text();
    asked = question;
    show(html);
  } catch (e) {
    if (mine.signal.aborted) return;
    fail(e);
  } finally {
    if (running === mine) {
      running = null;
      result.removeAttribute("aria-busy");
    }
  }
}

function show(html) {
  result.innerHTML = html;
  form.classList.remove("edited");
  editor.recheck();
  say(result.querySelector("[data-summary]")?.dataset.summary ?? "");
  const cells = document.getElementById("cells-data");
  editor.setCells(cells ? JSON.parse(cells.textContent) : []);
  const drawn = result.querySelector("button[data-outcome][aria-pressed=true]");
  const wished = about() ?? drawn;
  if (box()) execution.activate(box(), editor.light);
  if (wished && (wished !== drawn || box().dataset.later !== undefined)) draw(wished, false);
}

// about is the button of what a visitor came for from a suite, the first time: what the
// model in question says of the condition.
function about() {
  const model = form.dataset.about;
  delete form.dataset.about;
  if (!model) return null;
  const outcomes = JSON.parse(document.getElementById("outcomes-data")?.textContent ?? "[]") ?? [];
  return [...result.querySelectorAll("tr.asked button")].find(
    (b) => b.dataset.why === model || outcomes[b.dataset.outcome]?.model === model,
  );
}

function fail(error) {
  const p = document.createElement("p");
  p.className = "problem";
  p.textContent = error.message || "The server cannot be reached.";
  result.replaceChildren(p);
  say(p.textContent);
}

function say(text) {
  status.textContent = text;
}

// outcome is what the page keeps of the allowed outcome in a cell.
function outcome(button) {
  return JSON.parse(document.getElementById("outcomes-data").textContent)[button.dataset.outcome];
}

// evidence asks for what is behind a button: the execution of an allowed outcome, a run
// to it, or why one is forbidden.
function evidence(button, signal) {
  const { why, step } = button.dataset;
  if (!why && !step) {
    return send("/draw", new URLSearchParams({ outcome: JSON.stringify(outcome(button)) }), signal);
  }
  const body = new URLSearchParams(asked);
  body.set("about", why ?? step);
  body.set("state", button.closest("[data-state]")?.dataset.state ?? "");
  return send(why ? "/explain" : "/step", body, signal);
}

// draw shows what is behind a button, and says so when it was the visitor's wish.
async function draw(button, wished = true) {
  drawing?.abort();
  const mine = (drawing = new AbortController());
  if (!button.dataset.step) {
    for (const b of result.querySelectorAll("button[aria-pressed]")) b.setAttribute("aria-pressed", String(b === button));
  }
  const shown = [...(box()?.querySelectorAll("input[data-relation]") ?? [])];
  try {
    const r = await evidence(button, mine.signal);
    const html = await r.text();
    box()?.remove();
    result.insertAdjacentHTML("beforeend", html);
    // What was switched on or off stays so from one execution to the next.
    for (const old of shown) {
      const now = box().querySelector(`input[data-relation="${CSS.escape(old.dataset.relation)}"]`);
      if (now && old.dataset.touched) {
        now.checked = old.checked;
        now.dataset.touched = "1";
      }
    }
    execution.activate(box(), editor.light);
    if (!wished) return;
    if (button.dataset.step) begin();
    say(box().getAttribute("aria-label"));
    if (box().getBoundingClientRect().top > innerHeight * 0.8) box().scrollIntoView({ block: "nearest" });
  } catch (e) {
    if (!mine.signal.aborted) say(e.message);
  }
}

// begin puts a run to its start, where arrow keys take it on.
function begin() {
  box().querySelector("[data-go=start]")?.click();
  box().querySelector(".player")?.focus();
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
  if (e.submitter?.id === "link") permalink();
  else run();
});
form.addEventListener("change", (e) => {
  if (e.target.name === "engine") engines.fit(form);
  if (e.target.name === "model" || e.target.name === "engine") run();
});
form.addEventListener("keydown", (e) => {
  if (e.key === "Enter" && (e.ctrlKey || e.metaKey) && !e.defaultPrevented) run();
});
result.addEventListener("click", (e) => {
  const button = e.target.closest("button[data-outcome], button[data-why], button[data-step]");
  if (button) draw(button);
  const place = e.target.closest("[data-line]");
  if (place) {
    e.preventDefault();
    editor.goTo(Number(place.dataset.line), Number(place.dataset.col));
  }
});
result.addEventListener("change", (e) => {
  if (e.target.dataset.relation) e.target.dataset.touched = "1";
});
addEventListener("popstate", () => location.reload());

picker.activate(document.getElementById("picker"), pick);
engines.fit(form);
document.documentElement.classList.add("live");
run();
