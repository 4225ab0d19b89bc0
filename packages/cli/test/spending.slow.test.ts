/** Proves spending limits with the real program: days hold across processes, sessions across runs, and the refusal says what to do. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

/** Two dollars per answer. */
const answer = { text: "Done.", usage: { input: 0, output: 10_000 } };
const priced = { cost: { input: 0, output: 200 }, context: 100_000, output: 8_000 };

test("a day's limit stops the next process before its first request", async () => {
  bench = await openWorkbench([answer, answer, answer], { budget: { day: 3 } }, priced);
  expect((await bench.run(["-p", "one"])).code).toBe(0);
  expect((await bench.run(["-p", "two"])).code).toBe(0);
  const third = await bench.run(["-p", "three"]);
  expect(third.code).toBe(4);
  expect(third.stderr).toContain("The daily spending limit is reached: $4.00 of $3.00.");
  expect(third.stderr).toContain("Raise budget.day or wait until ");
  expect(bench.model.requests).toHaveLength(2);
  expect(readdirSync(join(bench.home, "data", "spending"))).toHaveLength(1);
});

test("a session's limit holds for all its runs, and a raised one counts at once", async () => {
  bench = await openWorkbench([answer, answer, answer], { budget: { session: 3 } }, priced);
  expect((await bench.run(["-p", "one"])).code).toBe(0);
  expect(await bench.run(["-p", "two", "--continue"])).toMatchObject({ code: 0 });
  expect((await bench.run(["-p", "three", "--continue"])).code).toBe(4);
  expect(bench.model.requests).toHaveLength(2);
  expect((await bench.run(["config", "set", "budget.session", "10"])).code).toBe(0);
  expect((await bench.run(["-p", "three", "--continue"])).code).toBe(0);
  expect(readdirSync(join(bench.home, "data"))).not.toContain("spending");
});
