// Compares the visitor's model with another one: the page arrives while the tests run. Stopping also stops the server;
// the results so far stay.

const stop = document.querySelector("#stop");
const found = () => document.querySelector(".found");

stop.hidden = document.readyState !== "loading";
stop.addEventListener("click", () => {
  window.stop();
  over();
  const said = document.querySelector("#stopped");
  const [at] = [...document.querySelectorAll(".found > .progress")].slice(-1);
  said.textContent = `Stopped after ${at.textContent.trim()}.`;
  said.hidden = false;
  at.hidden = true;
});

function over() {
  stop.hidden = true;
  found()?.removeAttribute("aria-busy");
}
document.addEventListener("DOMContentLoaded", over);
if (document.readyState !== "loading") over();
