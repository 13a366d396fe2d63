// Uses "litmuscope mcp" through a third party's client: node mcp.mjs LITMUSCOPE. It reads the schemas like a client that
// supports one type for each value, passes lists, and lets the client validate results with the output schemas.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const client = new Client({ name: "client-of-others", version: "1" });
await client.connect(new StdioClientTransport({ command: process.argv[2], args: ["mcp", "-j", "1"] }));

const { tools } = await client.listTools(); // from here on, the client validates results
const plain = (at, s) => {
  if (s === null || typeof s !== "object") return;
  if (Array.isArray(s.type)) throw new Error(`${at}: the type is ${JSON.stringify(s.type)}`);
  for (const [k, v] of Object.entries(s)) plain(`${at}.${k}`, v);
};
for (const t of tools) {
  plain(`${t.name} input`, t.inputSchema);
  if (!t.outputSchema) throw new Error(`${t.name} has no output schema`);
  plain(`${t.name} output`, t.outputSchema);
}

const source = "X86 SB\n{}\n P0          | P1          ;\n MOV [x],$1  | MOV [y],$1  ;\n MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n";
const call = async (name, args) => {
  const r = await client.callTool({ name, arguments: args });
  if (r.isError) throw new Error(`${name}: ${r.content[0].text}`);
  return r;
};
const explored = await call("explore", { source, models: ["sc", "tso"] });
const verdicts = explored.structuredContent.results.map((r) => `${r.model} ${r.verdict}`).join(", ");
if (verdicts !== "sc forbidden, tso allowed") throw new Error(`explore: ${verdicts}`);
await call("repair", { source, models: ["tso"] });
await call("verify", { source: "int main(void) { return 0; }", models: ["rc11"], properties: ["assertion", "memory"] });
const listed = await call("catalogue", { arch: "ARM64" });
if (!listed.structuredContent.brief || listed.structuredContent.items.length < 2) throw new Error("catalogue: not brief, or empty");
const refused = await client.callTool({ name: "explore", arguments: { source, model: "sc" } });
if (!refused.isError || !refused.content[0].text.includes("did you mean models?")) throw new Error(JSON.stringify(refused));
const tso = await client.readResource({ uri: "litmuscope://model/tso" });
if (!tso.contents[0].text.includes("acyclic")) throw new Error("the model tso has no text");
const { prompts } = await client.listPrompts();
console.log(`${tools.length} tools, ${prompts.length} prompts, ${(await client.listResources()).resources.length} resources`);
await client.close();
