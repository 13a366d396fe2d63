// The pages of a static site that want a server: they lead to the same page of one, and keep its address.

const KEY = "litmuscope.server";
const form = /** @type {HTMLFormElement} */ (document.getElementById("elsewhere"));
const server = /** @type {HTMLInputElement} */ (document.getElementById("server"));

try {
  server.value = localStorage.getItem(KEY) ?? "";
} catch {} // storage is switched off

form.addEventListener("submit", (e) => {
  e.preventDefault();
  try {
    localStorage.setItem(KEY, server.value);
  } catch {}
  location.href = server.value.replace(/\/+$/, "") + form.dataset.at;
});
