// An exploration: choosing a line shows its graph; up and down move from line to line.

import * as drawing from "./drawing.js";
import { nonce } from "./send.js";

/**
 * activate makes a tour interactive.
 * @param {HTMLElement} box
 * @param {(text: string) => void} say to those who listen
 * @param {(address: string) => void} [chosen] the address of the line that is shown
 */
export function activate(box, say, chosen) {
  const lines = /** @type {HTMLAnchorElement[]} */ ([...box.querySelectorAll("ol a")]);
  /** @type {AbortController | null} */
  let asking = null;
  const pane = () => /** @type {HTMLElement} */ (box.querySelector(".graph-shown"));

  /** @param {HTMLAnchorElement} line */
  async function show(line) {
    asking?.abort();
    const mine = (asking = new AbortController());
    for (const l of lines) l.toggleAttribute("aria-current", l === line);
    line.setAttribute("aria-current", "true");
    pane().setAttribute("aria-busy", "true");
    try {
      const r = await fetch(`${line.getAttribute("href")}&part`, { signal: mine.signal, headers: { "X-Page-Nonce": nonce } });
      if (!r.ok) throw new Error(`The server answered ${r.status}.`);
      const holder = document.createElement("template");
      holder.innerHTML = await r.text();
      if (mine.signal.aborted) return;
      pane().replaceWith(holder.content);
      drawing.activate(pane(), { say });
      chosen?.(line.href);
      say(pane().querySelector(".place").textContent.replace(/\s+/g, " ").trim());
    } catch (e) {
      if (mine.signal.aborted) return;
      pane().removeAttribute("aria-busy");
      say(e.message);
    }
  }

  for (const line of lines) {
    line.addEventListener("click", (e) => {
      if (e.ctrlKey || e.metaKey || e.shiftKey || e.button) return;
      e.preventDefault();
      show(line);
    });
    line.addEventListener("keydown", (e) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
      const to = e.key === "Home" ? lines[0] : e.key === "End" ? lines.at(-1) : step && lines[lines.indexOf(line) + step];
      if (!to) return;
      e.preventDefault();
      to.focus();
      show(to);
    });
  }
  drawing.activate(pane(), { say });
}
