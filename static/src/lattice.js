// Opens the order of models on the architecture that the visitor last asked about, unless the address names one, and
// scrolls a wide diagram to its middle.

import { last, remember } from "./lastarch.js";

// The strongest model is in the middle of the top.
for (const box of document.querySelectorAll("figure .scroll")) box.scrollLeft = (box.scrollWidth - box.clientWidth) / 2;

const asked = new URLSearchParams(location.search).get("arch");
if (asked) remember(asked);
else if (last()) {
  const links = [...document.querySelectorAll(".archs[data-usual] a:not([aria-current])")];
  const link = links.find((a) => a.textContent === last());
  if (link) location.replace(/** @type {HTMLAnchorElement} */ (link).href);
}
