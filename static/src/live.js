// Server-sent events that go on where they broke off.

// The browser comes back by itself when a connection breaks, but not when the server
// answers with an error, as one does that has just started.
const PAUSE = 2000;

/**
 * follow hands on events until the one named end, from the row numbered after.
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
