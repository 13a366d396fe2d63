// Syntax highlighting for litmus tests in every dialect: a hand-written scanner for the frame of a test (header, init,
// columns, condition). The server sends the registers and jump instructions of the dialect, and whether threads are C
// functions.

import { Facet } from "@codemirror/state";
import { colouring } from "./colouring.js";

/** @typedef {ReturnType<typeof scanning>} Scanning */
/** @typedef {ReturnType<typeof startState>} Scan where the scanner is */
/** @typedef {ReturnType<typeof wordsOfC>} WordsOfC */

const keyword = /^(exists|forall|locations|filter|final|with|not|true|false)\b/;
const anyName = /^%[a-z]\w*/i; // a symbolic register

/**
 * scanning is what the scanner asks of a vocabulary; without one, it knows of none.
 * @param {TestWords | null} known what GET /words gives
 */
function scanning(known) {
  /** @param {string[] | undefined} list */
  const fold = (list) => new Set((list ?? []).map((name) => name.toUpperCase()));
  const registers = fold([...(known?.registers ?? []), ...(known?.aliases ?? [])]);
  const modifiers = fold(known?.modifiers);
  return {
    bodies: known?.bodies ?? false,
    known: known !== null,
    c: wordsOfC(known),
    jumps: fold(known?.instructions.filter((i) => i.kind === "jump").map((i) => i.name)),
    /** @param {Stream} stream */
    register(stream) {
      const [name] = stream.match(/^[$%]?\w+/, false) ?? [];
      const upper = /** @type {string} */ (name?.toUpperCase());
      return name !== undefined && (registers.has(upper) || registers.has(upper.replace(/^[$%]/, ""))) && stream.match(name);
    },
    /** @param {Stream} stream */
    modifier(stream) {
      const [name] = stream.match(/^\w+/, false) ?? [];
      return name !== undefined && modifiers.has(name.toUpperCase()) && stream.match(name);
    },
  };
}

const word = /^[A-Za-z_.][\w.$]*/;
const mnemonic = /^[A-Za-z_.][\w.$]*[-+]?/; // branches of Power end in a hint

// The part of the test that the scanner is in.
const HEADER = 0; // before the init block
const INIT = 1; // between { and }
const CODE = 2; // the columns
const CONDITION = 3; // from locations, filter or the quantifier on

function startState() {
  return { part: HEADER, comment: 0, ofC: false, string: false, cell: true, headed: false, mnemonic: "", depth: 0, of: false };
}

/**
 * @param {Stream} stream
 * @param {Scan} state
 * @param {Scanning} words
 */
