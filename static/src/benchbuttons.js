// What a bench has around its text and its answer: the sheet, the menu of links, and keys.

import { encode } from "./address.js";

/**
 * sheet puts a test on the sheet as a link to it would have it.
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
 * share opens the menu of links and copies, which is fetched when it is first wanted.
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

/** jumps has links within the page move the focus, and leave the address alone. */
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
