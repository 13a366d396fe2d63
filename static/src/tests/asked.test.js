import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, drop, isDue, isEdited, othersLike, problemsOf, showsByItself } from "../asked.js";

const state = (source) => ({ source, arch: "X86", models: [], engine: "", options: {}, own: [] });
const fields = new URLSearchParams("source=a");

const none = () => ({ running: null, answered: null });

test("a question is due until it is asked, and again once it is another", () => {
  const asked = none();
  assert.ok(isDue(asked, state("a")));
  const first = ask(asked, fields, state("a"));
  assert.equal(asked.running, first);
  assert.ok(!isDue(asked, state("a")));
  assert.ok(isDue(asked, state("b")));
  asked.answered = first;
  asked.running = null;
  assert.ok(!isDue(asked, state("a")));
});

test("nothing is edited before there is an answer", () => {
  const asked = none();
  assert.ok(!isEdited(asked, state("a")));
  asked.answered = ask(asked, fields, state("a"));
  assert.ok(!isEdited(asked, state("a")));
  assert.ok(isEdited(asked, state("b")));
});

test("a newer question ends an older one", () => {
  const asked = none();
  const first = ask(asked, fields, state("a"));
  const second = ask(asked, fields, state("b"));
  assert.ok(first.abort.signal.aborted);
  assert.equal(asked.running, second);
  drop(asked);
  assert.ok(second.abort.signal.aborted);
  assert.equal(asked.running, null);
  drop(asked);
});

test("what a check finds are errors and remarks", () => {
  const mark = { line: 1, col: 2, message: "m" };
  assert.deepEqual(problemsOf({ errors: [mark], remarks: [{ ...mark, message: "r" }] }), [
    { ...mark, severity: "error" },
    { ...mark, message: "r", severity: "info" },
  ]);
});

test("the first execution of an answer is left out", () => {
  const answering = { column: "tso", state: "{}" };
  assert.ok(showsByItself({ column: "tso", state: "{}", flag: "", n: 1 }, answering));
  assert.ok(showsByItself(null, null));
  for (const other of [{ column: "sc" }, { state: "x" }, { flag: "race" }, { n: 2 }]) {
    assert.ok(!showsByItself({ ...answering, ...other }, answering), JSON.stringify(other));
  }
});

test("drafts of the same kind are offered, but for the text that is there", () => {
  const program = { ...state("c"), arch: "program" };
  const drafts = [state("a"), state("b"), program].map((s) => ({ state: s }));
  assert.deepEqual(othersLike(state("a"), drafts).map((d) => d.state.source), ["b"]);
  assert.deepEqual(othersLike({ ...program, source: "d" }, drafts).map((d) => d.state.source), ["c"]);
});
