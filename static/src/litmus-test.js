// <litmus-test models="sc tso" view="source table graph" edit>: a litmus test on any page, with its answer and a
// picture. The test is the text inside, which remains readable without this script. The site that serves this script
// answers it: a static site, or a server that allows requests from other sites. Custom properties set its look:
// --paper, --ground, --ink, --soft, --line, --accent.

import { Program } from "./program.js";

const root = new URL("./", /** @type {HTMLScriptElement} */ (document.currentScript).src).href;
const PARTS = { source: ".source", table: "#result", graph: "#picture" };

// Style of the element, in which it differs from a frame: its height fits its content, and of a picture it shows only
// the graph, since no script switches tabs here.
const OWN = `
:host { display: block; }
.edit { width: 100%; box-sizing: border-box; font-family: monospace; }
.embed.body { min-height: 0; }
.embed form { height: auto; }
.embed .panel:not([data-panel="graph"]), .embed .tabs { display: none; }
.embed .graph .drawing svg { max-height: 28rem; }`;

// reached fetches from the script's site, or throws an Error that says why it cannot. Browsers do not tell scripts
// whether a site forbids requests or is down.
/**
 * @param {string} address
 * @param {RequestInit} [init]
 */
async function reached(address, init) {
  try {
    return await fetch(address, init);
  } catch (e) {
    if (init?.signal?.aborted) throw e;
    const there = await fetch(root, { mode: "no-cors" }).then(() => true).catch(() => false);
    throw new Error(
      there
        ? `This test cannot run here: ${root} does not allow requests from ${location.origin} (CORS). Its operator can allow them with litmuscope serve --elsewhere.`
        : `This test cannot run here: the browser cannot reach ${root}, or this page's Content-Security-Policy forbids the request.`,
    );
  }
}

/** @type {Promise<{css: string, program: Program | null}> | null} */
let fetching = null;

// fetched returns the styles of answers, and the program of a static site (null: a server answers).
const fetched = () =>
  (fetching ??= (async () => {
    const [page, site] = await Promise.all([reached(`${root}embed`), fetch(`${root}site.json`).catch(() => null)]); // servers have no site.json
    if (!page.ok) throw new Error(`${root} does not answer this page.`);
    const doc = new DOMParser().parseFromString(await page.text(), "text/html");
    const sheets = [...doc.querySelectorAll("link[rel=stylesheet], style")].map(async (e) => {
      const address = e.getAttribute("href");
      return address ? (await fetch(new URL(address, page.url))).text() : e.textContent;
    });
    // Styles of the page apply to the element.
    const css = (await Promise.all(sheets)).join("\n").replaceAll(":root", ":host").replace(/(^|[\s,}])body\b/g, "$1.body");
    return { css, program: site?.ok ? new Program(root, root) : null };
  })());

// opened returns the explorer's address with a question, in the format of address.js.
/** @param {string} state */
async function opened(state) {
  const packed = new Blob([state]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const text = btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(""));
  return `${root}#1=${text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

// ask returns the answer to a question as HTML.
/**
 * @param {URLSearchParams} body
 * @param {AbortSignal} signal
 */
async function ask(body, signal) {
  const { program } = await fetched();
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const r = program
    ? await program.ask({ method: "POST", address: "/embed", headers: Object.entries(headers), body: new TextEncoder().encode(String(body)) }, signal)
    : await reached(`${root}embed`, { method: "POST", body, headers, signal });
  if (r.ok) return r.text();
  /** @type {Partial<ProblemDocument>} */
  const problem = r.headers.get("Content-Type")?.includes("json") ? await r.json() : {};
  throw new Error(problem.detail ?? `The server answered ${r.status}.`);
}

class LitmusTest extends HTMLElement {
  /** @type {AbortController | null} */
  asking = null;

  connectedCallback() {
    if (this.shadowRoot) return;
    const begin = () => this.begin().catch((e) => this.fail(e));
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin, { once: true });
    else begin();
  }

  async begin() {
    const text = (this.textContent ?? "").replace(/^\n+/, "").trimEnd();
    const { css } = await fetched();
    const shadow = this.attachShadow({ mode: "open" });
    const style = document.createElement("style");
    style.textContent = css + OWN;
    this.answer = document.createElement("div");
    this.answer.className = "body embed";
    this.editor = document.createElement("textarea");
    this.editor.className = "edit";
    this.editor.value = `${text}\n`;
    this.editor.rows = text.split("\n").length + 1;
    this.editor.spellcheck = false;
    this.editor.setAttribute("aria-label", "Litmus test");
    shadow.append(style);
    if (this.hasAttribute("edit")) {
      const run = document.createElement("button");
      run.type = "button";
      run.textContent = "Run";
      run.addEventListener("click", () => this.run());
      this.editor.addEventListener("keydown", (e) => {
        if (/** @type {any} */ (e).key === "Enter" && (/** @type {any} */ (e).ctrlKey || /** @type {any} */ (e).metaKey)) this.run();
      });
      shadow.append(this.editor, run);
    }
    shadow.append(this.answer);
    this.answer.addEventListener("submit", (e) => {
      e.preventDefault();
      const by = /** @type {HTMLButtonElement | null} */ (/** @type {SubmitEvent} */ (e).submitter);
      if (by?.name === "cell") this.run(by.value);
    });
    await this.run();
  }

  // run answers the test, with a picture of a cell or of the outcome that answers it.
  async run(cell = "") {
    this.asking?.abort();
    const mine = (this.asking = new AbortController());
    const answer = /** @type {HTMLElement} */ (this.answer);
    const body = new URLSearchParams({ source: /** @type {HTMLTextAreaElement} */ (this.editor).value });
    for (const m of this.getAttribute("models")?.split(/\s+/).filter(Boolean) ?? []) body.append("model", m);
    if (cell) body.set("cell", cell);
    answer.setAttribute("aria-busy", "true");
    try {
      answer.innerHTML = await ask(body, mine.signal);
      const wanted = (this.getAttribute("view") ?? "source table graph").split(/\s+/);
      for (const [name, part] of Object.entries(PARTS)) {
        if (!wanted.includes(name) || (name === "source" && this.hasAttribute("edit"))) answer.querySelector(part)?.remove();
      }
      for (const a of answer.querySelectorAll("a[href]")) {
        a.setAttribute("href", new URL(/** @type {string} */ (a.getAttribute("href")), root).href);
        a.setAttribute("target", "_blank");
      }
      const state = answer.querySelector("#state");
      if (state) answer.querySelector("a.open")?.setAttribute("href", await opened(state.textContent));
      this.dispatchEvent(new CustomEvent("answered"));
    } catch (e) {
      if (!mine.signal.aborted) this.fail(e);
    } finally {
      if (this.asking === mine) answer.removeAttribute("aria-busy");
    }
  }

  /** @param {Error} error */
  fail(error) {
    const p = document.createElement("p");
    p.className = "problem";
    p.textContent = error.message;
    if (this.answer) this.answer.replaceChildren(p);
    else this.append(p);
  }
}

customElements.define("litmus-test", LitmusTest);
