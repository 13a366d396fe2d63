// The picture of an execution: its drawing, its run and its explanation, which highlight each other.

import * as drawing from "./drawing.js";
import * as steps from "./steps.js";

/** @type {WeakMap<Element, NonNullable<Drawing>>} */
const drawings = new WeakMap(); // by section of the page

/**
 * drawingOf is the drawing in a picture, or null; see drawing.activate.
 * @param {Element} box
 */
export const drawingOf = (box) => drawings.get(box) ?? null;

/**
 * activate makes a new picture interactive.
 * @param {HTMLElement} box the section that the server rendered
 * @param {(keys: Set<string>) => unknown} light called with the keys of the instructions
 *   whose events are lit
 * @param {RunHooks} [hooks] what a run and a drawing need of the page; see steps.activate and
 *   drawing.activate
 * @returns what steps.activate does
 */
export function activate(box, light, hooks) {
  for (const step of box.querySelectorAll("[data-key]")) {
    step.addEventListener("mouseenter", () => light(new Set([step.dataset.key])));
    step.addEventListener("mouseleave", () => light(new Set()));
  }
  const drawn = drawing.activate(box, { lit: light, file: hooks?.file, say: hooks?.say });
  if (drawn) {
    drawings.set(box, drawn);
    sentence(box, drawn, light);
  }
  return steps.activate(box, hooks);
}

// sentence connects the explanation of a forbidden outcome to the drawing.
/**
 * @param {HTMLElement} box
 * @param {NonNullable<Drawing>} drawn
 * @param {(keys: Set<string>) => unknown} light
 */
function sentence(box, drawn, light) {
  for (const word of box.querySelectorAll("[data-lights]")) {
    const ids = word.dataset.lights.split(" ");
    const on = () => light(new Set(drawn.light(ids)));
    const off = () => light(new Set(drawn.light([])));
    for (const type of ["mouseenter", "focus"]) word.addEventListener(type, on);
    for (const type of ["mouseleave", "blur"]) word.addEventListener(type, off);
  }
}

/**
 * lightCell highlights the events of an instruction in a picture.
 * @param {HTMLElement} box as for activate
 * @param {string | string[] | null} key "thread:instruction", or several, or null for none
 */
export function lightCell(box, key) {
  const keys = [key].flat();
  for (const step of box?.querySelectorAll("[data-key]") ?? []) {
    step.classList.toggle("lit", keys.includes(step.dataset.key));
  }
  drawingOf(box)?.lightInstructions(keys);
}
