// The script of a static site, ahead of all others: what they ask a server on others is answered here by the program in a
// worker (engine.js), and so are pages that nobody has written beforehand. It knows none of the pages.

const root = document.documentElement;
const base = (root.dataset.base = new URL("../", /** @type {HTMLScriptElement} */ (document.currentScript).src).pathname);
const POSTED = "litmuscope.posted"; // a form on its way to the page that answers it

/** pathOf is an address as handlers know it. */
const pathOf = (url) => {
  const path = `/${url.pathname.slice(base.length)}`.replace(/index\.html$/, "");
  return path.length > 1 ? path.replace(/\/$/, "") : path;
};

/** ours tells addresses that the program answers. */
const ours = (url) => url.origin === location.origin && url.pathname.startsWith(base) && !/^static\/|^[^/]+\.(js|json|webmanifest)$/.test(url.pathname.slice(base.length));

/** Unanswered is that the program does not answer, for the visitor. */
class Unanswered extends Error {
  name = "Unanswered";
}

// The program: one worker, which has others for what takes long. It starts when something is asked, and anew when it has ended.
class Program {
  /** @type {Promise<Worker> | null} */
  starting = null;
  waiting = new Map(); // what is told of the answer, by requests
  last = 0;
  fetchFile = window.fetch.bind(window);

  start() {
    this.starting ??= this.begin().catch((e) => {
      this.starting = null;
      throw e;
    });
    return this.starting;
  }

  async begin() {
    const say = waitingWords();
    try {
      say("Fetching the program that answers …");
      const r = await this.fetchFile(`${base}site.json`, { cache: "no-cache" });
      if (!r.ok) throw new Error(`site.json: ${r.status}`);
      const site = await r.json();
      const worker = new Worker(base + site.worker);
      return await new Promise((done, fail) => {
        worker.onerror = (e) => fail(new Error(e.message));
        worker.onmessage = ({ data }) => {
          if (data.stage) say(data.stage);
          else if (data.ready && data.ready !== site.made) fail(new Error("The files of this site are of two versions; load the page anew, or write the site anew."));
          else if (data.ready) done(worker);
          else if (data.ended !== undefined) this.ended(worker, data.ended, fail);
          else this.waiting.get(data.id)?.(data);
        };
        worker.postMessage({ base, program: base + site.program, jobs: Math.min(3, Math.max(1, (navigator.hardwareConcurrency || 2) - 1)) });
      });
    } catch (e) {
      throw new Unanswered(`The program that answers cannot be had: ${e.message}`);
    } finally {
      say("");
    }
  }

  ended(worker, why, fail) {
    worker.terminate();
    this.starting = null;
    fail(new Error(why));
    for (const told of this.waiting.values()) told({ fault: `The program that answers has ended: ${why}` });
    this.waiting.clear();
  }

  /**
   * ask has a request answered.
   * @param {Request} request
   * @param {AbortSignal} signal
   * @returns {Promise<Response>}
   */
  async ask(request, signal) {
    const url = new URL(request.url);
    const body = new Uint8Array(await request.arrayBuffer());
    const worker = await this.start();
    signal.throwIfAborted();
    const id = ++this.last;
    return new Promise((done, fail) => {
      /** @type {ReadableStreamDefaultController} */
      let pieces;
      const over = (error) => {
        this.waiting.delete(id);
        signal.removeEventListener("abort", stop);
        if (error) {
          fail(error);
          pieces?.error(error);
        } else pieces?.close();
      };
      const stop = () => {
        worker.postMessage({ stop: id });
        over(signal.reason);
      };
      signal.addEventListener("abort", stop);
      this.waiting.set(id, ({ head, piece, end, fault }) => {
        if (head) {
          const empty = [204, 205, 304].includes(head.status);
          const stream = new ReadableStream({ start: (c) => void (pieces = c) });
          done(new Response(empty ? null : stream, { status: head.status, headers: head.headers }));
        } else if (piece) pieces.enqueue(piece);
        else if (end || fault) over(fault ? new Unanswered(fault) : null);
      });
      worker.postMessage({ id, method: request.method, address: pathOf(url) + url.search, headers: [...request.headers], body }, [body.buffer]);
    });
  }

  /** follow asks, and goes where the answer leads, as fetch does. */
  async follow(request, signal) {
    let r = await this.ask(request, signal);
    for (let n = 0; n < 5 && r.status > 300 && r.status < 400 && r.headers.has("Location"); n++) {
      r = await this.ask(new Request(base + /** @type {string} */ (r.headers.get("Location")).slice(1), { headers: request.headers }), signal);
    }
    return r;
  }
}

// waitingWords says what is waited for, where that takes more than a moment.
function waitingWords() {
  const p = document.createElement("p");
  p.className = "site-state";
  p.setAttribute("role", "status");
  const soon = setTimeout(() => (document.body ?? root).append(p), 300);
  return (text) => {
    p.textContent = text;
    if (text) return;
    clearTimeout(soon);
    p.remove();
  };
}

// instead shows the page of an address that no file is for: of a question, or of a form that was sent.
async function instead(program, request) {
  document.write(`<body class="plain"><main class="plain"><p role="status">The page is being made …</p></main><plaintext hidden>`);
  if (document.readyState === "loading") await new Promise((done) => document.addEventListener("DOMContentLoaded", done));
  const words = document.querySelector("main p");
  try {
    const r = await program.ask(request, new AbortController().signal);
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

// posted is the form that was sent to this page, if one was.
function posted(address) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(POSTED) ?? "null");
    sessionStorage.removeItem(POSTED);
    if (kept?.address === address) return kept.body;
  } catch {} // storage is switched off
  return null;
}

// submit sends a form that no script has sent. There are no pages that forms are sent to: the address is loaded, and answers it.
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
  const program = new Program();
  /** @type {any} */ (window).litmuscope = { program };
  window.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (!ours(new URL(request.url))) return program.fetchFile(input, init);
    return program.follow(request, request.signal);
  };
  if ("serviceWorker" in navigator) navigator.serviceWorker.register(`${base}sw.js`).catch(() => {}); // without one, all is fetched anew
  const { written } = root.dataset;
  const address = pathOf(location) + location.search;
  const body = posted(address);
  const headers = { Accept: "text/html" };
  if (body !== null) {
    instead(program, new Request(location.href, { method: "POST", body, headers: { ...headers, "Content-Type": "application/x-www-form-urlencoded" } }));
  } else if (written !== address) instead(program, new Request(location.href, { headers }));
}

// absolute makes addresses those of the site, whatever the page's own becomes: in files they are relative, for a file does not know where it
// will be.
function absolute() {
  if (document.readyState !== "interactive") return;
  for (const name of ["href", "src", "action", "formaction", "data-address", "data-list", "data-page"]) {
    for (const e of document.querySelectorAll(`[${name}^="./"], [${name}^="../"]`)) {
      const { pathname, search, hash } = new URL(/** @type {string} */ (e.getAttribute(name)), location.href);
      e.setAttribute(name, pathname + search + hash);
    }
  }
}

// A page that is written in place of another finds the program running.
if (!("litmuscope" in window)) begin();
addEventListener("submit", submit);
document.addEventListener("readystatechange", absolute);
