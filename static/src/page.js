// The explorer: a page whose text is a litmus test, and whose answer is a table of outcomes.

import { pathTo } from "./base.js";
import * as answer from "./answer.js";
import { mount } from "./bench.js";
import * as engines from "./engines.js";
import * as models from "./models.js";

const form = document.getElementById("explore");
const pickButton = document.getElementById("pick-name");

/** @param {{ source: string }} s */
const testName = (s) => /^\s*\w+\s+(\S+)/.exec(s.source)?.[1] ?? "a test";

// ownText describes a text that is not the server's.
/** @param {{ source: string }} s */
function ownText(s) {
  named(testName(s));
  bench.note.textContent = "";
}

// introduced puts the introduction away until the next visit.
const introduced = () => (document.documentElement.dataset.met = "");

// named sets the name of the text in the editor.
/** @param {string} name */
function named(name) {
  pickButton.textContent = name;
  document.title = `${name} – litmuscope`;
}

const bench = mount(form, {
  editor: {
    pasted(source) {
      introduced();
      ownText({ source });
      bench.describe(source);
      bench.check(source); // this ticks its models
    },
    cell: (key) => bench.pictures.lightCell(key),
  },
  pictures: {
    columns: () => answers.columns(),
    /**
     * @param {string} a
     * @param {string} b
     * @param {string} state
     */
    apart: (a, b, state) => answers.apart(a, b, state),
    light: (keys) => bench.editor.light(keys),
    goTo: (line, col) => bench.editor.goTo(line, col),
    chosen: (pick) => answers.press(pick),
    lightModel: ({ file, from, to }) => bench.own.light(file, from, to),
  },
  files: { load: open },
  name: testName,
  choose(s) {
    form.elements.arch.value = s.arch;
    models.offer(form, s.arch, s.models);
    for (const column of s.models) models.add(form, column);
  },
  restored(s) {
    bench.editor.speak(s.arch);
    if (s.source !== form.elements.source.defaultValue) ownText(s);
  },
  brief: (link) => link,
  whole: (state) => state,
  unnamed: ownText,
  checks: pathTo("/check"),
  checked({ arch, doc, models: chosen }) {
    if (doc !== undefined && bench.editor.text() !== form.elements.source.defaultValue) {
      named(testName({ source: bench.editor.text() }));
      bench.note.textContent = doc;
    }
    bench.editor.speak(arch);
    if (arch) suit(arch, /** @type {string[]} */ (chosen));
  },
  chose: (name) => (name === "model" || name === "engine") && bench.run(),
  examples: pathTo("/classic?test="),
  address: pathTo("/?test="),
  noExample: "There is no classic test",
  picked(/** @type {TestExample} */ test) {
    introduced();
    bench.editor.speak(test.arch);
    suit(test.arch, test.models);
    named(test.name);
  },
  show(html) {
    const first = answers.show(html);
    if (html) bench.editor.setCells(answers.cells());
    return first;
  },
  compile: (to) => answers.compile(to),
  pick(first, wished, last) {
    const pick = wished ?? about(first, last) ?? bench.pictures.again(answers) ?? first;
    if (!answers.columns().some((c) => c.column === pick?.column)) return last ? first : null;
    return last || pick !== first || first?.sure ? pick : null;
  },
});

const answers = answer.mount(bench.result, {
  question: bench.question,
  picture: (pick) => bench.pictures.goTo(pick),
  beside: (column) => bench.pictures.beside(column),
  remove(column) {
    models.remove(form, column);
    bench.run();
  },
  start: async (model) => (await bench.own.ready()).start(model),
  goTo: (line, col) => bench.editor.goTo(line, col),
});

// open puts a file's text in place.
async function open(/** @type {OpenedFile} */ { kind, name, text }) {
  if (kind !== "cat") {
    return bench.take(text, () => {
      pickButton.textContent = name;
      return bench.check(text);
    });
  }
  (await bench.own.ready()).open({ name: name.replace(/\.cat$/, ""), text });
  return bench.run();
}

// repair shows changes that forbid an outcome, below its picture.
/** @param {HTMLButtonElement} button */
async function repair(button) {
  const { repairs } = await import("./repairs.js");
  await repairs(/** @type {HTMLElement} */ (button.parentElement).querySelector(".mended"), button.value, bench.question(), {
    at: "/repair",
    what: "repair",
    take: (text) => bench.take(text, () => bench.check(text)),
  });
}

// about returns what a visitor from a suite wants to see first: the answer of the suite's model.
/**
 * @param {Picked | null} first
 * @param {boolean | undefined} last
 */
function about(first, last) {
  const model = form.dataset.about;
  if (last) delete form.dataset.about;
  return /** @type {Picked | undefined} */ (model && { column: model, state: first?.column === model ? first.state : "" });
}

// suit ticks the models for a test of another architecture. Otherwise the ticked models stay, as do those of a link.
/**
 * @param {string} arch
 * @param {string[]} chosen
 */
function suit(arch, chosen) {
  const before = form.elements.arch.value;
  if (arch === before) return;
  form.elements.arch.value = arch;
  import("./lastarch.js").then((m) => m.remember(arch));
  if (before === "") {
    engines.fit(form);
    return models.arrange(form, arch);
  }
  engines.release(form);
  models.offer(form, arch, chosen);
  engines.fit(form);
}

form.addEventListener("submit", (e) => {
  const { name, value = "" } = e.submitter ?? {};
  if (name === "open") return; // other pages: programs, versus
  e.preventDefault();
  if (name === "cell") answers.choose(/** @type {HTMLButtonElement} */ (e.submitter));
  else if (name === "to") answers.compile(value);
  else if (name === "repair") repair(/** @type {HTMLButtonElement} */ (e.submitter));
  else {
    if (name === "model") models.add(form, value);
    bench.run();
  }
});
addEventListener("load", () => setTimeout(async () => (await import("./welcome.js")).activate(document.getElementById("welcome"))));
bench.begin();
