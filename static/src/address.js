// Encodes a question and the view of its answer as the fragment of an address: "#1=" and the deflated JSON in
// base64url. Browsers do not send fragments to a server.

const VERSION = 1;
/** @type {Record<string, number>} */
const limits = JSON.parse(document.documentElement.dataset.limits); // the server's limits, by name
const MOST = limits.fragment; // maximum length of a fragment, in characters
const ROOM = limits["fragment-unpacked"]; // maximum size of its content, in bytes

const DAMAGED = "This link is damaged or incomplete.";
const MUCH = "This link is too large to open.";

/**
 * carries reports whether a fragment has this format, in any version.
 * @param {string} hash
 */
export const carries = (hash) => /^#\d+=/.test(hash);

/**
 * encode returns the fragment of a state.
 * @param {LinkState} state see decode
 * @returns {Promise<string>} "#1=…"; throws an Error with a message for the visitor if it would be too long
 */
export async function encode(state) {
  const packed = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream("deflate-raw"), ROOM);
  let binary = "";
  for (let i = 0; i < packed.length; i += 0x8000) binary += String.fromCharCode(...packed.subarray(i, i + 0x8000));
  const text = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  if (text.length > MOST) throw new Error("The test and its models are too long for a full link. Use a short link.");
  return `#${VERSION}=${text}`;
}

/**
 * decode reads a fragment. Its source is not trusted: the result has the right
 * types, but nothing else is checked.
 * @param {string} hash
 * @returns {Promise<Required<Link> & {view: View}>} engine "" and an option
 *   that is missing mean the defaults; throws an Error with a message for the visitor
 */
export async function decode(hash) {
  const [, version, text] = /^#(\d+)=([\w-]*)$/.exec(hash) ?? [];
  if (Number(version) > VERSION) throw new Error("This link needs a newer version of litmuscope.");
  if (Number(version) !== VERSION) throw new Error(DAMAGED);
  if (text.length > MOST) throw new Error(MUCH);
  let value;
  try {
    const packed = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const plain = await through(packed, new DecompressionStream("deflate-raw"), ROOM);
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(plain));
  } catch (e) {
    throw e instanceof RangeError ? new Error(MUCH) : new Error(DAMAGED);
  }
  return stateOf(value);
}

// through returns the output of a stream for some bytes. It throws a RangeError if the output is larger than room.
/**
 * @param {BlobPart} bytes
 * @param {CompressionStream | DecompressionStream} stream
 * @param {number} room
 */
async function through(bytes, stream, room) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > room) {
      await reader.cancel();
      throw new RangeError(MUCH);
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/**
 * @param {unknown} v
 * @returns {v is Record<string, unknown>}
 */
const isObject = (v) => typeof v === "object" && v !== null && !Array.isArray(v);

// The following functions convert an untrusted value to a type; a missing value becomes the default.
/** @param {unknown} v */
function textOf(v, otherwise = "") {
  if (v === undefined) return otherwise;
  if (typeof v !== "string") throw new Error(DAMAGED);
  return v;
}

/**
 * @template T
 * @param {unknown} v
 * @param {(x: unknown) => T} item
 */
function listOf(v, item, most = limits["fragment-list"]) {
  if (v === undefined) return [];
  if (!Array.isArray(v)) throw new Error(DAMAGED);
  if (v.length > most) throw new Error(MUCH);
  return v.map((x) => item(x));
}

/** @param {unknown} v */
function textsOf(v, most = limits["fragment-list"]) {
  if (v === undefined) return {};
  if (!isObject(v)) throw new Error(DAMAGED);
  const entries = Object.entries(v);
  if (entries.length > most) throw new Error(MUCH);
  return Object.fromEntries(entries.map(([name, text]) => [name, textOf(text)]));
}

/**
 * @param {unknown} v
 * @param {number} otherwise
 */
function countOf(v, otherwise) {
  if (v === undefined) return otherwise;
  if (!Number.isSafeInteger(v) || /** @type {number} */ (v) < 0) throw new Error(DAMAGED);
  return /** @type {number} */ (v);
}

/** @param {unknown} v */
function stateOf(v) {
  if (!isObject(v) || typeof v.source !== "string") throw new Error(DAMAGED);
  return {
    source: v.source,
    models: listOf(v.models, textOf),
    own: listOf(v.own, ownOf, limits["own-models"]),
    engine: textOf(v.engine),
    options: textsOf(v.options),
    view: viewOf(v.view ?? {}),
  };
}

/** @param {unknown} v */
function ownOf(v) {
  if (!isObject(v)) throw new Error(DAMAGED);
  return { name: textOf(v.name), text: textOf(v.text), files: textsOf(v.files, limits["model-files"]) };
}

/**
 * viewOf reads a view from a link.
 * @param {unknown} v
 * @returns {View} pick null: the outcome that answers the question; run null: the initial step
 */
export function viewOf(v) {
  if (!isObject(v)) throw new Error(DAMAGED);
  const { pick, run, relations = {} } = /** @type {Record<"pick" | "run" | "relations", Record<string, unknown> | undefined>} */ (v);
  if (![pick ?? {}, run ?? {}, relations].every(isObject)) throw new Error(DAMAGED);
  return {
    pick: pick ? { column: textOf(pick.column), state: textOf(pick.state), flag: textOf(pick.flag), n: Math.max(1, countOf(pick.n, 1)) } : null,
    beside: textOf(v.beside),
    compiled: textOf(v.compiled),
    tab: textOf(v.tab, "graph"),
    relations: { show: listOf(relations.show, textOf), hide: listOf(relations.hide, textOf) },
    run: run ? { path: run.path === undefined || run.path === null ? null : textOf(run.path), step: countOf(run.step, 0) } : null,
  };
}

/**
 * brief removes the default values from a view.
 * @param {View} view
 * @returns {Partial<View>} {} where nothing has been chosen
 */
export function brief({ pick, beside, compiled, tab, relations, run }) {
  /** @type {Partial<View>} */
  const out = {};
  if (pick) {
    out.pick = { column: pick.column, state: pick.state };
    if (pick.flag) out.pick.flag = pick.flag;
    if (Number(pick.n) > 1) out.pick.n = pick.n;
  }
  if (beside) out.beside = beside;
  if (compiled) out.compiled = compiled;
  if (tab !== "graph") out.tab = tab;
  if (relations.show.length > 0 || relations.hide.length > 0) out.relations = relations;
  if (run) out.run = run;
  return out;
}

/**
 * fields returns the form fields of a question.
 * @param {LinkState} question
 * @returns {URLSearchParams}
 */
export function fields({ source, models, own = [], engine = "", options = {} }) {
  const out = new URLSearchParams({ source });
  for (const m of models) out.append("model", m);
  for (const m of own) {
    out.append("own-name", m.name);
    out.append("own-text", m.text);
    out.append("own-files", JSON.stringify(m.files ?? {}));
  }
  if (engine) out.set("engine", engine);
  for (const [name, value] of Object.entries(options)) out.set(`option-${name}`, value);
  return out;
}
