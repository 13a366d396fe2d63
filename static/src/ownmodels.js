// The visitor's models on a page: form fields, with an editor that is loaded on first use.

import { pathTo } from "./base.js";
import * as engines from "./engines.js";
import * as models from "./models.js";
import { nonce, send } from "./send.js";
import * as states from "./state.js";

/**
 * mount takes care of them.
 * @param {HTMLFormElement} form
 * @param {{run: () => unknown, changed: () => unknown}} bench the bench that they are on
 * @returns state(): the models [{name, text, files}]; restore(list): puts others in place, and gives a promise where that takes
 *   time; ready(): a promise of the editor, see cateditor.js; light(file, from, to): lights lines, if the editor is there
 */
export function mount(form, bench) {
  const box = form.querySelector(".own-models");
  const details = box.closest("details");
  /** @type {CatEditor | null} */
  let own = null; // the editor, once it is loaded
  /** @type {Promise<CatEditor> | null} */
  let owning = null; // the promise of the editor

  function ready() {
    details.open = true;
    owning ??= import("./cateditor.js").then(async (editing) => {
      own = await editing.mount(box, {
        nonce,
        run: () => bench.run(),
        change: bench.changed,
        rename: (from, to) => models.rename(form, from, to),
        async check(list) {
          const body = new URLSearchParams();
          for (const m of list) {
            body.append("own-name", m.name);
            body.append("own-text", m.text);
            body.append("own-files", JSON.stringify(m.files));
          }
          return (await send(pathTo("/check"), body)).json();
        },
      });
      engines.fit(form);
      return own;
    });
    return owning;
  }

  const state = () => (own ? own.state() : states.rows(box));
  details.addEventListener("toggle", () => details.open && ready());
  return {
    ready,
    state,
    /** @param {OwnModel[]} list */
    restore(list) {
      if (own) own.restore(list);
      else if (list.length > 0 || state().length > 0) return ready().then((o) => o.restore(list));
      return null;
    },
    /**
     * @param {string} file
     * @param {number} from
     * @param {number} to
     */
    light: (file, from, to) => own?.lightLines(file, from, to),
    // begin runs when the page is ready.
    begin: () => details.open && ready(),
  };
}
