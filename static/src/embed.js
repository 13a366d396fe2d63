// A question in a frame on another site: it is answered and drawn, and the visitor can only look at it.

import { pathTo } from "./base.js";
import * as address from "./address.js";
import * as answer from "./answer.js";
import * as picture from "./picture.js";
import { send } from "./send.js";

const main = document.getElementById("embed");
const status = document.getElementById("status");

/** @param {string} text */
const say = (text) => {
  status.textContent = text;
};

/** @param {Error} error */
function fail(error) {
  const p = document.createElement("p");
  p.className = "problem";
  p.textContent = error.message;
  main.replaceChildren(p);
}

// begin shows the question in the address, or activates what the server rendered.
async function begin() {
  /** @type {View | null} */
  let view = null;
  if (address.carries(location.hash)) {
    const link = await address.decode(location.hash);
    view = link.view;
    const body = address.fields(link);
    for (const [name, value] of Object.entries(view.pick ?? {})) body.set(name, value);
    const wait = document.createElement("p");
    wait.className = "hint";
    wait.textContent = "Running …";
    const soon = setTimeout(() => main.replaceChildren(wait), 300);
    try {
      const r = await send(pathTo("/embed"), body);
      main.innerHTML = await r.text();
    } finally {
      clearTimeout(soon);
    }
  }
  const data = document.getElementById("state");
  if (data) await activate(JSON.parse(data.textContent), view);
  else if (main.children.length === 0 || main.querySelector("noscript")) fail(new Error("This address contains no question."));
}

/**
 * @param {LinkState} state
 * @param {View | null} view
 */
async function activate(state, view) {
  view ??= address.viewOf(state.view ?? {});
  const question = () => address.fields(state);
  const form = main.querySelector("form");
  document.title = main.querySelector("h1").textContent;
  const source = main.querySelector(".source");
  const open = main.querySelector("a.open");
  const pane = document.getElementById("picture");

  const pictures = picture.mount(pane, {
    still: true,
    question,
    columns: () => answers.columns(),
    light(keys) {
      for (const cell of source.querySelectorAll("[data-cell]")) cell.classList.toggle("lit", keys.has(cell.dataset.cell));
    },
    goTo() {},
    chosen: (pick) => answers.press(pick),
    changed: () => lead(),
    say,
  });
  const result = document.getElementById("result");
  const answers = answer.mount(result, {
    question,
    picture: (pick) => pictures.show(pick),
    beside() {},
    start() {},
    remove() {},
    goTo() {},
  });

  // lead updates the link to the explorer with the current view.
  let turn = 0;
  async function lead() {
    const mine = ++turn;
    try {
      const hash = await address.encode({ ...state, view: address.brief(pictures.state()) });
      if (mine === turn) open.href = pathTo(`/${hash}`);
    } catch {
      // too long for an address: keep the server's link
    }
  }

  form.addEventListener("submit", (e) => {
    e.preventDefault();
    if (e.submitter?.name === "cell") answers.choose(e.submitter);
  });
  for (const cell of source.querySelectorAll("[data-cell]")) {
    cell.addEventListener("mouseenter", () => pictures.lightCell(cell.dataset.cell));
    cell.addEventListener("mouseleave", () => pictures.lightCell(null));
  }
  answers.take();
  pictures.restore(view);
  await pictures.adopt();
  await lead();
  document.documentElement.classList.add("live");
}

begin().catch(fail);
addEventListener("hashchange", () => location.reload());
