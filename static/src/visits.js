// Keeps the address in step with the page: it contains the current view if that differs from the page of the address
// without its fragment, and leads back to it.

import { carries, decode, encode } from "./address.js";

const PAUSE = 200; // milliseconds before the address follows

/**
 * mount updates the address, and follows it when the visitor changes it.
 * @param {VisitHooks} page
 *   state(): what is on show, as address.encode takes it, or null while that is nothing;
 *   open(state): puts one in place; pick(id): a classic test;
 *   fail(error): a link cannot be read
 */
export function mount(page) {
  let clean = ""; // the state for the address without a fragment
  let href = location.href; // the last known address
  let timer = 0;
  let turn = 0;

  async function follow() {
    const mine = ++turn;
    const state = page.state();
    if (!state) return;
    let hash = "";
    if (JSON.stringify(state) !== clean) hash = await encode(state).catch(() => ""); // too long for an address
    if (mine !== turn) return;
    const url = location.pathname + location.search + hash;
    if (url !== location.pathname + location.search + location.hash) history.replaceState(history.state, "", url);
    href = location.href;
  }

  async function arrive() {
    if (location.href === href) return;
    clearTimeout(timer);
    turn++;
    const before = new URL(href);
    href = location.href;
    const same = location.pathname === before.pathname && location.search === before.search;
    if (carries(location.hash)) await here();
    else if (same && (location.hash !== "" || !carries(before.hash))) follow(); // a fragment of another kind
    else if (history.state?.test) page.pick(history.state.test);
    else location.reload();
  }

  async function here() {
    try {
      await page.open(await decode(location.hash));
      return true;
    } catch (e) {
      page.fail(e);
      return false;
    }
  }

  for (const type of ["popstate", "hashchange"]) addEventListener(type, arrive);

  return {
    /** changed is to be called when what is on show may have changed. */
    changed() {
      clearTimeout(timer);
      timer = setTimeout(follow, PAUSE);
    },
    /** settled says that what is on show is what the address is for, without a fragment. */
    settled() {
      clean = JSON.stringify(page.state());
    },
    /** moved is to be called when the page has gone to another address. */
    moved() {
      clearTimeout(timer);
      turn++;
      href = location.href;
    },
    /** here opens what the address carries, and tells whether it could. */
    here,
  };
}
