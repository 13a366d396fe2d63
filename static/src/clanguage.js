// Syntax highlighting for C programs: the words are those of tests in C, with directives, comments and strings around
// them. Also marks the lines where a program fails.

import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";
import { colouring } from "./colouring.js";
import { wordOfC, wordsOfC } from "./language.js";

/**
 * @param {Stream} stream
 * @param {{ comment: boolean, directive: boolean, goesOn: boolean }} state
 * @param {import("./language.js").WordsOfC} c
 */
function token(stream, state, c) {
  if (state.comment) {
    if (!stream.skipTo("*/")) stream.skipToEnd();
    else {
      stream.match("*/");
      state.comment = false;
    }
    return "comment";
  }
  if (stream.sol()) state.directive = state.goesOn && state.directive;
  state.goesOn = /\\\s*$/.test(stream.string);
  if (stream.eatSpace()) return null;
  if (stream.match("//")) {
    stream.skipToEnd();
    return "comment";
  }
  if (stream.match("/*")) {
    state.comment = true;
    return "comment";
  }
  if (stream.match(/^#\s*\w+/) && stream.string.slice(0, stream.start).trim() === "") {
    state.directive = true;
    return "keyword";
  }
  if (state.directive && stream.match(/^<[^>]*>/)) return "string";
  if (stream.match(/^(L|u8?|U)?"(\\.|[^"\\])*"?/) || stream.match(/^'(\\.|[^'\\])*'?/)) return "string";
  if (stream.match(/^[{}]/)) return "punct";
  const [name] = /** @type {string[]} */ (stream.match(/^[A-Za-z_]\w*/, false) ?? []);
  if (c.asks.has(name)) return stream.match(name) && "label";
  return wordOfC(stream, c);
}

/**
 * setFailing marks lines by number.
 * @type {import("@codemirror/state").StateEffectType<number[]>}
 */
export const setFailing = StateEffect.define();

const failingLine = Decoration.line({ class: "cm-failing" });

const failing = StateField.define({
  create: () => Decoration.none,
  update(marks, tr) {
    marks = marks.map(tr.changes);
    for (const e of tr.effects) {
      if (!e.is(setFailing)) continue;
      const lines = [...new Set(e.value)].filter((n) => n >= 1 && n <= tr.state.doc.lines).sort((a, b) => a - b);
      marks = Decoration.set(lines.map((n) => failingLine.range(tr.state.doc.line(n).from)));
    }
    return marks;
  },
  provide: (f) => EditorView.decorations.from(f),
});

/**
 * showing scrolls a line into view in the editor only. Page, caret and focus do not change.
 * @param {CodeView} view
 * @param {number} n
 */
export function showing(view, n) {
  if (n < 1 || n > view.state.doc.lines) return;
  const { top, bottom } = view.lineBlockAt(view.state.doc.line(n).from);
  view.scrollDOM.scrollTop = (top + bottom - view.scrollDOM.clientHeight) / 2;
}

/**
 * cLanguage highlights programs.
 * @param {CWords | null} known what they are written in, as GET /words gives it
 */
export function cLanguage(known = null) {
  const c = wordsOfC(known);
  const begin = () => ({ comment: false, directive: false, goesOn: false });
  const commentTokens = { line: "//", block: { open: "/*", close: "*/" } };
  return [colouring(begin, (stream, state) => token(stream, state, c), commentTokens), failing];
}
