/** Proves in the real program that a tool call without a name is answered, and the run goes on. */
import { expect, test } from "vitest";
import { openWorkbench } from "./workbench.ts";

test("a tool call without a name is told which tools there are", async () => {
  const bench = await openWorkbench([{ toolCalls: [{ name: "", input: {} }] }, { text: "Done." }]);
  try {
    const run = await bench.run(["-p", "go"]);
    expect([run.code, run.stdout.trim()], run.stderr).toEqual([0, "Done."]);
    expect(bench.model.requests[1]?.raw.toString()).toContain("There is no tool named call_without_a_name");
  } finally {
    await bench.close();
  }
});
