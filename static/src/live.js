// Server-sent events that resume after an interruption.

// Browsers reconnect after a broken connection, but not after an error status, such as from a server that has just
// started.
const PAUSE = 2000;

/**
 * follow passes events on until the event end, starting after the row with number after.
 * @param {string} url
 * @param {number} after
 * @param {SuiteEvents} take what to do with the events of each name
 */
export function follow(url, after, take) {
  const source = new EventSource(`${url}&after=${after}`);
  for (const [name, f] of Object.entries(take)) {
    source.addEventListener(name, (e) => {
      after = Number(e.lastEventId || after);
      if (name === "end") source.close();
      f(JSON.parse(e.data));
    });
  }
  source.addEventListener("error", () => {
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(() => follow(url, after, take), PAUSE);
  });
}
