// The worker of a static site: runs litmuscope (web/api/site/engine) for the page, or as a child process of such a
// worker, and passes messages between them. Go's own script, which runs the program, stands before this one.

import katex from "katex";

const worker = /** @type {any} */ (self); // a worker, not a window
/** @type {WebAssembly.Module | undefined} */
let module; // the compiled program
let begun = false;
let said = ""; // the program's error output
/** @type {Uint8Array[]} */
const early = []; // messages that arrived before the program was ready

/** @param {string} status */
const over = (status, why = "") => {
  const text = `${said}\n${why}`.trim();
  worker.postMessage(engine.child ? { status, said: text } : { ended: text || status });
  worker.close();
};

worker.katex = katex; // web/teaching/mathml

/** @type {any} */
const engine = (worker.engine = {
  child: false,
  base: "/",
  jobs: 1,
  assets: "",
  hear: null,
  /** @param {Uint8Array} bytes */
  tell: (bytes) => worker.postMessage(bytes, [bytes.buffer]),
  /** @param {(bytes: Uint8Array | null, status?: string, said?: string) => void} hear */
  start(hear) {
    const child = new Worker(worker.location.href);
    child.onmessage = ({ data }) => (data instanceof Uint8Array ? hear(data) : hear(null, data.status, data.said));
    child.onerror = (e) => hear(null, "exit status 2", e.message ?? "");
    child.postMessage({ child: true, module });
    return child;
  },
  /**
   * @param {number} id
   * @param {number} status
   * @param {string[][]} headers
   */
  head: (id, status, headers) => worker.postMessage({ id, head: { status, headers } }),
  /**
   * @param {number} id
   * @param {Uint8Array} piece
   */
  piece: (id, piece) => worker.postMessage({ id, piece }, [piece.buffer]),
  /**
   * @param {number} id
   * @param {string} fault
   */
  end: (id, fault) => worker.postMessage(fault ? { id, fault } : { id, end: true }),
  /** @param {string} made */
  ready: (made) => worker.postMessage({ ready: made }),
});

// compile loads the program, which is compressed with Brotli. Some hosts have the browser decompress it; some browsers
// can. Otherwise the script decoder does.
/**
 * @param {string} address
 * @param {string} decoder
 */
async function compile(address, decoder) {
  const r = await fetch(address);
  if (!r.ok) throw new Error(`${address}: ${r.status}`);
  const bytes = new Uint8Array(await r.arrayBuffer());
  worker.postMessage({ stage: "Starting litmuscope …" });
  if (bytes[0] === 0 && bytes[1] === 0x61) return WebAssembly.compile(bytes);
  const plain = inBrowser(bytes) ?? (await import(decoder)).unpacked(bytes);
  return WebAssembly.compileStreaming(new Response(plain, { headers: { "Content-Type": "application/wasm" } }));
}

/**
 * inBrowser has the browser decompress bytes; null if it cannot.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
function inBrowser(bytes) {
  try {
    return new Blob([bytes]).stream().pipeThrough(new DecompressionStream(/** @type {any} */ ("brotli")));
  } catch {
    return null; // the browser does not know the format
  }
}

/** @param {{ child?: boolean, base?: string, jobs?: number, assets?: string, module?: WebAssembly.Module, program: string, decoder: string }} how */
async function run(how) {
  Object.assign(engine, { child: how.child === true, base: how.base, jobs: how.jobs, assets: how.assets });
  module = how.module ?? (await compile(how.program, how.decoder));
  const write = worker.fs.writeSync;
  const reader = new TextDecoder();
  worker.fs.writeSync = (/** @type {number} */ fd, /** @type {Uint8Array} */ bytes) => {
    if (fd === 2 && said.length < 8192) said += reader.decode(bytes);
    return write(fd, bytes);
  };
  const go = new worker.Go();
  let status = 0;
  go.exit = (/** @type {number} */ code) => (status = code);
  const running = go.run(await WebAssembly.instantiate(module, go.importObject));
  for (const bytes of early.splice(0)) engine.hear(bytes);
  await running;
  over(`exit status ${status}`);
}

addEventListener("error", (e) => over("exit status 2", e.message));
addEventListener("unhandledrejection", (e) => over("exit status 2", String(e.reason)));
addEventListener("message", ({ data }) => {
  if (!begun) {
    begun = true;
    run(data).catch((e) => over("exit status 2", e.message));
  } else if (data instanceof Uint8Array) {
    if (engine.hear) engine.hear(data);
    else early.push(data);
  } else if (data.stop) engine.stop(data.stop);
  else engine.ask(data.id, data.method, data.address, data.headers, data.body);
});
