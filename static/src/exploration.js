// The page on how an engine goes through the executions of a test or a program.

import { activate } from "./tour.js";

document.documentElement.classList.add("live");
const status = document.getElementById("status");
activate(document.getElementById("tour"), (text) => (status.textContent = text), (address) => history.replaceState(null, "", address));
