// The page that shows an engine's exploration.

import { activate } from "./tour.js";

document.documentElement.classList.add("live");
const status = document.getElementById("status");
activate(document.getElementById("tour"), (text) => (status.textContent = text), (address) => history.replaceState(null, "", address));
