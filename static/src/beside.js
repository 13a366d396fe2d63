// Places a popup beside its button in browsers without CSS anchor positioning.

import { put } from "./help.js";

document.addEventListener(
  "toggle",
  (e) => {
    const card = /** @type {HTMLElement} */ (e.target);
    if (!card.matches(".beside:popover-open")) return;
    card.style.margin = "0";
    put(card, document.querySelector(`[popovertarget="${card.id}"]`).getBoundingClientRect());
  },
  true,
);
