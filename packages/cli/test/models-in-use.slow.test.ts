/** Proves what a user does with models: change them in mid-session, survive their bad days, show them pictures. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

/** Adds a second provider, which speaks another wire, to the configuration of the bench. */
function addProvider({ home, model }: Workbench, api: string): void {
  const file = join(home, "config.json");
  const settings = JSON.parse(readFileSync(file, "utf8"));
  settings.provider.other = { api, baseURL: model.baseUrl, apiKey: "other-key-of-the-test" };
  writeFileSync(file, JSON.stringify(settings));
}

/** The vendor asks for a wait that a test can afford. */
const overloaded: MockTurn = { status: 529, headers: { "retry-after-ms": "1" }, body: '{"error":{"message":"Busy."}}' };

test("the model changes in mid-session, to another wire, and sees the whole conversation", async () => {
  bench = await openWorkbench([
    { reasoning: "A thought.", text: "Hello.", toolCalls: [{ name: "list", input: {} }] },
    { text: "Listed." },
    { text: "From the other one." },
  ]);
  addProvider(bench, "anthropic");
  const input = "first\n/model other/mock-model\n/model\n/model nobody/x\nsecond\n";
  const { code, stdout } = await bench.run(["--console"], { input });
  expect(code).toBe(0);
  expect(stdout).toContain("(model: other/mock-model)");
  expect(stdout).toContain('Unknown provider "nobody"');
  expect(bench.model.requests.map(({ path }) => path)).toEqual([
    "/v1/chat/completions",
    "/v1/chat/completions",
    "/v1/messages",
  ]);
  const roles = bench.model.requests[2]?.body.messages?.map(({ role }) => role);
  expect(roles).toEqual(["user", "assistant", "user", "assistant", "user"]);
  expect(bench.model.requests[2]?.raw.toString()).not.toContain("A thought.");
});

test("a busy provider is asked again, and the user is told", async () => {
  bench = await openWorkbench([overloaded, overloaded, { text: "At last." }]);
  const { code, stdout, stderr } = await bench.run(["-p", "go"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "At last.\n" });
  expect(stderr).toMatch(/is overloaded.*Retrying in 1 s \(attempt 2 of 10\)/);
  const streamed = await bench.run(["-p", "again", "--output-format", "stream-json"]);
  expect(streamed.stderr).toBe("");
});

test("a provider that stays busy leads to the fallback model, and without one to a sentence with a next step", async () => {
  bench = await openWorkbench([overloaded, overloaded, overloaded, { text: "From the other one." }]);
  addProvider(bench, "openai-responses");
  const { code, stdout, stderr } = await bench.run(["-p", "go", "--fallback-model", "other/mock-model"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "From the other one.\n" });
  expect(stderr).toContain(
    "mock/mock-model is unavailable (repeated_overload). Continuing this run with other/mock-model.",
  );
  await bench.close();
  bench = await openWorkbench([overloaded, overloaded, overloaded, { text: "never" }]);
  const failed = await bench.run(["-p", "go", "--output-format", "json"]);
  expect(failed.code).toBe(1);
  expect(JSON.parse(failed.stdout)).toMatchObject({ is_error: true, error: { code: "repeated_overload" } });
  expect(bench.model.requests.length).toBe(3);
});

test("an answer that breaks off in the middle begins anew", async () => {
  bench = await openWorkbench([{ text: "x".repeat(4_000), dropAfterBytes: 2_000 }, { text: "Whole." }]);
  const { code, stdout } = await bench.run(["-p", "go"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "Whole.\n" });
});

test("a picture goes with the prompt, and what is no picture is named", async () => {
  bench = await openWorkbench([{ text: "A dot." }]);
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  writeFileSync(join(bench.project, "dot.dat"), png);
  writeFileSync(join(bench.project, "notes.txt"), "text");
  const { code, stdout } = await bench.run(["-p", "what is it?", "--attach", "dot.dat"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "A dot.\n" });
  expect(bench.model.requests[0]?.raw.toString()).toContain(`data:image/png;base64,${png.toString("base64")}`);
  const text = await bench.run(["-p", "what is it?", "--attach", "notes.txt"]);
  expect(text).toMatchObject({ code: 2, stderr: expect.stringContaining("notes.txt is not an image or a PDF") });
  const missing = await bench.run(["-p", "what is it?", "--attach", "gone.png"]);
  expect(missing).toMatchObject({ code: 2, stderr: "kedge: --attach: gone.png does not exist.\n" });
});

test("at the limit of cost the console asks before it goes on", async () => {
  const dear = { input: 20_000, output: 20 };
  bench = await openWorkbench(
    [
      { toolCalls: [{ name: "list", input: {} }], usage: dear },
      { text: "Half way.", toolCalls: [{ name: "list", input: {} }], usage: dear },
      { text: "Done." },
    ],
    { limits: { maxBudgetUsd: 0.05 } },
    { cost: { input: 5, output: 25 } },
  );
  const { code, stdout } = await bench.run(["--console"], { input: "go\ny\nn\n" });
  expect(stdout.match(/stopped: cost limit reached, \$0\.1005 spent/g)).toHaveLength(2);
  expect(stdout.match(/Limit reached\. Continue with the same limit again\?/g)).toHaveLength(2);
  expect(stdout).toContain("Half way.");
  expect(bench.model.requests.length).toBe(2);
  expect(code).toBe(4);
});

test("a model without prices costs unknown, and the cost limit says that it can't stop it", async () => {
  const many = { input: 900_000, output: 90_000 };
  bench = await openWorkbench(
    [{ toolCalls: [{ name: "list", input: {} }], usage: many }, { text: "Done.", usage: many }, { text: "." }],
    { limits: { maxBudgetUsd: 0.01 } },
  );
  const { code, stdout, stderr } = await bench.run(["-p", "go", "--output-format", "json"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ subtype: "success", total_cost_usd: 0, cost_estimated: true });
  expect(stderr).toContain("The cost limit can't stop this run: no price is known for mock/mock-model.");
  expect((await bench.run(["cost", "why"])).stdout).toContain("Total: unknown in 2 turns.\n");
  expect((await bench.run(["stats"])).stdout).toContain("cost: unknown.\n");
});
