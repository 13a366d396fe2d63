// Runs the page's litmus test on the server's machine, and asks again for the answer, which has the counts then.

import { pathTo } from "./base.js";
import { send } from "./send.js";

/**
 * run runs the test on the server's machine.
 * @param {HTMLElement} pane the answer
 * @param {URLSearchParams} asked the test
 */
export async function run(pane, asked) {
  const box = /** @type {HTMLElement} */ (pane.querySelector(".on-server"));
  const button = /** @type {HTMLButtonElement} */ (box.querySelector("button"));
  const out = /** @type {HTMLElement} */ (box.querySelector(".ran"));
  button.disabled = true;
  out.textContent = "The server compiles and runs the test, after those of others …";
  try {
    await send(pathTo("/native"), asked);
    if (box.isConnected) document.getElementById("run").click();
  } catch (e) {
    out.textContent = e.message;
  }
  button.disabled = false;
}
