// A model of one's own versus another: the page comes while the tests are asked about. Stopping ends that, at the
// server, too; what has come stays.

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
