// Cuts the pages' fonts down to the characters that pages use; run by task assets. Neither font has a reserved name.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import subset from "subset-font";

const letters = Array.from({ length: 0x7f - 0x20 }, (_, i) => String.fromCharCode(0x20 + i)).join("");
// All other signs on the pages, without ⌘: it takes 416 bytes, and machines with that key have the sign. What a typeface does not have, the next in the list of tokens.css has, or the system.
const signs = "“”‘’…–·×−µéíčŠê′²⁶✓✗→←⇒≤≥≠≈◆▶◀▲●‹›⚠✕▾▸∨∧∪∩∥⊥∈│─└┘☐⚙";

const faces = {
  text: { from: "inter-ui/variable/InterVariable.woff2", axes: { opsz: 14, wght: { min: 400, max: 700 } }, features: ["kern", "tnum"] },
  code: { from: "@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2", axes: { wght: { min: 400, max: 700 } }, features: [] },
};

mkdirSync("src/typefaces", { recursive: true });
for (const [name, { from, axes, features }] of Object.entries(faces)) {
  const whole = readFileSync(`src/node_modules/${from}`);
  const made = await subset(whole, letters + signs, { targetFormat: "woff2", noHinting: true, keepFeatures: features, variationAxes: axes });
  writeFileSync(`src/typefaces/${name}.woff2`, made);
}
