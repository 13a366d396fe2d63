// Opens the order of models on the architecture that the visitor last asked about, unless the address names one.

import { last, remember } from "./lastarch.js";

const asked = new URLSearchParams(location.search).get("arch");
if (asked) remember(asked);
else if (last()) {
  const links = [...document.querySelectorAll(".archs[data-usual] a:not([aria-current])")];
  const link = links.find((a) => a.textContent === last());
  if (link) location.replace(/** @type {HTMLAnchorElement} */ (link).href);
}
