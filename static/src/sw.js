// The service worker of a static site: stores all its files for use without a network. It reads the list of files from
// site.json; the first line, written with the site, has the version.

const worker = /** @type {any} */ (self); // a worker, not a window
const scope = new URL(worker.registration.scope);
const name = `litmuscope ${scope.pathname} ${worker.version}`;

worker.addEventListener("install", (/** @type {{ waitUntil(kept: Promise<void>): void }} */ e) => e.waitUntil(keep()));

async function keep() {
  const site = await fetch("site.json", { cache: "no-cache" });
  const cache = await caches.open(name);
  await cache.put("site.json", site.clone());
  /** @type {SiteFile} */
  const { files } = await site.json();
  await cache.addAll(files.map((f) => new Request(f, { cache: "no-cache" })));
  await worker.skipWaiting();
}

worker.addEventListener("activate", (/** @type {{ waitUntil(begun: Promise<void>): void }} */ e) => e.waitUntil(begin()));

async function begin() {
  for (const other of await caches.keys()) {
    if (other.startsWith(`litmuscope ${scope.pathname} `) && other !== name) await caches.delete(other);
  }
  await worker.clients.claim();
}

worker.addEventListener("fetch", (/** @type {{ request: Request, respondWith(answer: Promise<Response>): void }} */ e) => {
  const url = new URL(e.request.url);
  if (e.request.method !== "GET" || url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname)) return;
  e.respondWith(answer(e.request, url));
});

/**
 * @param {Request} request
 * @param {URL} url
 */
async function answer(request, url) {
  const cache = await caches.open(name);
  const path = scope.origin + url.pathname;
  /** @param {string} address */
  const kept = async (address) => {
    const r = await cache.match(address);
    // A redirected response must not answer a request for a page. Workers of isolated pages need the headers, too.
    return r && (r.redirected || request.mode === "navigate" || request.destination === "worker") ? new Response(r.body, { headers: isolated(r.headers) }) : r;
  };
  if (request.mode !== "navigate") return (await kept(path)) ?? fetch(request);
  const folder = path.endsWith("/") ? path : `${path}/`;
  const page = await kept(folder);
  if (page) return folder === path ? page : Response.redirect(`${folder}${url.search}`);
  const file = await kept(path);
  if (file) return file;
  // The program makes this page.
  const wait = await /** @type {Response} */ (await kept(new URL("wait.html", scope).href)).text();
  return new Response(wait.replaceAll("{base}", scope.pathname), { headers: isolated(new Headers({ "Content-Type": "text/html; charset=utf-8" })) });
}

/**
 * isolated adds the headers with which pages may share memory between threads, to run tests on the visitor's processor.
 * @param {Headers} headers
 */
function isolated(headers) {
  const out = new Headers(headers);
  out.set("Cross-Origin-Opener-Policy", "same-origin");
  out.set("Cross-Origin-Embedder-Policy", "require-corp");
  return out;
}
