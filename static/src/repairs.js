// Repairs of a test or program: changes as diffs that can be put into the editor.

import { pathTo } from "./base.js";
import { lines, send } from "./send.js";
import * as waiting from "./waiting.js";

/** @type {WeakMap<Element, AbortController>} */
const asking = new WeakMap(); // the running request of each box

/**
 * repairs asks for them, and shows them.
 * @param {HTMLElement} box where
 * @param {string} mended what is to be
 * @param {URLSearchParams} asked the question with the text
 * @param {{at: string, what: string, take: (text: string) => void, fails?: (button: HTMLButtonElement) => unknown}} on
 *   at: where it is asked; what: is being done; take(text): puts a text into the editor; fails(button): shows what fails without a change
 */
export async function repairs(box, mended, asked, { at, what, take, fails }) {
  asking.get(box)?.abort();
  const mine = new AbortController();
  asking.set(box, mine);
  const question = new URLSearchParams(asked);
  question.set("repair", mended);
  const around = /** @type {HTMLElement} */ (box.parentElement);
  const wait = waiting.begin(around, { what, cancel: () => mine.abort() });
  box.replaceChildren();
  /** @param {string} html */
  const show = (html) => {
    box.innerHTML = html;
    for (const e of box.querySelectorAll("[data-take]")) {
      e.addEventListener("click", (click) => {
        click.preventDefault();
        take(e.dataset.take);
      });
    }
    for (const b of box.querySelectorAll("button[data-without]")) b.addEventListener("click", () => fails?.(b));
  };
  try {
    const r = await send(pathTo(at), question, mine.signal);
    const parts = r.headers.get("Content-Type") === lines ? await import("./parts.js") : null;
    for await (const { part, last, problem } of parts ? parts.read(r) : [{ part: await r.text(), last: true }]) {
      if (problem) throw new Error(problem);
      if (!box.isConnected) mine.abort(); // its answer was removed from the page
      if (mine.signal.aborted) break;
      show(part);
      if (!last) wait.came();
    }
    if (!mine.signal.aborted) box.querySelector("h3")?.focus({ preventScroll: true });
  } catch (e) {
    if (!mine.signal.aborted) box.textContent = e.message;
    else if (asking.get(box) === mine) box.append(stopped());
  } finally {
    wait.end();
  }
}

function stopped() {
  const p = document.createElement("p");
  p.className = "hint";
  p.textContent = "Cancelled.";
  return p;
}
