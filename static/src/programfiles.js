// The files of a program: one in the editor, and a tab for each if there are several. The form has the first file as
// its text and the others in further fields.

import { history, historyField } from "@codemirror/commands";
import { Compartment } from "@codemirror/state";

const past = new Compartment();

/** undoing is the editor's memory of edits, which each file has one of. */
export const undoing = past.of(history());

/** usual is what a program is called that nobody has called anything else. */
export const usual = "program.c";

// The server gives a program that nobody has named the ending of its language.
const isUsual = (/** @type {string} */ name) => /^program\.(c|cpp|rs|ll)$/.test(name);

/**
 * @param {string} a
 * @param {string} b
 */
const isSame = (a, b) => a === b || (isUsual(a) && isUsual(b));

/**
 * changed are files, some of which are others now.
 * @param {{name: string, text: string}[]} files
 * @param {{name: string, text: string}[]} others
 */
export const changed = (files, others) => files.map((f) => others.find((o) => isSame(o.name, f.name)) ?? f);

/**
 * asking is a question about a program of which some files are others.
 * @param {URLSearchParams} asked
 * @param {{name: string, text: string}[]} others
 */
export function asking(asked, others) {
  const question = new URLSearchParams(asked);
  const names = [question.get("file") ?? usual, ...question.getAll("file-name")];
  const texts = [question.get("source") ?? "", ...question.getAll("file-text")];
  const [first, ...rest] = changed(names.map((name, i) => ({ name, text: texts[i] })), others);
  question.set("source", first.text);
  question.delete("file-text");
  for (const { text } of rest) question.append("file-text", text);
  return question;
}

const isUnit = (/** @type {SourceFile} */ { name }) => /\.([ci]|cpp|cc|cxx|rs|ll)$/.test(name);

/**
 * mount takes care of them.
 * @param {HTMLFormElement} form
 * @param {{editor: () => Editor, shown: () => unknown, changed: () => unknown, renamed: () => unknown}} on what the page has and wants to know:
 *   editor(): the editor, once it is there; shown(): another file is in it; changed(): there are other files; renamed(): one has another name
 */
