// The visitor's saved models: one list in the browser's storage, shared by all pages and tabs. Each change reads the list
// anew, so that tabs do not undo each other's changes. What cannot be stored stays as it was.

import { canBeCalled, included, isWritten } from "./modelnames.js";

const KEY = "litmuscope.models";
const CHANGED = "litmuscope.models"; // the event in the tab that makes a change
const MOST = 200; // maximum number of models
const ROOM = 1_000_000; // maximum size of all models, in characters

/** @typedef {OwnModel & { at: number }} SavedModel at: when it was saved, in ms since 1970; no two versions have the same */

/** A Refused change has a message for the visitor. */
export class Refused extends Error {
  /**
   * @param {string} message
   * @param {boolean} [taken] another model has the name: the visitor may replace it
   */
  constructor(message, taken = false) {
    super(message);
    this.taken = taken;
  }
}

const OFF = "This browser does not let the page store models. Your text stays on the page: save it as a .cat file.";

/** @param {string} name */
const full = (name) =>
  `The browser’s storage is full, so “${name}” is not saved. Its text stays on the page: save it as a .cat file, or delete saved models.`;

/** @returns {{ all: SavedModel[], off: boolean }} off: the browser stores nothing */
function read() {
  let text;
  try {
    text = localStorage.getItem(KEY);
  } catch {
    return { all: [], off: true };
  }
  try {
    /** @type {unknown} */
    const all = JSON.parse(text ?? "[]");
    if (!Array.isArray(all)) return { all: [], off: false };
    return { all: all.filter((m) => typeof m?.name === "string" && typeof m.text === "string").map((m) => ({ ...m, files: m.files ?? {}, at: Number(m.at) })), off: false };
  } catch {
    return { all: [], off: false };
  }
}

/**
 * write stores a list, or leaves the old one there.
 * @param {SavedModel[]} all
 * @param {string} name of the model that is new in it
 */
function write(all, name) {
  const text = JSON.stringify(all);
  if (all.length > MOST) throw new Refused(`“${name}” is not saved: this browser already has ${MOST} models. Delete one first.`);
  if (text.length > ROOM) throw new Refused(full(name));
  try {
    localStorage.setItem(KEY, text);
  } catch (e) {
    throw new Refused(e?.name === "SecurityError" ? OFF : full(name));
  }
  globalThis.dispatchEvent?.(new Event(CHANGED));
}

/** list returns the saved models by name. */
export const list = () => read().all.sort((a, b) => (a.name < b.name ? -1 : 1));

/** @param {string} name */
export const find = (name) => read().all.find((m) => m.name === name);

/** problem returns why nothing can be saved; "" if it can. */
export const problem = () => (read().off ? OFF : "");

/**
 * watch calls f after each change, also by another tab.
 * @param {() => unknown} f
 */
export function watch(f) {
  addEventListener(CHANGED, f);
  addEventListener("storage", (e) => (e.key === KEY || e.key === null) && f());
}

/**
 * checkName refuses names that no model can have.
 * @param {string} name
 * @param {string[]} builtin
 */
export function checkName(name, builtin) {
  if (builtin.includes(name.toLowerCase())) throw new Refused(`“${name}” is the name of a built-in model. Choose another name.`);
  if (!canBeCalled(name)) throw new Refused("Give the model a name of at most 64 letters, digits, - and _, such as my-tso.");
}

/** @param {OwnModel} a @param {OwnModel} b */
const same = (a, b) => a.text === b.text && JSON.stringify(a.files) === JSON.stringify(b.files);

/**
 * save stores a model under its name.
 * @param {OwnModel} model
 * @param {{ builtin?: string[], seen?: number, replace?: boolean }} [how]
 *   builtin: names that are taken; seen: the version that the text is an edit of; replace: whatever has the name
 * @returns {SavedModel} throws a Refused
 */
export function save({ name, text, files }, { builtin = [], seen, replace = false } = {}) {
  checkName(name, builtin);
  if (!isWritten({ name, text, files })) throw new Refused("There is no text to save. Write a model first.");
  const { all, off } = read();
  if (off) throw new Refused(OFF);
  const old = all.find((m) => m.name === name);
  if (old && same(old, { name, text, files })) return old;
  if (old && !replace && old.at !== seen) {
    const why = seen === undefined ? `You already have a model “${name}”.` : `Another tab has changed “${name}” since you opened it.`;
    throw new Refused(`${why} Save this one under another name, or replace that one.`, true);
  }
  const saved = { name, text, files: { ...files }, at: Math.max(Date.now(), (old?.at ?? 0) + 1) };
  write([...all.filter((m) => m !== old), saved], name);
  return saved;
}

/**
 * rename gives a saved model another name.
 * @param {string} from
 * @param {string} to
 * @param {string[]} builtin
 */
export function rename(from, to, builtin) {
  checkName(to, builtin);
  const { all } = read();
  const model = all.find((m) => m.name === from);
  if (!model) throw new Refused(`“${from}” is no longer saved: another tab has renamed or deleted it.`);
  if (from !== to && all.some((m) => m.name === to)) throw new Refused(`You already have a model “${to}”. Choose another name.`);
  model.name = to;
  write(all, to);
}

/**
 * remove deletes a saved model and returns it.
 * @param {string} name
 */
export function remove(name) {
  const { all } = read();
  const model = all.find((m) => m.name === name);
  if (model) write(all.filter((m) => m !== model), name);
  return model;
}

/**
 * filesOf returns a model as .cat files: its text, and the files that it includes.
 * @param {OwnModel} model
 */
export const filesOf = ({ name, text, files }) => [{ name: `${name}.cat`, text }, ...Object.entries(files).map(([name, text]) => ({ name, text }))];

/**
 * modelsOf makes models of .cat files. A file that another one includes belongs to that model.
 * @param {{ name: string, text: string }[]} files
 * @param {string[]} builtin names that are taken
 * @returns {OwnModel[]}
 */
export function modelsOf(files, builtin) {
  const texts = new Map(files.map((f) => [f.name, f.text]));
  /** @param {string} text @param {Record<string, string>} into */
  const collect = (text, into) => {
    for (const name of included(text)) {
      const of = texts.get(name);
      if (of === undefined || name in into) continue;
      into[name] = of;
      collect(of, into);
    }
    return into;
  };
  const inner = new Set(files.flatMap((f) => included(f.text).filter((name) => name !== f.name)));
  const roots = files.filter((f) => !inner.has(f.name));
  return (roots.length > 0 ? roots : files).map((f) => {
    const name = f.name.replace(/\.cat$/, "").replace(/[^\w-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "").slice(0, 60) || "own";
    return { name: builtin.includes(name.toLowerCase()) ? `my-${name}` : name, text: f.text, files: collect(f.text, {}) };
  });
}
