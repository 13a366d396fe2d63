// Completion in tests: instructions at the start of a cell, registers, locations and labels within it, and the terms of
// a condition. Loaded when the visitor first types.

import { autocompletion, startCompletion } from "@codemirror/autocomplete";
import { takeC } from "./cparts.js";
import { vocabulary } from "./language.js";

/** @typedef {ReturnType<typeof take>} Test */
/** @typedef {ReturnType<typeof takeC>} TestInC */
/** @typedef {import("./cparts.js").ThreadInC} ThreadInC */

/**
 * completion is the editor extension for tests.
 */
export const completion = () => offered(source);

/**
 * offered shows what sources complete: the word, what goes with it, and a line of help.
 * @param {...CompletionSource} override
 */
export function offered(...override) {
  return autocompletion({
    override: override.map(askedAgain),
    icons: false,
    activateOnTyping: true,
    // A short list needs no scrolling: arrow keys move on, and typing shortens it.
    maxRenderedOptions: 10,
    addToOptions: [{ render: helpOf, position: 90 }],
  });
}

/**
 * askedAgain wraps a source that may wait for the server. When a source has nothing to offer, CodeMirror does not ask it
 * again for what was typed while it waited; it does ask again when a result no longer fits the text.
 * @param {CompletionSource} source
 */
function askedAgain(source) {
  return async (/** @type {Completing} */ context) => {
    const result = await source(context);
    const stale = context.view && context.view.state.doc !== context.state.doc;
    return result ?? (stale ? { from: context.pos, options: [] } : null);
  };
}

/**
 * resume offers what completes the word before the caret, which was typed before completion was there.
 * @param {import("@codemirror/view").EditorView} view
 */
export function resume(view) {
  const { head } = view.state.selection.main;
  if (/\w/.test(view.state.sliceDoc(Math.max(0, head - 1), head))) startCompletion(view);
}

/** @param {Completion & { help?: string }} option */
function helpOf(option) {
  const span = document.createElement("span");
  span.className = "cm-help";
  span.textContent = option.help ?? "";
  return span;
}

/** @param {Completing} context */
async function source(context) {
  const text = context.state.doc.toString();
  const known = await context.state.facet(vocabulary)();
  if (!known || context.aborted) return null;
  const c = known.bodies;
  const test = c ? takeC(text, known) : take(text, known);
  const part = test.part(context.pos);
  if (c && part === "code") return inBody(context, known, /** @type {TestInC} */ (test));
  if (part === "code") return inCode(context, known, /** @type {Test} */ (test));
  if (part === "init" || part === "condition") return inFrame(context, known, test, part);
  return null;
}

// inCode completes a cell: the instruction that it begins with, or an operand.
/**
 * @param {Completing} context
 * @param {TestWords} known
 * @param {Test} test
 */
