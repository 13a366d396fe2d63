// Puts what a button opens beside it, for browsers that know no anchors: for the others, the style sheet does.

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
