/** Proves what phases from outside may do with a call that has ended. */
import type { CallPhase } from "@kedge/protocol";
import { expect, test } from "vitest";
import { after, endsOf, notices, rule, work } from "./phased-worksite.ts";
import { bash, openWorksite, working } from "./worksite.ts";

test("a phase that throws after a call withholds its result or leaves it, as it declares", async () => {
  const broken = (onError: CallPhase["onError"]): CallPhase => ({
    name: "redactor",
    onError,
    after: async () => {
      throw new Error("out of order");
    },
  });
  const closed = await work({ phases: [broken("refuse")], mode: "bypass", output: "secret" });
  expect(closed.ends).toMatchObject([
    {
      outcome: "completed",
      output: "The result of this call (completed) is withheld. The phase redactor failed: out of order.",
    },
  ]);
  expect(JSON.stringify(closed.harness.events)).not.toContain("secret");
  const open = await work({ phases: [broken("continue")], mode: "bypass" });
  expect([open.ends[0]?.output, notices(open.harness)]).toEqual([
    "done",
    expect.arrayContaining(["The phase redactor failed: out of order."]),
  ]);
});

test("a rewritten output is what the model reads; the original is kept unless the phase redacts", async () => {
  const kept: string[] = [];
  const artifacts = {
    create: () => ({ number: 7, path: "", write: (text: string) => void kept.push(text), close: () => undefined }),
    pathOf: () => undefined,
    numbers: () => [],
  };
  const shorter = after("shortener", ({ output }) => ({ output: output.slice(0, 2), metadata: { lines: 1 } }));
  for (const phase of [shorter, { ...shorter, redacts: true } as const]) {
    const { harness } = openWorksite({
      turns: working(bash("make a")),
      shell: () => ({ output: "a long log", exitCode: 0 }),
      parts: { callPhases: [phase], newArtifacts: () => artifacts },
    });
    await harness.prompt(await harness.open("bypass"), "go");
    const artifact = phase.redacts ? {} : { artifact: 7 };
    expect(endsOf(harness)).toMatchObject([{ outcome: "completed", output: "a " }]);
    expect(endsOf(harness)[0]?.metadata).toEqual({ lines: 1, ...artifact, rewrittenBy: ["shortener"] });
    expect(harness.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", output: "a " });
    expect(kept.splice(0)).toEqual(phase.redacts ? [] : ["a long log"]);
  }
});

test("what a phase adds stands below the result, within limits, and what it calls an error is one", async () => {
  const phases = [
    after("one", () => ({ note: "Mind the gap.", isError: true })),
    after("two", ({ outcome }) => ({ note: outcome === "failed" ? "y".repeat(10_001) : "" })),
  ];
  const [ended] = (await work({ phases, mode: "bypass" })).ends;
  expect(ended?.outcome).toBe("failed");
  expect(ended?.output).toMatch(/^done\n\nMind the gap\.\n\ny+\[…/);
  expect(ended?.output.length).toBeLessThan(10_100);
});

test("a phase sees refused calls after their end, and cannot turn them into successes", async () => {
  const seen: string[] = [];
  const look = after("look", ({ outcome, callId }) => {
    seen.push(`${callId} ${outcome}`);
    return { isError: false };
  });
  const { ends } = await work({ phases: [look], rules: [rule("make a", "deny")] });
  expect([seen, ends[0]?.outcome]).toEqual([["c1 refused"], "refused"]);
});

test("a phase can end the run after the step, and the user is told why", async () => {
  const stop = after("budget", () => ({ endRun: "The budget of the project is used up." }));
  const { harness, run } = await work({ phases: [stop], commands: ["make a", "make b"], mode: "bypass" });
  expect(run).toMatchObject({ type: "run.ended", reason: "stopped_by_hook", turns: 1 });
  expect(notices(harness)).toContain("The budget of the project is used up.");
});
