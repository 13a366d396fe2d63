// The picture of an answer in a class: its drawing and its run, which the teacher steps for all.

import * as execution from "./execution.js";

/**
 * activate makes a picture interactive.
 * @param {HTMLElement} box the section that the server rendered
 * @param {boolean} large makes the drawing fill its place, for the projector
 * @param {(step: number, end: boolean) => unknown} stepped is told of each step, and whether it is the last
 * @returns where its run is and how to put it elsewhere, as steps.activate does
 */
export function activate(box, large, stepped) {
  /** @param {Set<string>} keys */
  const light = (keys) => {
    for (const e of box.querySelectorAll(".code [data-key]")) e.classList.toggle("lit", keys.has(e.dataset.key));
  };
  const run = execution.activate(box, light, { onStep: ({ step, end }) => stepped(step, end), say() {} });
  const fit = box.querySelector("[data-zoom=fit]");
  if (large && fit) {
    new ResizeObserver((_, watching) => {
      if (box.isConnected) requestAnimationFrame(() => fit.click());
      else watching.disconnect();
    }).observe(box.querySelector(".drawing"));
  }
  return run;
}
