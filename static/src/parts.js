// Reads an answer that comes in parts, each of which replaces the previous one.

/**
 * read hands on the parts of an answer: lines of JSON, the last of which says so.
 * @param {Response} r
 * @returns {AsyncGenerator<AnswerPart>}
 */
export async function* read(r) {
  let text = "";
  const reader = /** @type {ReadableStream} */ (r.body).pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value = "" } = await reader.read().catch((e) => {
      if (e.name === "AbortError") throw e;
      return { done: true, value: "" };
    });
    const lines = (text + value).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) {
      /** @type {AnswerPart} */
      const part = JSON.parse(line);
      yield part;
      if (part.last) return;
    }
    if (done) throw new Error("The connection broke. Your text is safe; try again.");
  }
}

/**
 * keep notes where somebody is in the answer.
 * @param {HTMLElement} pane
 * @returns {() => void} brings them back there in the part that has come since
 */
export function keep(pane) {
  const has = /** @type {HTMLButtonElement} */ (document.activeElement);
  const cell = pane.contains(has) && has.name ? `button[name="${has.name}"][value="${has.value}"]` : "";
  const card = pane.querySelector(":popover-open")?.id;
  const left = pane.querySelector(".table")?.scrollLeft;
  const differ = pane.querySelector("#differ")?.checked;
  return () => {
    if (card) document.getElementById(card)?.showPopover();
    if (left) pane.querySelector(".table")?.scrollTo(left, 0);
    const box = pane.querySelector("#differ");
    if (differ && box) box.click();
    if (cell) pane.querySelector(cell)?.focus({ preventScroll: true });
  };
}
