// The page on C programs: a bench whose text is a program, and whose answer says whether it can fail.
// It ties the program's lines to the execution's events and steps.

import { mount } from "./bench.js";
import { cLanguage, setFailing, showing } from "./clanguage.js";
import * as engines from "./engines.js";
import * as execution from "./execution.js";
import * as help from "./help.js";
import * as stepping from "./stepping.js";

const form = document.getElementById("verify");
const pane = document.getElementById("picture");
const program = document.getElementById("program");
const usualProperty = "assertion";

let lines = {}; // where the statements in the picture are, by "thread:statement"
let places = null; // the element that they are from
let stepper = null; // once the editor is there

const ticked = (name) => [...form.querySelectorAll(`input[name=${name}]:checked`)].map((e) => e.value);

const tick = (name, values) => {
  for (const e of form.querySelectorAll(`input[name=${name}]`)) e.checked = values.includes(e.value);
};

const showButtons = () => [...bench.result.querySelectorAll("button.show")];

const bench = mount(form, {
  editor: {
    label: "C program",
    language: (known) => [cLanguage(known), stepping.standingGutter],
    writing: async () => (await import("./cwriting.js")).extension(),
    pasted() {},
    cell: (line) => lightLine(line),
  },
  pictures: {
    at: "/programs",
    still: true,
    columns: () => [],
    light: (keys) => bench.editor.light(new Set([...keys].map((key) => lineOf(lines[key])))),
    steps: (run) => stepper.steps(run),
    stepped: (state) => stepper.stepped(state),
    chosen({ column }) {
      for (const b of showButtons()) b.setAttribute("aria-pressed", String(b.value === column));
    },
  },
  files: {
    kinds: { c: "program", h: "program", i: "program", txt: "program" },
    what: "no C program (.c)",
    load: ({ name, text }) => bench.take(text, () => ownText(name)),
  },
  name: () => program.selectedOptions[0]?.textContent.trim() ?? "a program",
  state: () => ({ own: [], properties: ticked("property") }),
  choose(s) {
    tick("model", s.models);
    tick("property", s.properties);
  },
  brief(link, { properties }) {
    const property = properties.join("+");
    return property === usualProperty ? link : { ...link, options: { ...link.options, property } };
  },
  whole: (state, { options: { property = usualProperty } }) => ({ ...state, properties: property.split("+") }),
  unnamed: () => ownText(),
  checks: "/programs/check",
  checkAll: true,
  examples: "/programs/program?program=",
  address: "/programs?program=",
  noExample: "There is no program",
  picked(example) {
    engines.release(form);
    tick("model", example.models);
    form.elements["option-defines"].value = example.defines.join(" ");
    const rounds = form.elements["option-unroll"];
    rounds.value = example.unroll ?? rounds.closest("[data-default]").dataset.default;
    engines.fit(form);
    program.value = example.id;
    program.querySelector('option[value=""]')?.remove();
  },
  show(html) {
    bench.result.innerHTML = html;
    const column = bench.result.querySelector("[data-summary]")?.dataset.first;
    return column ? { column, state: "" } : null;
  },
  pick(first, wished, last) {
    const failing = showButtons().map((b) => b.value);
    const column = [wished, bench.pictures.state().pick, first].map((p) => p?.column).find((c) => failing.includes(c)) ?? (last && failing[0]);
    return column ? { column, state: "" } : null;
  },
  wishes: false,
  placed: place,
});

// lineOf names a line of the file in the editor; "" for those of others.
const lineOf = (place) => (place?.file === file() ? String(place.line) : "");
const file = () => form.dataset.file;

// lightLine lights all that is done on a line of the program.
function lightLine(line) {
  const keys = Object.keys(lines).filter((key) => line !== null && lineOf(lines[key]) === line);
  for (const box of pane.querySelectorAll(".picture")) execution.lightCell(box, keys);
}

// place ties the picture that has come to the lines of the program.
function place() {
  const now = pane.querySelector("#places");
  if (now === places) return;
  places = now;
  const all = now ? JSON.parse(now.textContent) : null;
  lines = all?.lines ?? {};
  const fails = (all?.fails ?? []).map(lineOf).filter(Boolean).map(Number);
  const { editor } = bench;
  editor.setCells(cells(editor.view.state.doc));
  editor.view.dispatch({ effects: setFailing.of(fails) });
  if (!now) stepper.steps(null);
  stepper.place(all);
  if (!editor.view.hasFocus && fails.length > 0) showing(editor.view, fails[0]);
}

// cells are the lines of the text with something in the picture.
function cells(doc) {
  const numbers = [...new Set(Object.values(lines).map(lineOf))].map(Number).filter((n) => n >= 1 && n <= doc.lines);
  return numbers.map((line) => {
    const { text } = doc.line(line);
    const col = /^\s*/.exec(text)[0].length;
    return { key: String(line), line, col, length: text.trimEnd().length - col };
  });
}

// ownText says that the text is none of the examples.
function ownText(name = "Your own") {
  const own = program.querySelector('option[value=""]') ?? new Option("", "");
  own.textContent = name;
  program.prepend(own);
  program.value = "";
}

// raise takes a bound up, as a button of the answer says: "unroll=4".
function raise(text) {
  const [name, value] = text.split("=");
  form.elements[`option-${name}`].value = value;
  bench.changed();
  bench.run();
}

form.addEventListener("submit", (e) => {
  e.preventDefault();
  const { name, value } = e.submitter ?? {};
  if (name === "show") bench.pictures.show({ column: value, state: "" });
  else if (name === "raise") raise(value);
  else bench.run();
});
form.addEventListener("change", (e) => {
  if (e.target.id === "rerun" || e.target.type === "file") return;
  if (e.target.id === program.id) {
    if (program.value) bench.pick(program.value);
    return;
  }
  bench.changed();
  if (e.target.name === "engine") engines.fit(form);
  if (/^option-(defines|entry)$/.test(e.target.name)) bench.editor.recheck();
});
bench.result.addEventListener("click", (e) => {
  const at = e.target.closest("[data-line]");
  if (!at) return;
  e.preventDefault();
  bench.editor.goTo(Number(at.dataset.line), Number(at.dataset.col));
});
stepper = stepping.mount(bench.editor.view, { file, open() {} });
help.activate(document.body);
bench.begin();
