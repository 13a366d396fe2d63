// Hides the result of a form while the form says something else than what was sent. The form names the parts of its
// result as selectors in data-answer. What was sent are the defaults of its fields, which the server renders.

import { hiding } from "./hiding.js";

/** @param {Field | HTMLSelectElement} e */
function isChanged(e) {
  if (e instanceof HTMLSelectElement) return e.selectedIndex !== Math.max(0, [...e.options].findIndex((o) => o.defaultSelected));
  if (e.type === "checkbox" || e.type === "radio") return e.checked !== e.defaultChecked;
  return e.value !== e.defaultValue;
}

/**
 * watch hides and shows the result of a form.
 * @param {HTMLFormElement} form
 */
function watch(form) {
  const parts = () => [...document.querySelectorAll(form.dataset.answer)];
  const main = form.querySelector("button.main") ?? form.querySelector("button");
  const [first] = parts();
  const below = first && first.compareDocumentPosition(form) & Node.DOCUMENT_POSITION_FOLLOWING;
  const hide = hiding(parts, `The form has changed. Press ${main.textContent.trim()} to see its result, or undo the change.`, below ? form : undefined);
  const mark = () => {
    if (parts().length === 0) return;
    const fields = /** @type {(Field | HTMLSelectElement)[]} */ ([...form.elements]).filter((e) => e.name && !/^(hidden|file|submit|button|fieldset)$/.test(e.type));
    const changed = fields.some(isChanged);
    hide(changed);
    for (const name of document.querySelectorAll("[data-edited]")) name.textContent = name.dataset.edited + (changed ? " (edited)" : "");
    document.title = document.title.replace(/( \(edited\))? –/, changed ? " (edited) –" : " –");
  };
  for (const type of ["input", "change"]) form.addEventListener(type, mark);
  addEventListener("pageshow", mark); // browsers restore edits on the way back
  mark();
}

for (const form of document.querySelectorAll("form[data-answer]")) watch(/** @type {HTMLFormElement} */ (form));
