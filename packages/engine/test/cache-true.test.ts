/** Proves that the vendor's cache holds through a run: each request begins with the one before, whatever is read again. */
import { canonicalJson, type ModelRequest } from "@kedge/protocol";
import { expect, test } from "vitest";
import { newStore } from "./compaction-site.ts";
import { call, calls, createHarness, createTool, say } from "./harness.ts";

const readings = 12;
const rows = Array.from({ length: 300 }, (_, index) => `${index + 1}|line ${index + 1}`).join("\n");

/** How many of the requests do not begin with the messages of the one before. */
function broken(requests: readonly ModelRequest[]): readonly number[] {
  const texts = requests.map(({ messages }) => messages.map(canonicalJson));
  return texts.flatMap((messages, at) =>
    at > 0 && texts[at - 1]?.some((message, index) => message !== messages[index]) ? [at] : [],
  );
}

test("files that are read again break no prefix; what they supersede goes with the next prompt", async () => {
  const harness = createHarness({
    store: newStore(),
    tools: [createTool({ name: "read", run: async () => ({ output: rows, title: "" }) })],
    turns: [
      ...Array.from({ length: readings }, (_, at) => calls(call(`call_${at}`, "read", { filePath: `${at % 2}.ts` }))),
      say("Read."),
      say("Done."),
    ],
  });
  const sessionId = await harness.open("bypass");
  await harness.prompt(sessionId, "Read it often.");
  expect(harness.requests).toHaveLength(readings + 1);
  expect(broken(harness.requests)).toEqual([]);
  expect(harness.facts().filter(({ type }) => type === "context.cleared")).toEqual([]);

  await harness.prompt(sessionId, "Go on.");
  const cleared = harness.facts().flatMap((fact) => (fact.type === "context.cleared" ? [fact] : []));
  expect(cleared.map(({ reason, results }) => [reason, results.length])).toEqual([["superseded", readings - 2]]);
  expect(broken(harness.requests)).toEqual([readings + 1]);
});