function token(stream, state, words) {
  if (state.comment > 0) return comment(stream, state);
  if (state.ofC) return commentOfC(stream, state);
  if (state.string) return string(stream, state);
  if (stream.sol() && state.part === HEADER && stream.match(/^\s*[A-Za-z]\w*(?==)/)) {
    return "attribute";
  }
  if (stream.eatSpace()) return null;
  const body = state.part === CODE && state.depth > 0; // there, (*x) is an expression
  if (!body && stream.match("(*")) {
    state.comment = 1;
    return comment(stream, state);
  }
  const fresh = state.part !== HEADER || stream.string.slice(0, stream.pos).trim() === "";
  if (fresh && (words.bodies || !words.known) && stream.match(/^\/[/*]/)) {
    if (stream.current().endsWith("*")) state.ofC = true;
    else stream.skipToEnd();
    return state.ofC ? commentOfC(stream, state) : "comment";
  }
  switch (state.part) {
    case HEADER:
      return header(stream, state);
    case CODE:
      return words.bodies ? codeOfC(stream, state, words) : code(stream, state, words);
    default:
      return value(stream, state, words);
  }
}

/**
 * @param {Stream} stream
 * @param {Scan} state
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
 * @param {Scan} state
 * @returns {"comment"}
 */
function commentOfC(stream, state) {
  while (state.ofC && !stream.eol()) {
    if (stream.match("*/")) state.ofC = false;
    else stream.next();
  }
  return "comment";
}

/**
 * @param {Stream} stream
 * @param {Scan} state
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
 * @param {Stream} stream
 * @param {Scan} state
 */
function header(stream, state) {
  if (stream.match('"')) {
    state.string = true;
    return string(stream, state);
  }
  if (stream.match("{")) {
    state.part = INIT;
    return "punct";
  }
  const first = !state.headed || stream.string.slice(0, stream.start).trim() === "";
  if (stream.match(/^[^\s{"=]+/)) {
    state.headed = true;
    return first ? "keyword" : "heading";
  }
  stream.next();
  return null;
}

/**
 * @param {Stream} stream
 * @param {Scan} state
 * @param {Scanning} words
 */
function codeOfC(stream, state, words) {
  if (stream.match("{")) {
    state.depth++;
    return "punct";
  }
  if (stream.match("}")) {
    state.depth = Math.max(0, state.depth - 1);
    return "punct";
  }
  if (state.depth === 0) {
    if (stream.match(/^~\s*exists\b/) || stream.match(keyword)) {
      state.part = CONDITION;
      return "keyword";
    }
    if (stream.match(/^P\d+(?=\s*\()/)) return "heading";
  }
  return wordOfC(stream, words.c);
}

/**
 * wordsOfC are the words of C that are known: see GET /words.
 * @param {CWords | null | undefined} known
 */
export function wordsOfC(known) {
  /** @param {string[] | undefined} list */
  const set = (list) => new Set(list ?? []);
  return { orders: set(known?.modifiers), controls: set(known?.controls), types: set(known?.types), asks: set(known?.asks) };
}

// typeOfC skips a word of a type; a local can have the same name.
/**
 * @param {Stream} stream
 * @param {WordsOfC} c
 */
function typeOfC(stream, c) {
  const [name] = stream.match(/^[A-Za-z_]\w*(?!\w|\s*(=[^=]|\())/, false) ?? [];
  return name !== undefined && (c.types.has(name) || name.endsWith("_t")) && stream.match(name);
}

/**
 * wordOfC colours what a statement of C is made of, by what wordsOfC gives.
 * @param {Stream} stream
 * @param {WordsOfC} c
 */
export function wordOfC(stream, c) {
  const [control] = /** @type {string[]} */ (stream.match(/^[a-z]+(?!\w|\s*=[^=])/, false) ?? []);
  if (c.controls.has(control)) return stream.match(control) && "keyword";
  if (typeOfC(stream, c)) return "type";
  if (stream.match(/^memory_order_\w+/)) return c.orders.size > 0 && !c.orders.has(stream.current()) ? "name" : "label";
  if (stream.match(/^[A-Za-z_]\w*(?=\s*\()/)) return "mnemonic";
  if (stream.match(/^r\d+\b/)) return "register";
  if (stream.match(/^(0x[0-9a-f]+|\d+)[ul]*\b/i)) return "number";
  if (stream.match(/^[A-Za-z_]\w*/)) return "name";
  if (stream.match(/^[;,]/)) return "punct";
  stream.next();
  return null;
}

/**
 * @param {Stream} stream
 * @param {Scan} state
 * @param {Scanning} words
 */
function code(stream, state, words) {
  if (stream.match(/^[|;]/)) {
    state.cell = true;
    state.mnemonic = "";
    return "punct";
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
  if (state.cell && stream.match(/^[A-Za-z_.][\w.]*(?=:)/)) return "label";
  if (state.cell && stream.match(mnemonic)) {
    state.mnemonic = stream.current();
    // Prefixes such as LOCK precede the mnemonic.
    state.cell = /^(lock|rep)$/i.test(state.mnemonic);
    return "mnemonic";
  }
  return operand(stream, state, words);
}

/**
 * @param {Stream} stream
 * @param {Scan} state
 * @param {Scanning} words
 */
function operand(stream, state, words) {
  if (words.modifier(stream)) return "mnemonic";
  const style = value(stream, state, words);
  const jumps = style === "name" && words.jumps.has(state.mnemonic.replace(/[-+]$/, "").toUpperCase());
  return jumps ? "label" : style;
}

/**
 * @param {Stream} stream
 * @param {Scan} state
 * @param {Scanning} words
 */
function value(stream, state, words) {
  const of = state.of; // after a thread's number
  state.of = false;
  if (state.part === INIT && stream.match("{")) {
    state.depth++; // of arrays
    return "punct";
  }
  if (state.part === INIT && stream.match("}")) {
    if (state.depth > 0) {
      state.depth--;
      return "punct";
    }
    state.part = CODE;
    state.cell = true;
    return "punct";
  }
  if (words.bodies && state.part === INIT && typeOfC(stream, words.c)) return "type";
  if (words.register(stream) || stream.match(anyName) || (of && stream.match(word))) return "register";
  if (stream.match(/^[$#]?-?(0x[0-9a-f]+|\d+)(?![\w:])/i)) return "number";
  if (stream.match(/^P?\d+:/)) {
    state.of = true;
    return "register";
  }
  if (stream.match(keyword)) return "keyword";
  if (stream.match(word)) return "name";
  if (stream.match(/^(\/\\|\\\/|=>|!=|[~=])/)) return "punct";
  stream.next();
  return null;
}

/** vocabulary gives a promise of what the test in an editor is written in: see GET /words; null where nobody knows. */
export const vocabulary = Facet.define({ combine: ([first]) => first ?? (async () => null) });

/**
 * litmusLanguage colours tests.
 * @param {TestWords | null} known what they are written in, as GET /words gives it
 */
export function litmusLanguage(known = null) {
  const words = scanning(known);
  // In tests in C (* is no comment.
  const commentTokens = words.bodies ? { line: "//" } : { block: { open: "(*", close: "*)" } };
  return colouring(startState, (stream, state) => token(stream, state, words), commentTokens);
}
