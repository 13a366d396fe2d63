// Shows the compiled code of a test in C: below its answer or, for all architectures, in a row above the page.

import { pathTo } from "./base.js";
import { send } from "./send.js";
import { light } from "./lines.js";

/**
 * compile shows a compiled test.
 * @param {HTMLElement | null} box where; null if the answer has no place for it
 * @param {URLSearchParams} asked the question with the test
 * @param {string} to an architecture, and perhaps variants behind a blank; or "all"
 * @param {string} at where it is compiled
 */
export async function compile(box, asked, to, at = pathTo("/compile")) {
  if (!box) return; // a link's text that is no test in C
  const question = new URLSearchParams(asked);
  const variants = box.contains(document.activeElement); // one was pressed, and keeps the focus
  question.set("to", to);
  box.setAttribute("aria-busy", "true");
  try {
    const html = await (await send(at, question)).text();
    record(box, to);
    if (to === "all") {
      const dialog = beside(html);
      dialog.addEventListener("close", () => record(box, ""));
      return;
    }
    box.innerHTML = html;
    /** @type {HTMLDetailsElement} */ (box.closest("details")).open = true;
    const title = heading(box);
    const sheet = box.querySelector("link"); // it keeps the title below a phone's bar
    if (sheet && !sheet.sheet) await new Promise((done) => (sheet.onload = sheet.onerror = done));
    if (variants) box.querySelector("[aria-pressed=true]")?.focus({ preventScroll: true });
    title.scrollIntoView({ block: "start" });
  } catch (e) {
    record(box, "");
    box.innerHTML = "<p role=alert></p>";
    /** @type {Element} */ (box.firstChild).textContent = e.message;
  } finally {
    box.removeAttribute("aria-busy");
  }
}

// record has the page's address lead back to what is compiled; "" for nothing.
/**
 * @param {HTMLElement} box
 * @param {string} to
 */
function record(box, to) {
  box.dataset.compiled = to;
  box.dispatchEvent(new Event("compiled", { bubbles: true }));
}

// heading focuses the title of the new part, so that screen readers announce it and continue from there.
/** @param {HTMLElement} box */
function heading(box) {
  const title = /** @type {HTMLElement} */ (box.querySelector("h3"));
  title.tabIndex = -1;
  title.focus({ preventScroll: true });
  return title;
}

// beside shows all compiled tests in a row and highlights the instructions of a line.
/** @param {string} html */
function beside(html) {
  const dialog = document.createElement("dialog");
  dialog.className = "compiled-all";
  dialog.innerHTML = html;
  dialog.setAttribute("aria-label", "Compiled, side by side");
  const close = document.createElement("button");
  close.type = "button";
  close.className = "quiet close";
  close.textContent = "Close";
  close.addEventListener("click", () => dialog.close());
  dialog.prepend(close);
  dialog.addEventListener("close", () => dialog.remove());
  light(dialog);
  document.body.append(dialog);
  dialog.showModal();
  heading(dialog);
  return dialog;
}
