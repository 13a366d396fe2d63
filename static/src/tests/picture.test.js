import assert from "node:assert/strict";
import { test } from "node:test";
import { exportFields } from "../exportfields.js";
import { countFields, pictureFields } from "../picturefields.js";
import { tabAfter } from "../picturetabs.js";
import { Switches } from "../switches.js";

const question = new URLSearchParams("source=X86 SB&model=tso");

test("a picture is asked for with what is picked", () => {
  const body = pictureFields(question, { column: "tso", state: "{}", n: 2, flag: undefined });
  assert.equal(String(body), "source=X86+SB&model=tso&column=tso&state=%7B%7D&n=2&flag=");
  assert.equal(String(question), "source=X86+SB&model=tso", "the question is asked again");
});

test("executions are counted of an outcome", () => {
  assert.equal(String(countFields(question, { column: "sc", state: "{}", n: "3" })), "source=X86+SB&model=tso&column=sc&state=%7B%7D");
});

test("a drawing is saved as it is shown", () => {
  const body = exportFields(question, { column: "tso", n: "2" }, "svg", { show: ["po"], hide: ["rf", "co"] });
  assert.deepEqual([...body].slice(2), [
    ["column", "tso"],
    ["state", ""],
    ["flag", ""],
    ["n", "2"],
    ["format", "svg"],
    ["show", "po"],
    ["hide", "rf"],
    ["hide", "co"],
  ]);
});

test("relations stay as they were switched last", () => {
  const switches = new Switches();
  assert.deepEqual(switches.names(), { show: [], hide: [] });
  switches.remember({ show: ["po", "fr"], hide: ["co"] });
  switches.remember({ hide: ["po"] });
  switches.remember({});
  assert.deepEqual(switches.names(), { show: ["fr"], hide: ["co", "po"] });
  switches.restore({ show: ["ppo"], hide: [] });
  assert.deepEqual(switches.names(), { show: ["ppo"], hide: [] });
});

test("keys move from tab to tab", () => {
  assert.deepEqual(["ArrowLeft", "ArrowRight", "Home", "End", "x"].map((key) => tabAfter(key, 1, 4)), [0, 2, 0, 3, undefined]);
});
