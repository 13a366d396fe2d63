// Receives the events of a class while the page is visible. A hidden page releases its connection, since browsers allow
// only a few per server, and a phone's connection is dead after sleep. The first event after a reconnect has the whole
// state.

const PAUSE = 1500; // milliseconds before a retry after an error
const SILENCE = 40_000; // milliseconds without an event after which the connection counts as lost

/**
 * stream passes events on until the event end.
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
      // Browsers reconnect by themselves after a broken connection, but not after an error status.
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
