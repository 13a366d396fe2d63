// Marks problems in an editor.

import { forceLinting, lintGutter, lintKeymap, linter, setDiagnostics } from "@codemirror/lint";
import { keymap } from "@codemirror/view";
import { pathTo } from "./base.js";

export { forceLinting };
export { mount as list } from "./problems.js";

/**
 * linting is the editor extension.
 * @param {import("@codemirror/lint").LintSource} check gives diagnostics whenever typing rests
 */
export function linting(check) {
  return [lintGutter(), keymap.of(lintKeymap), linter(check, { delay: 350 })];
}

/**
 * diagnostic marks the word at a problem, or the whole line if there is no word.
 * @param {Doc} doc CodeMirror's text
 * @param {Problem} d counted from 1
 */
export function diagnostic(doc, d) {
  const line = doc.line(Math.min(Math.max(d.line, 1), doc.lines));
  let from = Math.min(line.from + Math.max(d.col, 1) - 1, line.to);
  const rest = line.text.slice(from - line.from);
  let to = from + Math.max(rest.search(/[\s;|]|$/), 1);
  if (to > line.to) {
    to = line.to;
    if (from >= to) from = line.from;
  }
  const { fix } = d;
  return { from, to, severity: d.severity, message: d.message, actions: fix && [{ name: fix.title, apply: (/** @type {CodeView} */ view) => mend(view, fix) }] };
}

/**
 * openElsewhere shows a text on another page.
 * @param {string} address
 * @param {string} text
 */
function openElsewhere(address, text) {
  const form = document.createElement("form");
  form.method = "post";
  form.action = pathTo(address);
  form.hidden = true;
  for (const [name, value] of [["source", text], ["open", "text"]]) {
    const field = document.createElement("textarea");
    field.name = name;
    field.value = value;
    form.append(field);
  }
  document.body.append(form);
  form.requestSubmit();
}

/**
 * mend applies the fix of a problem, if the text has not changed.
 * @param {import("@codemirror/view").EditorView} view
 * @param {Fix} [fix]
 */
export function mend(view, fix) {
  if (!fix) return;
  if (fix.open) {
    openElsewhere(fix.open, view.state.doc.toString());
    return;
  }
  const { doc } = view.state;
  const from = fix.line > doc.lines ? doc.length : doc.line(fix.line).from + fix.col - 1;
  const to = from + fix.was.length;
  if (to > doc.length || doc.sliceString(from, to) !== fix.was) return;
  view.focus();
  view.dispatch({ changes: { from, to, insert: fix.text }, selection: { anchor: from + fix.text.length }, scrollIntoView: true, userEvent: "input" });
}

/**
 * again checks an unchanged text again.
 * @param {import("@codemirror/view").EditorView} view
 * @param {(view: import("@codemirror/view").EditorView) => Promise<import("@codemirror/lint").Diagnostic[]>} check as for linting
 */
export async function again(view, check) {
  const { doc } = view.state;
  const list = await check(view);
  if (doc === view.state.doc) view.dispatch(setDiagnostics(view.state, list));
}
