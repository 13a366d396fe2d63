// Syntax highlighting and completion for models in the cat language.

import { colouring } from "./colouring.js";
import { included } from "./modelnames.js";

/** @typedef {{ comment: number, string: boolean, define: boolean }} State where the scanner is */

const name = /^'?[A-Za-z_](?:[\w.-]*\w)?/;

/**
 * catLanguage highlights models with the words that the server knows.
 * @param {CatWords | null} known what GET /words?arch=cat gives
 */
export function catLanguage(known) {
  const kinds = new Map(known?.words.map((w) => [w.name, w.kind]));
  const begin = () => ({ comment: 0, string: false, define: false });
  return colouring(begin, (stream, state) => token(stream, state, kinds), { block: { open: "(*", close: "*)" } });
}

/**
 * @param {Stream} stream
 * @param {State} state
 * @param {Map<string, string | undefined>} kinds
 * @returns {import("./colouring.js").Kind | null}
 */
function token(stream, state, kinds) {
  if (state.comment > 0) return comment(stream, state);
  if (state.string) return string(stream, state);
  if (stream.eatSpace()) return null;
  if (stream.match("(*")) {
    state.comment = 1;
    return comment(stream, state);
  }
  if (stream.match("//") || stream.match("#")) {
    stream.skipToEnd();
    return "comment";
  }
  if (stream.match('"')) {
    state.string = true;
    return string(stream, state);
  }
  if (stream.match(name)) {
    const word = stream.current();
    const kind = kinds.get(word);
    const defines = state.define;
    state.define = /^(let|rec|and|procedure|enum|as)$/.test(word);
    if (kind === "keyword") return "keyword";
    if (defines) return "heading";
    if (kind === "set") return "number";
    if (kind === "relation") return "register";
    if (kind) return "mnemonic";
    return "name";
  }
  state.define = false;
  if (stream.match(/^(\^-1|\^\+|\^\*|[|&;\\~?*+[\](){},=]|\d+)/)) return "punct";
  stream.next();
  return null;
}

/**
 * @param {Stream} stream
 * @param {State} state
 * @returns {"comment"}
 */
function comment(stream, state) {
  while (state.comment > 0 && !stream.eol()) {
    if (stream.match("(*")) state.comment++;
    else if (stream.match("*)")) state.comment--;
    else stream.next();
  }
  return "comment";
}

/**
 * @param {Stream} stream
 * @param {State} state
 * @returns {"string"}
 */
function string(stream, state) {
  while (!stream.eol()) {
    if (stream.next() === '"') {
      state.string = false;
      break;
    }
  }
  return "string";
}

/**
 * defined returns the names that a model defines, with their comments.
 * @param {string} text
 */
export function defined(text) {
  const out = new Map();
  for (const m of text.matchAll(/\b(?:let(?:\s+rec)?|and|procedure)\s+([A-Za-z_](?:[\w.-]*\w)?)\s*((?:\([^)]*\))?\s*=[^\n]*)/g)) {
    out.set(m[1], `${m[1]}${m[2].startsWith("(") ? "" : " "}${m[2]}`.replace(/\(\*.*/, "").trim());
  }
  return out;
}

/**
 * completeModel is a completion source for models.
 * @param {CatWords | null} known what GET /words?arch=cat gives
 * @param {(file: string) => string|null} own the text of an included file of one's own
 */
export function completeModel(known, own) {
  return (/** @type {Completing} */ context) => {
    const text = context.state.doc.toString();
    const file = context.matchBefore(/\binclude\s+"[\w.-]*/);
    if (file) {
      const from = file.from + file.text.indexOf('"') + 1;
      const options = (known?.files ?? []).map((f) => ({ label: f.name, detail: "file", help: f.help }));
      return { from, options, validFor: /^[\w.-]*$/ };
    }
    const word = context.matchBefore(/[A-Za-z_](?:[\w.-]*\w)?-?/);
    if (!word && !context.explicit) return null;
    const options = new Map();
    /**
     * @param {Word} w
     * @param {number} boost
     */
    const offer = (w, boost) => options.set(w.name, { label: w.name, detail: w.kind, help: w.help, boost });
    for (const w of known?.words ?? []) offer(w, w.kind === "keyword" ? 5 : 0);
    for (const name of included(text)) {
      const theirs = own(name);
      if (theirs !== null) for (const [n, help] of defined(theirs)) offer({ name: n, kind: name, help }, 10);
      for (const w of known?.files.find((f) => f.name === name)?.defines ?? []) offer(w, 10);
    }
    for (const [n, help] of defined(text)) offer({ name: n, kind: "here", help }, 20);
    return { from: word ? word.from : context.pos, options: [...options.values()], validFor: /^[\w.-]*$/ };
  };
}
