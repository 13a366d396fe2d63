// Runs a suite through the client of @hey-api/openapi-ts: node hey.js URL.

import { client } from "./hey/client.gen.js";
import { explore, submit, suite as look, suites } from "./hey/sdk.gen.js";
import type { Suite } from "./hey/types.gen.js";

client.setConfig({ baseUrl: process.argv[2] ?? "", throwOnError: true });

const source = "X86 SB\n{}\n P0          | P1          ;\n MOV [x],$1  | MOV [y],$1  ;\n MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n";
const one = await explore({ body: { source, models: ["sc", "tso"] }, throwOnError: true });
const verdicts = one.data.results?.map((r) => `${r.model} ${r.verdict}`).join(", ");
if (verdicts !== "sc forbidden, tso allowed") throw new Error(`explore: ${verdicts}`);

for (const name of ["third", "fourth"]) {
  const made = await submit({ body: { name, tests: [{ path: "SB.litmus", source }], models: ["sc", "tso"] }, throwOnError: true });
  let run: Suite = made.data;
  while (run.state === "running") {
    await new Promise((done) => setTimeout(done, 100));
    run = (await look({ path: { id: run.id }, throwOnError: true })).data;
  }
  if (run.done !== 2 || run.failed !== 0) throw new Error(`${name}: ${JSON.stringify(run)}`);
}

const names: string[] = [];
for (let before: string | undefined; names.length < 2; ) {
  const list = await suites({ query: { limit: 1, ...(before === undefined ? {} : { before }) }, throwOnError: true });
  names.push(...(list.data.suites ?? []).map((s) => s.name));
  before = list.data.next;
  if (before === undefined) break;
}
if (names.join() !== "fourth,third") throw new Error(`suites: ${names}`);
console.log("@hey-api/openapi-ts ran", names.length, "suites");
