// The first script of a static site: it redirects requests for a server to the program in a worker (engine.js), and
// makes the pages that are not files. It does not know the individual pages.

import { Program } from "./program.js";

const root = document.documentElement;
const base = (root.dataset.base = new URL("../", /** @type {HTMLScriptElement} */ (document.currentScript).src).pathname);
const POSTED = "litmuscope.posted"; // a form for the page that answers it

/**
 * pathOf is an address as handlers know it.
 * @param {URL | Location} url
 */
const pathOf = (url) => {
  const path = `/${url.pathname.slice(base.length)}`.replace(/index\.html$/, "");
  return path.length > 1 ? path.replace(/\/$/, "") : path;
};

/**
 * ours tells addresses that the program answers.
 * @param {URL} url
 */
const ours = (url) => url.origin === location.origin && url.pathname.startsWith(base) && !/^static\/|^[^/]+\.(js|json|webmanifest)$/.test(url.pathname.slice(base.length));

// follow sends a request and follows redirects, as fetch does.
/**
 * @param {Program} program
 * @param {Request} request
 * @param {AbortSignal} signal
 */
async function follow(program, request, signal) {
  let r = await ask(program, request, signal);
  for (let n = 0; n < 5 && r.status > 300 && r.status < 400 && r.headers.has("Location"); n++) {
    r = await ask(program, new Request(base + /** @type {string} */ (r.headers.get("Location")).slice(1), { headers: request.headers }), signal);
  }
  return r;
}

/**
 * @param {Program} program
 * @param {Request} request
 * @param {AbortSignal} signal
 */
async function ask(program, request, signal) {
  const url = new URL(request.url);
  const body = new Uint8Array(await request.arrayBuffer());
  return program.ask({ method: request.method, address: pathOf(url) + url.search, headers: [...request.headers, ["X-Site-Origin", location.origin]], body }, signal);
}

// instead shows the page for an address without a file, or for a form.
/**
 * @param {Program} program
 * @param {Request} request
 */
async function instead(program, request) {
  document.write(`<body class="plain"><main class="plain"><p role="status">The page is being made …</p></main><plaintext hidden>`);
  if (document.readyState === "loading") await new Promise((done) => document.addEventListener("DOMContentLoaded", done));
  const words = document.querySelector("main p");
  try {
    const r = await ask(program, request, new AbortController().signal);
    const to = r.headers.get("Location");
    if (to && r.status > 300 && r.status < 400) {
      location.replace(base + to.slice(1));
      return;
    }
    const file = /filename="?([^";]+)/.exec(r.headers.get("Content-Disposition") ?? "");
    if (file) {
      const a = document.createElement("a");
      a.href = URL.createObjectURL(await r.blob());
      a.download = a.textContent = file[1];
      words.replaceChildren("Saved: ", a);
      a.click();
      return;
    }
    const text = await r.text();
    if (r.headers.get("Content-Type")?.startsWith("text/html")) {
      document.open();
      document.write(text);
      document.close();
      return;
    }
    const pre = document.createElement("pre");
    pre.textContent = text;
    words.replaceWith(pre);
  } catch (e) {
    words.textContent = e.message;
  }
}

// posted returns the form that was sent to this page, if there is one.
/** @param {string} address */
function posted(address) {
  try {
    /** @type {{ address: string, body: string } | null} */
    const kept = JSON.parse(sessionStorage.getItem(POSTED) ?? "null");
    sessionStorage.removeItem(POSTED);
    if (kept?.address === address) return kept.body;
  } catch {} // storage is off
  return null;
}

// submit handles a form without a script of its own: it stores the form and loads the address, whose page answers it.
/** @param {SubmitEvent} e */
function submit(e) {
  const form = /** @type {HTMLFormElement} */ (e.target);
  const by = e.submitter;
  const to = new URL(by?.getAttribute("formaction") ?? form.getAttribute("action") ?? "", location.href);
  const method = by?.getAttribute("formmethod") ?? form.method;
  if (e.defaultPrevented || method.toLowerCase() !== "post" || !ours(to)) return;
  e.preventDefault();
  const body = String(new URLSearchParams(/** @type {any} */ (new FormData(form, by))));
  sessionStorage.setItem(POSTED, JSON.stringify({ address: pathOf(to) + to.search, body }));
  if (form.target === "_blank") window.open(to);
  else if (to.pathname + to.search === location.pathname + location.search) location.reload();
  else location.assign(to);
}

function begin() {
  const program = new Program(location.origin + base, base);
  /** @type {any} */ (window).litmuscope = { program };
  window.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (!ours(new URL(request.url))) return program.fetchFile(input, init);
    return follow(program, request, request.signal);
  };
  if ("serviceWorker" in navigator) navigator.serviceWorker.register(`${base}sw.js`).catch(() => {}); // without a service worker, everything is fetched again
  const { written } = root.dataset;
  const address = pathOf(location) + location.search;
  const body = posted(address);
  const headers = { Accept: "text/html" };
  if (body !== null) {
    instead(program, new Request(location.href, { method: "POST", body, headers: { ...headers, "Content-Type": "application/x-www-form-urlencoded" } }));
  } else if (written !== address) instead(program, new Request(location.href, { headers }));
}

// absolute makes the page's relative addresses absolute, so that they stay valid when the page's address changes.
function absolute() {
  if (document.readyState !== "interactive") return;
  for (const name of ["href", "src", "action", "formaction", "data-address", "data-list", "data-page"]) {
    for (const e of document.querySelectorAll(`[${name}^="./"], [${name}^="../"]`)) {
      const { pathname, search, hash } = new URL(/** @type {string} */ (e.getAttribute(name)), location.href);
      e.setAttribute(name, pathname + search + hash);
    }
  }
}

// A page that replaced another one finds the program running.
if (!("litmuscope" in window)) begin();
addEventListener("submit", submit);
document.addEventListener("readystatechange", absolute);
