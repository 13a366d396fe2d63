// Runs litmuscope on a static site, for its pages and for tests on other pages, in a worker (engine.js).

/** Unanswered is that the program does not answer, for the visitor. */
export class Unanswered extends Error {
  name = "Unanswered";
}

/** @typedef {{ head?: { status: number, headers: [string, string][] }, piece?: Uint8Array, end?: boolean, fault?: string }} Told what is told of an answer */

// A Program is one worker, which starts further workers for long tasks. It starts with the first request, and again
// after it has stopped.
export class Program {
  /** @type {Promise<Worker> | null} */
  starting = null;
  /** @type {Map<number, (told: Told) => void>} */
  waiting = new Map(); // the handlers of answers, by request
  last = 0;
  fetchFile = window.fetch.bind(window);

  /** @param {string} root the address of the site; @param {string} base what addresses in answers begin with */
  constructor(root, base) {
    this.root = root;
    this.base = base;
  }

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
      say("Loading litmuscope …");
      const r = await this.fetchFile(`${this.root}site.json`, { cache: "no-cache" });
      if (!r.ok) throw new Error(`site.json: ${r.status}`);
      /** @type {SiteFile} */
      const site = await r.json();
      const worker = new Worker(here(this.root + site.worker));
      return await new Promise((done, fail) => {
        worker.onerror = (e) => fail(new Error(e.message));
        worker.onmessage = ({ data }) => {
          if (data.stage) say(data.stage);
          else if (data.ready && data.ready !== site.made) fail(new Error("The files of this site have different versions. Reload the page, or write the site again."));
          else if (data.ready) done(worker);
          else if (data.ended !== undefined) this.ended(worker, data.ended, fail);
          else this.waiting.get(data.id)?.(data);
        };
        worker.postMessage({
          base: this.base,
          program: this.root + site.program,
          decoder: this.root + site.decoder,
          jobs: Math.min(3, Math.max(1, (navigator.hardwareConcurrency || 2) - 1)),
          assets: JSON.stringify(site.assets),
        });
      });
    } catch (e) {
      throw new Unanswered(`Cannot load litmuscope: ${e.message}`);
    } finally {
      say("");
    }
  }

  /**
   * @param {Worker} worker
   * @param {string} why
   * @param {(why: Error) => void} fail
   */
  ended(worker, why, fail) {
    worker.terminate();
    this.starting = null;
    fail(new Error(why));
    for (const told of this.waiting.values()) told({ fault: `litmuscope has stopped: ${why}` });
    this.waiting.clear();
  }

  /**
   * ask has a request answered.
   * @param {{method: string, address: string, headers: string[][], body: Uint8Array}} request
   * @param {AbortSignal} signal
   * @returns {Promise<Response>}
   */
  async ask({ method, address, headers, body }, signal) {
    const worker = await this.start();
    signal.throwIfAborted();
    const id = ++this.last;
    return new Promise((done, fail) => {
      /** @type {ReadableStreamDefaultController} */
      let pieces;
      /** @param {Error | null} error */
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
      worker.postMessage({ id, method, address, headers, body }, [body.buffer]);
    });
  }
}

// here returns a local address of a worker's script: a script from another host has to be fetched first.
/** @param {string} address */
const here = (address) => (new URL(address).origin === location.origin ? address : URL.createObjectURL(new Blob([`importScripts(${JSON.stringify(address)})`], { type: "text/javascript" })));

// waitingWords says what the page waits for, after a moment.
function waitingWords() {
  const p = document.createElement("p");
  p.className = "site-state";
  p.setAttribute("role", "status");
  const soon = setTimeout(() => (document.body ?? document.documentElement).append(p), 300);
  return (/** @type {string} */ text) => {
    p.textContent = text;
    if (text) return;
    clearTimeout(soon);
    p.remove();
  };
}
