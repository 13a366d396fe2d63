// Counts down the time left to vote. The server gives the duration and decides when it is over; the page's monotonic
// clock measures it.

const SOON = 10_000; // the last milliseconds, which are highlighted
/** @type {Map<HTMLElement, number>} */
const ends = new Map(); // end times on the page's monotonic clock

/**
 * counting starts the countdowns of a new page.
 * @param {HTMLElement} room
 */
export function counting(room) {
  ends.clear();
  for (const place of room.querySelectorAll(".countdown")) ends.set(place, performance.now() + Number(place.dataset.left));
  tick();
}

function tick() {
  for (const [place, end] of ends) {
    const left = Math.max(end - performance.now(), 0);
    const seconds = Math.ceil(left / 1000);
    const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (place.textContent !== text) place.textContent = text;
    place.classList.toggle("last", left <= SOON);
  }
}

setInterval(tick, 200);
