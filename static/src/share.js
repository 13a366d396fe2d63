// The share menu: links to the current view, and the question as text. Copied text is also shown, to be copied by hand.

import { pathTo } from "./base.js";
import { encode } from "./address.js";
import { send } from "./send.js";
import styles from "./css/share.css"; // its text, because pages load without it

const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);
document.adoptedStyleSheets.push(sheet);

/** @typedef {ShareHooks & { path: string }} SharePage */

// Functions for the kinds of links and texts that the browser makes itself.
/** @type {Record<string, (page: SharePage) => Promise<string>>} */
const links = { link, short, embed };

/**
 * @param {SharePage} page
 * @param {string} format
 */
async function text(page, format) {
  if (format === "source") return page.state().source;
  const body = page.fields();
  body.set("origin", location.origin);
  if (format === "markdown") body.set("link", await link(page));
  return (await send(pathTo(`${page.path}/copy?format=${format}`), body)).text();
}

/** @param {SharePage} page */
async function link(page) {
  return location.origin + pathTo(page.path || "/") + (await encode(page.state()));
}

/** @param {SharePage} page */
async function short(page) {
  const body = page.fields();
  body.set("view", JSON.stringify(page.state().view));
  /** @type {KeptLink} */
  const { url } = await (await send(pathTo(`${page.path}/links`), body)).json();
  return location.origin + pathTo(url);
}

/** @param {SharePage} page */
async function embed(page) {
  let url;
  try {
    url = location.origin + pathTo(`/embed${await encode(page.state())}`);
  } catch {
    url = (await short(page)).replace("/t/", "/embed/t/"); // the full link would be too long
  }
  const title = (page.name() || "A litmus test").replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
  return `<iframe src="${url}" title="${title}, in litmuscope" width="100%" height="440" loading="lazy"></iframe>`;
}

/**
 * mount makes the menu of a button, closed.
 * @param {HTMLElement} button whose data-share is the path of the page, "" for the explorer
 * @param {ShareHooks} on
 *   state(): what is to be shared, as address.encode takes it; fields(): the question as the
 *   form has it; name(): of the test; say(text): to those who listen
 */
export async function mount(button, on) {
  const path = button.dataset.share;
  const answer = await fetch(pathTo(`${path}/copy`));
  if (!answer.ok) throw new Error("Cannot load the share menu. Try again.");
  /** @type {ShareMenu} */
  const kinds = await answer.json();
  const page = { ...on, path };
  const box = document.createElement("div");
  box.id = "share-menu";
  box.className = "beside";
  box.popover = "auto";
  box.setAttribute("role", "dialog");
  box.setAttribute("aria-label", "Share");
  const words = document.createElement("p");
  words.className = "hint";
  const out = document.createElement("textarea");
  out.readOnly = true;
  out.hidden = true;
  out.rows = 5;
  out.spellcheck = false;

  let turn = 0;
  async function make(/** @type {ShareKind} */ { name, help, kind }, /** @type {HTMLButtonElement} */ b) {
    const mine = ++turn;
    for (const other of box.querySelectorAll("[aria-pressed]")) other.setAttribute("aria-pressed", String(other === b));
    words.textContent = help;
    out.setAttribute("aria-label", name);
    const made = links[kind] ? links[kind](page) : text(page, kind);
    const copied = copy(made);
    let value;
    try {
      value = await made;
    } catch (e) {
      if (mine !== turn) return;
      out.hidden = true;
      words.textContent = e.message;
      page.say(e.message);
      return;
    }
    if (mine !== turn) return;
    out.value = value;
    out.classList.toggle("lines", value.includes("\n"));
    out.hidden = false;
    const done = (await copied) || byHand(out, b);
    if (mine !== turn) return;
    const said = done ? "Copied." : "This browser does not let pages copy. The text is selected: copy it yourself.";
    if (!done) {
      out.focus();
      out.select();
    }
    words.textContent = `${said} ${help}`;
    page.say(`${name}: ${said}`);
  }

  /**
   * @param {string} label
   * @param {ShareKind[]} list
   */
  const group = (label, list) => {
    const p = document.createElement("div");
    p.className = "kinds";
    p.setAttribute("role", "group");
    const heading = document.createElement("h2");
    heading.textContent = label;
    p.setAttribute("aria-label", label);
    p.append(heading);
    for (const kind of list) {
      const b = document.createElement("button");
      b.type = "button";
      b.textContent = kind.name;
      b.title = kind.help;
      b.setAttribute("aria-pressed", "false");
      b.addEventListener("click", () => make(kind, b));
      p.append(b);
    }
    return p;
  };
  const teach = document.createElement("button");
  teach.type = "button";
  teach.className = "quiet";
  teach.textContent = "Teach this";
  teach.title = "Ask a class what this test can do. Students vote on their phones.";
  teach.addEventListener("click", () => openClass(page));
  const close = document.createElement("button");
  close.type = "button";
  close.className = "quiet";
  close.textContent = "Close";
  close.addEventListener("click", () => box.hidePopover());
  const foot = document.createElement("p");
  foot.className = "foot";
  foot.append(...(kinds.teach ? [teach] : []), close);
  box.append(group("Link to this view", kinds.links), group("Copy as", kinds.copies), words, out, foot);
  box.addEventListener("toggle", (e) => {
    button.setAttribute("aria-expanded", String(e.newState === "open"));
    if (e.newState === "open") box.querySelector("button").focus();
    else {
      turn++;
      out.hidden = true;
      out.value = "";
      words.textContent = "";
      for (const b of box.querySelectorAll("[aria-pressed]")) b.setAttribute("aria-pressed", "false");
    }
  });
  button.after(box);
  button.setAttribute("popovertarget", box.id);
  return { open: () => box.showPopover({ source: button }) };
}

// openClass opens a class about the question, on a new page.
/** @param {SharePage} page */
function openClass(page) {
  const form = document.createElement("form");
  form.method = "post";
  form.action = "/class/compose";
  form.target = "_blank";
  for (const [name, value] of page.fields()) {
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = name;
    field.value = value;
    form.append(field);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}

// copy copies a text that may not be ready yet: browsers require the call during the click.
/** @param {Promise<string>} made */
async function copy(made) {
  try {
    const blob = made.then((t) => new Blob([t], { type: "text/plain" }));
    blob.catch(() => {}); // the caller reports the error
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
    return true;
  } catch {
    return made.then((t) => navigator.clipboard.writeText(t)).then(() => true, () => false);
  }
}

// byHand copies in browsers that keep the clipboard from pages without TLS.
/**
 * @param {HTMLTextAreaElement} out
 * @param {HTMLElement} back
 */
function byHand(out, back) {
  out.focus();
  out.select();
  const done = document.execCommand("copy");
  if (done) back.focus();
  return done;
}
