// Hides an answer while the question beside it says something else, and shows it again when the edit is undone.

/**
 * hiding returns a function that hides parts of the page or shows them again. Hidden parts keep their place, so that
 * nothing moves, and screen readers do not read them.
 * @param {() => HTMLElement[]} parts
 * @param {string} text what stands in their place meanwhile; "" for nothing
 * @param {HTMLElement} [also] an element whose end has the text too
 */
export function hiding(parts, text, also) {
  /** @type {HTMLElement[]} */
  let notes = [];
  /** @param {HTMLElement} first */
  const write = (first) => {
    const note = () => Object.assign(document.createElement("p"), { className: "hint outdated", textContent: text });
    notes = also ? [note(), note()] : [note()];
    first.before(notes[0]);
    also?.append(notes[1]);
    notes[0].style.position = "absolute";
    /** @type {HTMLElement} */ (notes.at(-1)).setAttribute("role", "status");
  };
  return (/** @type {boolean} */ hide) => {
    const all = parts();
    for (const part of all) part.style.visibility = hide ? "hidden" : "";
    if (hide && text && all.length > 0 && !notes.some((n) => n.isConnected)) write(all[0]);
    for (const n of notes) n.hidden = !hide;
    if (hide && notes.length > 0) notes[0].style.maxWidth = `${all[0].offsetWidth}px`;
  };
}
