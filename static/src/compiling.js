// What a test in C is compiled to, below its answer.

import { send } from "./send.js";

/**
 * compile shows what a test is compiled to.
 * @param {HTMLElement} box where
 * @param {URLSearchParams} asked the question with the test
 * @param {string} to an architecture, and perhaps variants behind a blank
 */
export async function compile(box, asked, to) {
  const question = new URLSearchParams(asked);
  question.set("to", to);
  box.setAttribute("aria-busy", "true");
  try {
    const r = await send("/compile", question);
    box.innerHTML = await r.text();
    box.querySelector("[aria-pressed=true]")?.focus({ preventScroll: true });
    box.scrollIntoView({ block: "start" });
  } catch (e) {
    box.textContent = e.message;
  }
  box.removeAttribute("aria-busy");
}
