// Compares the visitor's model with another one: the page arrives while the tests run. Stopping also stops the server;
// the results so far stay.

const stop = document.querySelector("#stop");
const found = () => document.querySelector(".found");

stop.hidden = document.readyState !== "loading";
stop.addEventListener("click", () => {
  window.stop();
  over();
  const said = document.querySelector("#stopped");
  const lines = [...document.querySelectorAll(".found > .progress")];
  const whole = lines.findLast((line) => line.textContent.trim().endsWith("differ")) ?? lines[0]; // the last may be cut
  said.textContent = `Stopped after ${whole.textContent.trim()}.`;
  said.hidden = false;
  for (const line of lines.slice(-2)) line.hidden = true;
});

function over() {
  stop.hidden = true;
  found()?.removeAttribute("aria-busy");
}
document.addEventListener("DOMContentLoaded", over);
if (document.readyState !== "loading") over();
