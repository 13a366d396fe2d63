// Runs a suite through the client of openapi-typescript and openapi-fetch: node fetch.js URL.

import createClient from "openapi-fetch";
import type { components, paths } from "./openapi.js";

const client = createClient<paths>({ baseUrl: process.argv[2] ?? "" });
type Suite = components["schemas"]["Suite"];

function got<T>(what: string, r: { data?: T; error?: unknown }): T {
  if (r.data === undefined) throw new Error(`${what}: ${JSON.stringify(r.error)}`);
  return r.data;
}

const source = "X86 SB\n{}\n P0          | P1          ;\n MOV [x],$1  | MOV [y],$1  ;\n MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n";
const one = got("explore", await client.POST("/api/v1/explore", { body: { source, models: ["sc", "tso"] } }));
const verdicts = one.results?.map((r) => `${r.model} ${r.verdict}`).join(", ");
if (verdicts !== "sc forbidden, tso allowed") throw new Error(`explore: ${verdicts}`);

for (const name of ["first", "second"]) {
  const made = await client.POST("/api/v1/suites", { body: { name, tests: [{ path: "SB.litmus", source }], models: ["sc", "tso"] } });
  let suite: Suite = got("submit", made);
  while (suite.state === "running") {
    await new Promise((done) => setTimeout(done, 100));
    suite = got("suite", await client.GET("/api/v1/suites/{id}", { params: { path: { id: suite.id } } }));
  }
  if (suite.done !== 2 || suite.failed !== 0) throw new Error(`${name}: ${JSON.stringify(suite)}`);
}

// A list goes on from what the one before gives as next.
const names: string[] = [];
for (let before: string | undefined; ; ) {
  const list = got("suites", await client.GET("/api/v1/suites", { params: { query: { limit: 1, ...(before === undefined ? {} : { before }) } } }));
  names.push(...(list.suites ?? []).map((s) => s.name));
  before = list.next;
  if (before === undefined) break;
}
if (names.join() !== "second,first") throw new Error(`suites: ${names}`);
console.log("openapi-fetch ran", names.length, "suites");
