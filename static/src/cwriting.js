// Completion and search for C programs, loaded when the visitor first types.

import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { keymap } from "@codemirror/view";
import { offered, resume } from "./completion.js";
import { words } from "./words.js";

export const writing = () => ({ extension: [highlightSelectionMatches(), keymap.of(searchKeymap), offered(source)], resume });

/** @param {Completing} context */
async function source(context) {
  const word = context.matchBefore(/[A-Za-z_]\w*/);
  if (!word && !context.explicit) return null;
  const known = await words("program");
  if (!known || context.aborted) return null;
  const from = word?.from ?? context.pos;
  const text = context.state.doc.toString();
  const plain = (text.slice(0, from) + text.slice(context.pos)).replace(/\/\/.*|\/\*[^]*?(\*\/|$)|"(\\.|[^"\\\n])*"?/g, " ");
  if (inComment(text.slice(0, from))) return null;
  const here = (/** @type {Instruction} */ { help }) => text.includes(/<.*>/.exec(help)?.[0] ?? ""); // its header is there, or it needs none
  const called = new Set(known.calls.map((c) => c.name));
  const own = new Set([...plain.matchAll(/\b[A-Za-z_]\w+\b/g)].map(([w]) => w).filter((w) => !called.has(w)));
  return {
    from,
    options: [
      ...[...own].map((label) => ({ label, detail: "", help: "of this program", boost: 60 })),
      ...known.calls.map((c, i) => call(c, here(c) ? 40 - i / 4 : -10 - i / 4)),
    ],
    validFor: /^\w*$/,
  };
}

// inComment reports whether a text ends in a comment or a string.
/** @param {string} text */
function inComment(text) {
  const line = text.slice(text.lastIndexOf("\n") + 1).replace(/"(\\.|[^"\\])*"/g, "");
  return text.lastIndexOf("/*") > text.lastIndexOf("*/") || /\/\/|"/.test(line);
}

// call offers calls, and continues between the parentheses if there are arguments.
function call(/** @type {Instruction} */ { name, operands, help }, /** @type {number} */ boost) {
  return {
    label: name,
    detail: operands,
    help,
    boost: Math.max(-99, boost),
    /**
     * @param {CodeView} view
     * @param {Completion} _
     * @param {number} from
     * @param {number} to
     */
    apply(view, _, from, to) {
      const end = from + name.length + 2;
      view.dispatch({
        changes: { from, to, insert: `${name}()` },
        selection: { anchor: operands === "(void)" || operands === "()" ? end : end - 1 },
        userEvent: "input.complete",
      });
    },
  };
}
