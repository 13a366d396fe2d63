// Pages of a static site for features of a server: they link to a server's page and store its address.

const KEY = "litmuscope.server";
const form = /** @type {HTMLFormElement} */ (document.getElementById("elsewhere"));
const server = /** @type {HTMLInputElement} */ (document.getElementById("server"));

try {
  server.value = localStorage.getItem(KEY) ?? "";
} catch {} // storage is off

form.addEventListener("submit", (e) => {
  e.preventDefault();
  try {
    localStorage.setItem(KEY, server.value);
  } catch {}
  location.href = server.value.replace(/\/+$/, "") + form.dataset.at;
});
