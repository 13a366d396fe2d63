// Buttons around a page's text and answer: the sheet, the share menu, and links within the page.

import { encode } from "./address.js";

/**
 * sheet adds a test to the sheet in the format of a link.
 * @param {HTMLButtonElement | null} button where there is one
 * @param {() => Link | null} link
 * @param {(text: string) => unknown} say
 */
export function sheet(button, link, say) {
  button?.addEventListener("click", async () => {
    try {
      const { add } = await import("./sheet.js");
      const state = link();
      if (state) add(button, (await encode(state)).slice(1), say);
    } catch (e) {
      say(e.message);
    }
  });
}

/**
 * share opens the share menu, which it loads on first use.
 * @param {HTMLElement} button
 * @param {ShareHooks} on
 * @param {(text: string) => unknown} tell
 */
export function share(button, on, tell) {
  async function open() {
    button.removeEventListener("click", open);
    try {
      const sharing = await import("./share.js");
      (await sharing.mount(button, on)).open();
    } catch (e) {
      button.addEventListener("click", open);
      tell(e.message);
    }
  }
  button.addEventListener("click", open);
}

/** jumps makes links within the page move the focus without changing the address. */
export function jumps() {
  document.addEventListener("click", (e) => {
    const to = e.target.closest?.(".skip, .jump a")?.getAttribute("href");
    if (!to) return;
    e.preventDefault();
    const pane = document.querySelector(to);
    pane.focus();
    pane.scrollIntoView({ block: "start" });
  });
}
