// Events of a class, as long as somebody looks at it: a page out of sight takes none of the
// few connections that a browser has for a server, and a phone that wakes finds its own
// dead. Whoever comes back is told everything first.

const PAUSE = 1500; // milliseconds before an answer that was no stream is asked for again
const SILENCE = 40_000; // … after which a connection without a word is taken for dead

/**
 * stream hands on events until the one named end.
 * @param {string} url
 * @param {Record<"view" | "tally" | "end", (data: ClassEvent) => void> & Record<"lost" | "found", () => void>} on lost and found tell of the connection
 */
export function stream(url, on) {
  /** @type {EventSource | null} */
  let source = null;
  let over = false;
  let timer = 0;
  let watch = 0;

  function heard() {
    clearTimeout(watch);
    watch = setTimeout(() => {
      on.lost();
      open();
    }, SILENCE);
  }
  function close() {
    clearTimeout(timer);
    clearTimeout(watch);
    source?.close();
    source = null;
  }
  function open() {
    close();
    if (over) return;
    source = new EventSource(url);
    heard();
    source.addEventListener("open", heard);
    for (const name of /** @type {const} */ (["view", "tally", "end"])) {
      source.addEventListener(name, (e) => {
        heard();
        on.found();
        if (name === "end") {
          over = true;
          close();
        }
        on[name](JSON.parse(e.data));
      });
    }
    source.addEventListener("beat", heard);
    source.addEventListener("error", () => {
      on.lost();
      // A broken connection the browser makes anew by itself, a refused one it does not.
      if (source?.readyState === EventSource.CLOSED) {
        clearTimeout(timer);
        timer = setTimeout(open, PAUSE + Math.random() * PAUSE);
      }
    });
  }

  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") close();
    else open();
  });
  addEventListener("pageshow", (e) => e.persisted && open());
  addEventListener("pagehide", close);
  addEventListener("online", open);
  if (document.visibilityState !== "hidden") open();
}
