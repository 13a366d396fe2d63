// Shows the compiled code of a test in C: below its answer or, for all architectures, in a row above the page.

import { pathTo } from "./base.js";
import { send } from "./send.js";
import { light } from "./lines.js";

/**
 * compile shows a compiled test.
 * @param {HTMLElement} box where
 * @param {URLSearchParams} asked the question with the test
 * @param {string} to an architecture, and perhaps variants behind a blank; or "all"
 * @param {string} at where it is compiled
 */
export async function compile(box, asked, to, at = pathTo("/compile")) {
  const question = new URLSearchParams(asked);
  question.set("to", to);
  box.setAttribute("aria-busy", "true");
  try {
    const html = await (await send(at, question)).text();
    if (to === "all") return beside(html);
    box.innerHTML = html;
    box.querySelector("[aria-pressed=true]")?.focus({ preventScroll: true });
    box.scrollIntoView({ block: "start" });
  } catch (e) {
    box.textContent = e.message;
  } finally {
    box.removeAttribute("aria-busy");
  }
  return undefined;
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
  dialog.querySelector(".row")?.focus();
}
