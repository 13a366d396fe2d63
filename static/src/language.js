// Colours for litmus tests of every dialect: a hand-written scanner that knows the
// frame of a test (header, init, columns, condition), and of an instruction what its
// first word says: the mnemonic, and whether what follows is a label. The architecture
// in the header says what registers look like.

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { EditorState, Prec } from "@codemirror/state";
import { tags } from "@lezer/highlight";
import { isC } from "./ctext.js";

const keyword = /^(exists|forall|locations|filter|final|with|not|true|false)\b/;
const x86 = /^%?([er]?[abcd]x|[er]?[sd]il?|[er]?[sb]pl?|[abcd][lh]|r(1[0-5]|[89])[dwb]?)\b/i;
const arm = /^%?(r(1[0-5]|[0-9])|sp|lr|pc)\b/i;
const ofThirtyTwo = "([12]?[0-9]|3[01])\\b";
const registers = {
  X86: x86,
  X86_64: x86,
  PPC: new RegExp(`^%?(r${ofThirtyTwo}|cr[0-7]\\b)`, "i"),
  ARM: arm,
  AArch64: /^%?([wx]([12]?[0-9]|30)|[wx]zr|w?sp)\b/i,
  RISCV: new RegExp(`^%?(x${ofThirtyTwo}|(zero|ra|[sgtf]p|a[0-7]|t[0-6]|s([0-9]|1[01]))\\b)`, "i"),
  MIPS: new RegExp(`^(\\$${ofThirtyTwo}|[$%]?(zero|at|[gsf]p|ra|v[01]|a[0-7]|t[0-9]|s[0-8]|k[01])\\b)`, "i"),
};
const anyName = /^%[a-z]\w*/i; // for a register the test chooses

// What may follow a mnemonic and is no value: shifts, conditions, kinds of barrier.
const armWord = /^(ls[lr]|asr|ror|[su]xt[bhwx]|sy|ld|st|[ino]sh(ld|st)?|eq|ne|[cv][sc]|mi|pl|hi|ls|[gl][et]|al)\b/i;
const modifiers = { ARM: armWord, AArch64: armWord };
const fenceSets = /^[iorw]{1,4}\b/;

// Instructions whose operand may be a label.
const jump = /^j|^loop/i;
const branch = /^(b|j)/i;
const jumps = { X86: jump, X86_64: jump, ARM: /^b/i, AArch64: /^(b|[ct]b)/i, PPC: branch, RISCV: branch, MIPS: branch };

const word = /^[A-Za-z_.][\w.$]*/;
const mnemonic = /^[A-Za-z_.][\w.$]*[-+]?/; // Power's branches end in a hint

// Where the scanner is in a test.
const HEADER = 0; // before the init block
const INIT = 1; // between { and }
const CODE = 2; // the columns
const CONDITION = 3; // from locations, filter or the quantifier on

function startState() {
  return { part: HEADER, comment: 0, ofC: false, string: false, cell: true, arch: "", mnemonic: "", depth: 0 };
}