function inCode(context, known, test) {
  const cell = test.cellAt(context.pos);
  const written = context.state.sliceDoc(cell.from, context.pos);
  const bare = written.replace(/^\s*([\w.$]+\s*:\s*)*/, "");
  const start = /^(lock\s+)?[A-Za-z_.][\w.]*$|^$/i.exec(bare);
  if (start && !/^P\d+$/.test(bare)) {
    if (bare === "" && !context.explicit) return null;
    /** @type {(Completion & { help?: string })[]} */
    const options = known.instructions.map((in_, i) => instruction(in_, i, bare, test));
    if (cell.first) options.push(...known.keywords.map(keyword));
    return { from: context.pos - bare.length, options, validFor: /^(lock\s+)?[\w.]*$/i };
  }
  const word = context.matchBefore(/[%$\w.]+/) ?? context.matchBefore(/[[(,]/);
  if (!word && !context.explicit) return null;
  const from = word && /\w|[%$]/.test(word.text) ? word.from : context.pos;
  const typed = context.state.sliceDoc(from, context.pos);
  if (/^[$#]?\d/.test(typed)) return null;
  const mnemonic = /^(?:lock\s+)?([\w.]+)/i.exec(bare)?.[1].toUpperCase() ?? "";
  const jumps = known.instructions.some((in_) => in_.kind === "jump" && in_.name.toUpperCase() === mnemonic);
  const sigil = known.sigil ?? "";
  const used = test.registers(cell.column);
  const options = [
    ...test.labels(cell.column).map((name) => ({ label: name, detail: "label", help: `of P${cell.column}`, boost: jumps ? 50 : -50 })),
    ...[...used].map((name) => ({ label: sigil + cased(name, typed, sigil), detail: "register", help: "used in this thread", boost: 20 })),
    ...known.registers
      .filter((name) => !used.has(name))
      .map((name, i) => ({ label: sigil + cased(name, typed, sigil), detail: "register", help: "", boost: -i / 10 })),
    ...test.locations.map((name) => ({ label: name, detail: "location", help: "of the test", boost: 30 })),
  ];
  return { from, options, validFor: /^[%$\w.]*$/ };
}

// inBody completes a word in a thread in C: calls, locals and parameters.
/**
 * @param {Completing} context
 * @param {TestWords} known
 * @param {TestInC} test
 */
function inBody(context, known, test) {
  const word = context.matchBefore(/[A-Za-z_]\w*/);
  if (!word && !context.explicit) return null;
  const from = word ? word.from : context.pos;
  const { params, locals } = /** @type {ThreadInC} */ (test.thread(context.pos));
  const typed = word?.text;
  const line = context.state.doc.lineAt(context.pos);
  const end = test.begins(from) && line.text.slice(context.pos - line.from).trim() === "" ? ";" : "";
  const options = [
    ...locals.filter((name) => name !== typed).map((name) => ({ label: name, detail: "local", help: "of this thread", boost: 60 })),
    ...params.map((name) => ({ label: name, detail: "location", help: "parameter of this thread", boost: 50 })),
    ...known.instructions.map((in_, i) => call(in_, i, params, end)),
  ];
  return { from, options, validFor: /^\w*$/ };
}

// call offers calls and statements on the thread's own locations.
/**
 * @param {Instruction} in_
 * @param {number} i
 * @param {string[]} params
 * @param {string} end
 */
function call(in_, i, params, end) {
  const operands = (in_.operands ?? "").replace(/\b([pmls]|flag)\b/g, (p) => params[0] ?? p);
  const statement = in_.kind === "fence" || in_.kind === "access" || in_.kind === "atomic";
  const insert = in_.name + operands + (statement && operands.endsWith(")") ? end : "");
  const inner = operands.indexOf("(") < 0 || operands.includes("()") ? -1 : operands.indexOf("(") + 1;
  return {
    label: in_.name,
    detail: operands,
    help: in_.help,
    boost: Math.max(-99, 40 - i / 4),
    /**
     * @param {CodeView} view
     * @param {Completion} _
     * @param {number} from
     * @param {number} to
     */
    apply(view, _, from, to) {
      const at = from + in_.name.length;
      view.dispatch({
        changes: { from, to, insert },
        // What was put in for an example is selected, to be typed over.
        selection: inner < 0 ? { anchor: from + insert.length } : { anchor: at + inner, head: at + operands.lastIndexOf(")") },
        userEvent: "input.complete",
      });
    },
  };
}

// cased writes a register in the case that was typed.
/**
 * @param {string} name
 * @param {string} typed
 * @param {string} sigil
 */
function cased(name, typed, sigil) {
  const own = typed.slice(sigil.length);
  return own && own === own.toLowerCase() ? name.toLowerCase() : name;
}

/**
 * @param {Instruction} in_
 * @param {number} i
 * @param {string} typed
 * @param {Test} test
 */
function instruction(in_, i, typed, test) {
  const small = typed && typed === typed.toLowerCase();
  const name = small ? in_.name.toLowerCase() : in_.name;
  let operands = in_.operands ?? "";
  // The example contains x, which the test may not have.
  if (test.locations.length > 0 && !test.locations.includes("x")) {
    operands = operands.replace(/([[(])x([\])])/, `$1${test.locations[0]}$2`);
  }
  if (small) operands = operands.replace(/[A-Z]+\d*/g, (r) => (test.locations.includes(r) ? r : r.toLowerCase()));
  return {
    label: name,
    detail: operands,
    help: in_.help,
    boost: Math.max(-99, 40 - i / 4),
    // What was put in for an example is selected, to be typed over.
    /**
     * @param {CodeView} view
     * @param {Completion} _
     * @param {number} from
     * @param {number} to
     */
    apply(view, _, from, to) {
      const insert = operands ? `${name} ${operands}` : name;
      view.dispatch({
        changes: { from, to, insert },
        selection: operands ? { anchor: from + name.length + 1, head: from + insert.length } : { anchor: from + insert.length },
        userEvent: "input.complete",
      });
    },
  };
}

/** @param {Keyword} k */
const keyword = (k) => ({ label: k.name, detail: "", help: k.help, boost: -20 });

// inFrame completes the init block and the condition.
/**
 * @param {Completing} context
 * @param {TestWords} known
 * @param {Test | TestInC} test
 * @param {string} part
 */
function inFrame(context, known, test, part) {
  const register = context.matchBefore(/\b\d+:%?\w*/);
  if (register) {
    const [thread] = register.text.split(":");
    const used = test.registers(Number(thread));
    const from = register.from + thread.length + 1;
    const rest = part === "init" ? known.registers.filter((name) => !used.has(name)) : [];
    const options = [...used, ...rest].map((name, i) => ({ label: name, detail: `of P${thread}`, help: "", boost: -i / 10 }));
    return { from, options, validFor: /^\w*$/ };
  }
  const word = context.matchBefore(/~?[A-Za-z_]\w*|~|\d+/);
  if (!word && !context.explicit) return null;
  const options = test.locations.map((name) => ({ label: name, detail: "location", help: "", boost: 20 }));
  for (let t = 0; t < test.threads; t++) {
    for (const name of test.registers(t)) options.push({ label: `${t}:${name}`, detail: "register", help: `of P${t}`, boost: 10 });
  }
  if (part === "condition") options.push(...known.keywords.map(keyword));
  // After the colon of a thread's number, registers stand alone: see above.
  return { from: word ? word.from : context.pos, options, validFor: /^[~\w]*$/ };
}

// take splits the text of a test, which may be incomplete, into its parts.
/**
 * @param {string} text
 * @param {TestWords} known
 */
function take(text, known) {
  // Replace comments and strings by spaces of the same length.
  const plain = text.replace(/\(\*[^]*?(\*\)|$)|"[^"]*"?/g, (s) => s.replace(/[^\n]/g, " "));
  const open = plain.indexOf("{");
  const close = open < 0 ? -1 : plain.indexOf("}", braces(plain, open));
  const body = close < 0 ? "" : plain.slice(close + 1);
  const end = /(?:^|[;\n])\s*(exists|forall|locations|filter|final|~)/.exec(body);
  const codeEnd = close < 0 ? -1 : end ? close + 1 + end.index + end[0].length - end[1].length : plain.length;
  const code = close < 0 ? "" : plain.slice(close + 1, codeEnd);
  /** @type {string[][]} */
  const columns = [];
  for (const row of code.split(";")) {
    row.split("|").forEach((cell, i) => (columns[i] ??= []).push(cell));
  }
  const names = new Map(known.registers.map((name) => [name.toUpperCase(), name]));
  const init = open < 0 ? "" : plain.slice(open + 1, close < 0 ? plain.length : close);
  /** @type {Set<string>} */
  const locations = new Set();
  for (const m of init.matchAll(/(?:^|[;\s*{])([A-Za-z_]\w*)\s*(?:\[\d+\]\s*)?(?==|;|$)/gm)) locations.add(m[1]);
  for (const m of init.matchAll(/=\s*&?([A-Za-z_]\w*)/g)) locations.add(m[1]);
  for (const m of code.matchAll(/[[(]\s*([A-Za-z_]\w*)\s*[\])]/g)) {
    if (!names.has(m[1].toUpperCase())) locations.add(m[1]);
  }
  return {
    threads: columns.length,
    locations: [...locations].filter((name) => !names.has(name.toUpperCase()) && !/^P\d+$/.test(name)),
    /** @param {number} pos */
    part(pos) {
      if (open < 0 || pos <= open) return "header";
      if (close < 0 || pos <= close) return "init";
      return !end || pos < codeEnd ? "code" : "condition";
    },
    /** @param {number} pos */
    cellAt(pos) {
      const before = plain.slice(close + 1, pos);
      const row = before.lastIndexOf(";") + 1;
      const cell = Math.max(row, before.lastIndexOf("|") + 1);
      const column = before.slice(row).split("|").length - 1;
      return { from: close + 1 + cell, column, first: column === 0 };
    },
    /** @param {number} column */
    registers(column) {
      /** @type {Set<string>} */
      const used = new Set();
      for (const cell of columns[column] ?? []) {
        for (const [word] of cell.matchAll(/[$%]?\w+/g)) {
          const name = names.get(word.toUpperCase()) ?? names.get(word.replace(/^[%$]/, "").toUpperCase());
          if (name) used.add(name);
        }
      }
      for (const m of init.matchAll(/(\d+):[%]?(\$?\w+)/g)) {
        const name = names.get(m[2].toUpperCase());
        if (Number(m[1]) === column && name) used.add(name);
      }
      return used;
    },
    /** @param {number} column */
    labels: (column) => (columns[column] ?? []).flatMap((cell) => [...cell.matchAll(/(?:^|:)\s*([\w.$]+)(?=\s*:)/g)].map((m) => m[1])),
  };
}

// braces skips the braces of arrays in the init block, and returns the position where the block can close.
/**
 * @param {string} plain
 * @param {number} open
 */
function braces(plain, open) {
  let at = open + 1;
  for (let depth = 0; at < plain.length; at++) {
    if (plain[at] === "{") depth++;
    else if (plain[at] === "}" && depth-- === 0) break;
  }
  return at;
}
