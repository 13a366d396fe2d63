// The time that is left to vote. The server says how much, and when it is over; here it is counted down, by a clock that
// nobody sets.

const SOON = 10_000; // milliseconds that are the last
/** @type {Map<HTMLElement, number>} */
const ends = new Map(); // on the page's own clock

/**
 * counting has the countdowns of a page go on that has just come.
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
