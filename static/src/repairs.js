// What would forbid an outcome: changes of the test, as diffs below its picture, to be put into the editor.

import { send } from "./send.js";

/**
 * repairs asks for them, and shows them.
 * @param {HTMLButtonElement} button which says what is to be forbidden
 * @param {URLSearchParams} asked the question with the test
 * @param {(text: string) => void} take puts a test into the editor
 */
export async function repairs(button, asked, take) {
  const box = /** @type {HTMLElement} */ (button.parentElement).querySelector(".mended");
  const question = new URLSearchParams(asked);
  question.set("repair", button.value);
  button.disabled = true;
  box.setAttribute("aria-busy", "true");
  try {
    box.innerHTML = await (await send("/repair", question)).text();
    for (const a of box.querySelectorAll("a[data-take]")) {
      a.addEventListener("click", (e) => {
        e.preventDefault();
        take(a.dataset.take);
      });
    }
    box.querySelector("h3")?.focus({ preventScroll: true });
  } catch (e) {
    box.textContent = e.message;
  } finally {
    box.removeAttribute("aria-busy");
    button.disabled = false;
  }
}