export function mount(form, on) {
  let at = 0; // index of the file in the editor
  /** @param {string} name */
  const value = (name) => [...form.querySelectorAll(`[name=${name}]`)].map((e) => e.value);
  const texts = value("file-text");
  /** @type {(SourceFile & { past?: unknown })[]} */
  let list = [{ name: form.elements.file.value, text: "" }, ...value("file-name").map((name, i) => ({ name, text: texts[i] }))];
  for (const e of form.querySelectorAll("[name^=file-]")) e.remove();

  const bar = document.createElement("div");
  bar.className = "files";
  const tabs = document.createElement("div");
  tabs.setAttribute("role", "tablist");
  tabs.setAttribute("aria-label", "Files of the program");
  const remove = document.createElement("button");
  remove.type = "button";
  remove.className = "quiet";
  remove.textContent = "Remove";
  const rename = document.createElement("button");
  rename.type = "button";
  rename.className = "quiet";
  rename.textContent = "Rename";
  const called = document.createElement("input");
  called.hidden = true;
  called.autocomplete = "off";
  called.spellcheck = false;
  bar.append(tabs, called, rename, remove);
  form.elements.source.before(bar);

  // all returns the files with the current text of the editor.
  const all = () => list.map((f, i) => (i === at ? { name: f.name, text: on.editor()?.text() ?? form.elements.source.value } : f));

  form.addEventListener("formdata", ({ formData }) => {
    const [first, ...others] = all();
    formData.set("source", first.text);
    formData.set("file", first.name);
    for (const { name, text } of others) {
      formData.append("file-name", name);
      formData.append("file-text", text);
    }
  });

  function draw() {
    bar.hidden = list.length < 2;
    remove.title = `Remove ${list[at].name} from the program`;
    rename.title = `Rename ${list[at].name} (F2)`;
    called.hidden = true;
    tabs.replaceChildren(
      ...list.map(({ name }, i) => {
        const b = document.createElement("button");
        b.type = "button";
        b.textContent = name;
        b.setAttribute("role", "tab");
        b.setAttribute("aria-selected", String(i === at));
        b.tabIndex = i === at ? 0 : -1;
        b.addEventListener("click", () => show(name));
        return b;
      }),
    );
  }

  // Other files include a file by its name.
  function ask() {
    called.value = list[at].name;
    called.setAttribute("aria-label", `New name of ${list[at].name}`);
    called.setCustomValidity("");
    called.hidden = false;
    called.focus();
    const ext = called.value.lastIndexOf(".");
    called.setSelectionRange(0, ext > 0 ? ext : called.value.length);
  }

  function answered(asked = false) {
    if (called.hidden) return;
    let name = called.value.trim();
    const taken = list.some((f, i) => f.name === name && i !== at);
    called.setCustomValidity(taken ? `Another file has the name ${name}.` : name ? "" : "A file needs a name.");
    if (asked && !called.reportValidity()) return;
    if (taken || !name) name = list[at].name;
    const other = name !== list[at].name;
    list[at].name = name;
    draw();
    if (other) on.renamed();
  }

  rename.addEventListener("click", ask);
  called.addEventListener("input", () => called.setCustomValidity(""));
  called.addEventListener("change", (e) => e.stopPropagation()); // the field is not part of the form
  called.addEventListener("blur", () => answered());
  called.addEventListener("keydown", (e) => {
    if (e.key !== "Enter" && e.key !== "Escape") return;
    e.preventDefault();
    e.stopPropagation();
    if (e.key === "Escape") called.value = list[at].name;
    answered(true);
    if (called.hidden) /** @type {HTMLElement} */ (tabs.children[at]).focus();
  });

  tabs.addEventListener("dblclick", ask);
  tabs.addEventListener("keydown", (e) => {
    if (e.key === "F2") ask();
    const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
    if (!by) return;
    e.preventDefault();
    show(list[(at + by + list.length) % list.length].name);
    tabs.querySelector("[aria-selected=true]").focus();
  });
  remove.addEventListener("click", () => {
    const gone = at;
    put(all().filter((_, i) => i !== gone));
    on.editor().setText(list[0].text);
    on.shown();
    on.changed();
  });

  // put replaces the files; the first one is opened.
  /** @param {SourceFile[]} files */
  function put(files) {
    [list, at] = [files, 0];
    draw();
  }

  // show opens a file in the editor, with its undo history.
  /** @param {string} [name] */
  function show(name) {
    const to = list.findIndex((f) => f.name === (name || list[0].name));
    if (to < 0 || to === at) return;
    const editor = on.editor();
    const { view } = editor;
    list = all();
    list[at].past = view.state.field(historyField);
    at = to;
    const { text, past: before } = list[at];
    view.dispatch({ effects: past.reconfigure([]) });
    editor.setText(text);
    view.dispatch({ effects: past.reconfigure(before ? [history(), historyField.init(() => before)] : history()) });
    draw();
    on.shown();
  }

  draw();
  return {
    all: () => all().map(({ name, text }) => ({ name, text })),
    put,
    show,
    /**
     * here tells whether a file is in the editor; "" is the first.
     * @param {string} [name]
     */
    here: (name) => isSame(name || list[0].name, list[at].name),
    /**
     * with are the files with some that came from elsewhere: a whole program, or more of what it includes.
     * @param {SourceFile[]} files
     */
    with(files) {
      const found = [...files].sort((a, b) => Number(isUnit(b)) - Number(isUnit(a)));
      if (isUnit(found[0])) return found;
      return [...all().filter((f) => !files.some((g) => g.name === f.name)), ...files];
    },
  };
}

/**
 * kept are files as a link has them; an Error says that it is damaged.
 * @param {string} text
 */
export function kept(text) {
  if (!text) return [];
  /** @type {unknown} */
  let list = null;
  try {
    list = JSON.parse(text);
  } catch {
    // as below
  }
  const fine = Array.isArray(list) && list.every((f) => typeof f?.name === "string" && typeof f.text === "string");
  if (!fine) throw new Error("This link is damaged: it has no valid program files.");
  return /** @type {SourceFile[]} */ (list).map(({ name, text }) => ({ name, text }));
}
