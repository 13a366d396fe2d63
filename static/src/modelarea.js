// The editor of a single model, such as in an exercise. Loaded when the visitor is about to type.

import { pathTo } from "./base.js";
import { catLanguage, completeModel } from "./catlanguage.js";
import { offered, resume } from "./completion.js";
import { mount } from "./editor.js";
import * as savedBar from "./savedbar.js";
import { nonce, send } from "./send.js";
import { words } from "./words.js";

let editors = 0;

/**
 * mountModel makes an editor of models of a textarea.
 * @param {HTMLTextAreaElement} area
 * @param {() => void} run what Control-Enter does
 * @param {() => void} changed is told that something is typed
 */
export async function mountModel(area, run, changed) {
  const known = await words("cat");
  const editor = await mount(area, nonce, {
    id: `model-area-${++editors}`,
    label: area.getAttribute("aria-label") ?? "Model in cat",
    run,
    change: changed,
    pasted() {},
    cell() {},
    language: () => catLanguage(known),
    writing: async () => ({ extension: offered(completeModel(known, () => null)), resume }),
    async check(text) {
      try {
        const body = new URLSearchParams({ "own-name": "own", "own-text": text, "own-files": "" });
        /** @type {Required<Checked>} */
        const { own } = await (await send(pathTo("/check"), body)).json();
        return own.flatMap((m) => m.errors.map((e) => ({ ...e, severity: /** @type {const} */ ("error") })));
      } catch {
        return []; // checking it reports the errors
      }
    },
  });
  const bar = savedBar.mount({ model: () => ({ name: "", text: editor.text(), files: {} }), put: (m) => editor.setText(m.text), named: true });
  area.parentElement?.insertBefore(bar, area);
  return editor;
}