function token(stream, state) {
  if (state.comment > 0) return comment(stream, state);
  if (state.ofC) return commentOfC(stream, state);
  if (state.string) return string(stream, state);
  if (stream.sol() && state.part === HEADER && stream.match(/^\s*[A-Za-z]\w*(?==)/)) {
    return "attributeName";
  }
  if (stream.eatSpace()) return null;
  const body = state.part === CODE && state.depth > 0; // where (*x) is an expression
  if (!body && stream.match("(*")) {
    state.comment = 1;
    return comment(stream, state);
  }
  const fresh = state.part !== HEADER || stream.string.slice(0, stream.pos).trim() === "";
  if (fresh && (state.arch === "C" || state.arch === "") && stream.match(/^\/[/*]/)) {
    if (stream.current().endsWith("*")) state.ofC = true;
    else stream.skipToEnd();
    return state.ofC ? commentOfC(stream, state) : "comment";
  }
  switch (state.part) {
    case HEADER:
      return header(stream, state);
    case CODE:
      return state.arch === "C" ? codeOfC(stream, state) : code(stream, state);
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

function commentOfC(stream, state) {
  while (state.ofC && !stream.eol()) {
    if (stream.match("*/")) state.ofC = false;
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
  if (stream.match(/^[^\s{"=]+/)) {
    if (first && !state.arch) state.arch = stream.current();
    return first ? "keyword" : "heading";
  }
  stream.next();
  return null;
}

const controls = /^(if|else|while|do|for|return|break|goto|switch|case|default)\b(?!\s*=[^=])/;
const types =
  /^(int|long|short|char|unsigned|signed|void|bool|_Bool|const|volatile|struct|union|_Atomic|atomic_(bool|u?char|u?short|u?int|u?l?long|flag)|[A-Za-z_]\w*_t|__int128)\b(?!\s*(=[^=]|\())/;

function codeOfC(stream, state) {
  if (stream.match("{")) {
    state.depth++;
    return "bracket";
  }
  if (stream.match("}")) {
    state.depth = Math.max(0, state.depth - 1);
    return "bracket";
  }
  if (state.depth === 0) {
    if (stream.match(/^~\s*exists\b/) || stream.match(keyword)) {
      state.part = CONDITION;
      return "keyword";
    }
    if (stream.match(/^P\d+(?=\s*\()/)) return "heading";
  }
  return wordOfC(stream);
}

/** wordOfC colours what a statement of C is made of. */
export function wordOfC(stream) {
  if (stream.match(controls)) return "keyword";
  if (stream.match(types)) return "typeName";
  if (stream.match(/^memory_order_\w+/)) return "labelName";
  if (stream.match(/^[A-Za-z_]\w*(?=\s*\()/)) return "operatorKeyword";
  if (stream.match(/^r\d+\b/)) return "variableName.special";
  if (stream.match(/^(0x[0-9a-f]+|\d+)[ul]*\b/i)) return "number";
  if (stream.match(/^[A-Za-z_]\w*/)) return "variableName";
  if (stream.match(/^[;,]/)) return "separator";
  stream.next();
  return null;
}

function code(stream, state) {
  if (stream.match(/^[|;]/)) {
    state.cell = true;
    state.mnemonic = "";
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
  if (state.cell && stream.match(mnemonic)) {
    state.mnemonic = stream.current();
    // LOCK and its like stand before the mnemonic proper.
    state.cell = /^(lock|rep)$/i.test(state.mnemonic);
    return "operatorKeyword";
  }
  return operand(stream, state);
}

function operand(stream, state) {
  const fence = state.arch === "RISCV" && state.mnemonic === "fence";
  const modifier = fence ? fenceSets : modifiers[state.arch];
  if (modifier && stream.match(modifier)) return "operatorKeyword";
  const style = value(stream, state);
  return style === "variableName" && jumps[state.arch]?.test(state.mnemonic) ? "labelName" : style;
}

function value(stream, state) {
  if (state.part === INIT && stream.match("{")) {
    state.depth++; // of an array
    return "bracket";
  }
  if (state.part === INIT && stream.match("}")) {
    if (state.depth > 0) {
      state.depth--;
      return "bracket";
    }
    state.part = CODE;
    state.cell = true;
    return "bracket";
  }
  if (state.arch === "C" && state.part === INIT && stream.match(types)) return "typeName";
  const register = registers[state.arch] ?? anyName;
  if (stream.match(register) || stream.match(anyName)) return "variableName.special";
  if (stream.match(/^[$#]?-?(0x[0-9a-f]+|\d+)(?![\w:])/i)) return "number";
  if (stream.match(/^P?\d+:/)) return "namespace";
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
export const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--syn-keyword)", fontWeight: "600" },
  { tag: tags.operatorKeyword, color: "var(--syn-mnemonic)" },
  { tag: tags.typeName, color: "var(--syn-keyword)" },
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

// How a line is made a comment, in tests in C, of which (* is none.
const comments = Prec.highest(EditorState.languageData.of((state) => (isC(state.sliceDoc(0, 4000)) ? [{ commentTokens: { line: "//" } }] : [])));

export const litmusLanguage = [litmus, comments, syntaxHighlighting(colours)];
