// Words for completion, requested once for each language: the dialect of tests, C programs ("program") or models
// ("cat").

import { pathTo } from "./base.js";

/** @type {Map<string, Promise<unknown>>} */
const known = new Map();

/**
 * words returns the words of a language.
 * @template {string} Tongue
 * @param {Tongue} arch an architecture or tongue, as POST /check tells it, "program" or "cat"
 * @returns {Promise<(Tongue extends "cat" ? CatWords : Tongue extends "program" ? ProgramWords : TestWords) | null>} what GET /words answers; null where there is none
 */
export function words(arch) {
  if (!/^\w+$/.test(arch)) return Promise.resolve(null);
  if (!known.has(arch)) {
    const answer = fetch(pathTo(`/words?arch=${arch}`))
      .then((r) => (r.ok ? r.json() : r.status === 404 ? null : Promise.reject(r)))
      .catch(() => (known.delete(arch), null)); // the next request may succeed
    known.set(arch, answer);
  }
  return /** @type {ReturnType<typeof words<Tongue>>} */ (known.get(arch));
}
