// Requests of the page's scripts, with errors as messages for the visitor.

// The nonce for styles in responses of the server.
export const nonce = document.querySelector("meta[name=style-nonce]").content;

/** lines is the type of answers that come in parts, where a page takes them. */
export const lines = "application/x-ndjson";

/**
 * fields are a form's, as they are sent.
 * @param {HTMLFormElement} form
 */
export const fields = (form) => new URLSearchParams(/** @type {any} */ (new FormData(form)));

/**
 * send posts the form, or other fields. Answers to wrong questions (4xx) that are pages
 * are there to be shown; all else that goes wrong is an Error whose message is for the
 * visitor.
 * @param {string} url
 * @param {URLSearchParams} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 */
export async function send(url, body, signal) {
  let r;
  try {
    r = await fetch(url, { method: "POST", body, signal, headers: { "X-Page-Nonce": nonce, Accept: `${lines}, */*` } });
  } catch (e) {
    if (signal?.aborted || e.name === "Unanswered") throw e; // the error has its own message
    throw new Error("Cannot reach the server. Your text is safe; try again later.");
  }
  const type = r.headers.get("Content-Type") ?? "";
  if (r.ok || type.startsWith("text/html")) return r;
  /** @type {Partial<ProblemDocument>} */
  const problem = type.includes("json") ? await r.json() : {};
  const wait = r.headers.get("Retry-After");
  const later = wait ? ` Try again in ${wait} s.` : "";
  throw new Error((problem.detail ?? `The server answered ${r.status}.`) + later);
}
