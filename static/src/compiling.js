// Shows the compiled code of a test in C: below its answer or, for all architectures, in a row above the page. Enlarge
// shows the code below the answer above the page.

import { pathTo } from "./base.js";
import { send } from "./send.js";
import { light } from "./lines.js";

/**
 * compile shows a compiled test.
 * @param {HTMLElement | null} box where; null if the answer has no place for it
 * @param {URLSearchParams} asked the question with the test
 * @param {string} to an architecture, and perhaps variants behind a blank; "all"; "compiler" and the name of one behind
 *   a blank; or "listing" for the listing in the box
 * @param {string} at where it is compiled
 */
export async function compile(box, asked, to, at = pathTo("/compile")) {
  if (!box) return; // a link's text that is no test in C
  const question = new URLSearchParams(asked);
  const variants = box.contains(document.activeElement); // one was pressed, and keeps the focus
  question.set("to", to);
  if (to === "listing") for (const f of box.querySelectorAll("[name=listing], [name=of]")) question.set(f.name, f.value);
  box.setAttribute("aria-busy", "true");
  try {
    const html = await (await send(at, question)).text();
    record(box, to === "listing" ? "" : to);
    if (to === "all") {
      const dialog = above("Compiled, side by side");
      dialog.insertAdjacentHTML("beforeend", html);
      light(dialog);
      heading(dialog);
      dialog.addEventListener("close", () => record(box, ""));
      return;
    }
    box.innerHTML = html;
    work(box);
    /** @type {HTMLDetailsElement} */ (box.closest("details")).open = true;
    const title = heading(box);
    const sheet = box.querySelector("link"); // it keeps the title below a phone's bar
    if (sheet && !sheet.sheet) await new Promise((done) => (sheet.onload = sheet.onerror = done));
    if (variants) box.querySelector("[aria-pressed=true]")?.focus({ preventScroll: true });
    title.scrollIntoView({ block: "start" });
  } catch (e) {
    record(box, "");
    box.innerHTML = "<p role=alert></p>";
    /** @type {Element} */ (box.firstChild).textContent = e.message;
  } finally {
    box.removeAttribute("aria-busy");
  }
}

// record has the page's address lead back to what is compiled; "" for nothing.
/**
 * @param {HTMLElement} box
 * @param {string} to
 */
function record(box, to) {
  box.dataset.compiled = to;
  box.dispatchEvent(new Event("compiled", { bubbles: true }));
}

// heading focuses the title of the new part, so that screen readers announce it and continue from there.
/** @param {HTMLElement} box */
function heading(box) {
  const title = /** @type {HTMLElement} */ (box.querySelector("h3"));
  title.tabIndex = -1;
  title.focus({ preventScroll: true });
  return title;
}

// above opens a dialog above the page.
/** @param {string} title */
function above(title) {
  const dialog = document.createElement("dialog");
  dialog.className = "compiled-all";
  dialog.setAttribute("aria-label", title);
  const close = document.createElement("button");
  close.type = "button";
  close.className = "quiet close";
  close.textContent = "Close";
  close.addEventListener("click", () => dialog.close());
  dialog.prepend(close);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

// work connects the lines and the buttons of compiled code.
/** @param {HTMLElement} box */
function work(box) {
  const code = /** @type {HTMLElement | null} */ (box.querySelector(".compiled"));
  if (!code) return;
  light(code);
  code.addEventListener("click", async (e) => {
    const button = e.target.closest("button");
    if (button?.matches(".enlarge")) {
      const dialog = above("Compiled code");
      dialog.append(code);
      heading(dialog);
      dialog.addEventListener("close", () => {
        box.append(code);
        button.focus();
      });
    } else if (button?.matches(".copy")) {
      const text = /** @type {HTMLElement} */ (code.querySelector(button.dataset.copies ?? ".whole pre")).textContent;
      const done = await navigator.clipboard?.writeText(text).then(() => true, () => false);
      button.textContent = done ? "Copied" : "Select the text below to copy it";
      if (!done) /** @type {HTMLElement} */ (code.querySelector("details")).toggleAttribute("open", true);
    } else if (e.target.matches("a[data-listing]")) {
      e.preventDefault();
      const [line, col] = /** @type {string} */ (e.target.dataset.listing).split(":").map(Number);
      const area = /** @type {HTMLTextAreaElement} */ (code.querySelector("textarea[name=listing]"));
      const lines = area.value.split("\n");
      const from = lines.slice(0, line - 1).reduce((n, l) => n + l.length + 1, 0);
      area.focus();
      area.setSelectionRange(from + col - 1, from + (lines[line - 1] ?? "").length);
    }
  });
}
