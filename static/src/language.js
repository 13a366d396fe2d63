// Colours for litmus tests of every dialect: a hand-written scanner that knows
// the frame of a test (header, init, columns, condition) and of an instruction
// only that its first word is the mnemonic.

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

const keyword = /^(exists|forall|locations|filter|final|with|not|true|false)\b/;
const register =
  /^(%?[er]?[abcd]x|%?[er]?[sd]i|%?[er]?[sb]p|%?[abcd][lh]|%?r(1[0-5]|[89])[dwb]?|[rwx]([12]?[0-9]|3[01])|[wx]zr|cr[0-7]|[ast][0-9]+)\b/i;
const word = /^[A-Za-z_.][\w.$]*/;

// Where the scanner is in a test.
const HEADER = 0; // before the init block
const INIT = 1; // between { and }
const CODE = 2; // the columns
const CONDITION = 3; // from locations, filter or the quantifier on

function startState() {
  return { part: HEADER, comment: 0, string: false, cell: true };
}

function token(stream, state) {
  if (state.comment > 0) return comment(stream, state);
  if (state.string) return string(stream, state);
  if (stream.sol() && state.part === HEADER && stream.match(/^\s*[A-Za-z]\w*(?==)/)) {
    return "attributeName";
  }
  if (stream.eatSpace()) return null;
  if (stream.match("(*")) {
    state.comment = 1;
    return comment(stream, state);
  }
  switch (state.part) {
    case HEADER:
      return header(stream, state);
    case CODE:
      return code(stream, state);
    default:
      return value(stream, state);
  }
}

function comment(stream, state) {
  while (state.comment > 0 && !stream.eol()) {
    if (stream.match("(*")) state.comment++;
    else if (stream.match("*)")) state.comment--;
    else stream.next();
  }
  return "comment";
}

function string(stream, state) {
  while (!stream.eol()) {
    if (stream.next() === '"') {
      state.string = false;
      break;
    }
  }
  return "string";
}

function header(stream, state) {
  if (stream.match('"')) {
    state.string = true;
    return string(stream, state);
  }
  if (stream.match("{")) {
    state.part = INIT;
    return "bracket";
  }
  const first = stream.string.slice(0, stream.start).trim() === "";
  if (stream.match(/^[^\s{"=]+/)) return first ? "keyword" : "heading";
  stream.next();
  return null;
}

function code(stream, state) {
  if (stream.match(/^[|;]/)) {
    state.cell = true;
    return "separator";
  }
  if (state.cell && stream.match(keyword)) {
    state.part = CONDITION;
    return "keyword";
  }
  if (state.cell && stream.match(/^~\s*exists\b/)) {
    state.part = CONDITION;
    return "keyword";
  }
  if (state.cell && stream.match(/^P\d+(?=\s*[|;:])/)) return "heading";
  if (state.cell && stream.match(/^[A-Za-z_.][\w.]*(?=:)/)) return "labelName";
  if (state.cell && stream.match(word)) {
    // LOCK and its like stand before the mnemonic proper.
    state.cell = /^(lock|rep)$/i.test(stream.current());
    return "operatorKeyword";
  }
  return value(stream, state);
}

function value(stream, state) {
  if (state.part === INIT && stream.match("}")) {
    state.part = CODE;
    state.cell = true;
    return "bracket";
  }
  if (stream.match(/^[$#]?-?(0x[0-9a-f]+|\d+)(?![\w:])/i)) return "number";
  if (stream.match(/^P?\d+:/)) return "namespace";
  if (stream.match(register)) return "variableName.special";
  if (stream.match(keyword)) return "keyword";
  if (stream.match(word)) return "variableName";
  if (stream.match(/^(\/\\|\\\/|=>|!=|[~=])/)) return "logicOperator";
  stream.next();
  return null;
}

const litmus = StreamLanguage.define({
  name: "litmus",
  startState,
  token,
  copyState: (s) => ({ ...s }),
  languageData: { commentTokens: { block: { open: "(*", close: "*)" } } },
});

// The colours themselves are custom properties of the page, so that both themes
// are in one place.
const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--syn-keyword)", fontWeight: "600" },
  { tag: tags.operatorKeyword, color: "var(--syn-mnemonic)" },
  { tag: tags.heading, color: "var(--syn-heading)", fontWeight: "600" },
  { tag: tags.comment, color: "var(--syn-comment)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--syn-string)" },
  { tag: tags.attributeName, color: "var(--syn-comment)" },
  { tag: tags.number, color: "var(--syn-number)" },
  { tag: tags.special(tags.variableName), color: "var(--syn-register)" },
  { tag: tags.namespace, color: "var(--syn-register)" },
  { tag: tags.labelName, color: "var(--syn-label)", fontWeight: "600" },
  { tag: [tags.separator, tags.bracket, tags.logicOperator], color: "var(--syn-punct)" },
]);

export const litmusLanguage = [litmus, syntaxHighlighting(colours)];
