/** However a conversation changed, it looks as if it were drawn for the first time. */
import type { MessageView, PartBody } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import {
  callOf,
  doneOf,
  failedOf,
  messageOf,
  promptOf,
  readOf,
  stateOf,
  transcriptParts,
} from "../../test/transcript-samples.ts";
import { createTranscript } from "./transcript.ts";

const random = createSeededRandom();

const bodies: readonly (() => PartBody)[] = [
  () => readOf("a.ts", random.below(9)),
  () => doneOf("grep", { pattern: "foo" }, { metadata: { count: random.below(3), fileCount: 1 } }),
  () => doneOf("tool_search", { query: "web" }),
  () => ({ type: "reasoning", text: "Hm" }),
  () => ({ type: "text", text: `Text ${random.below(99)}\n\nand more` }),
  () => ({ type: "step-start" }),
  () => callOf("read", { filePath: "b.ts" }, { status: "running", startedAt: 1 }),
  () => failedOf("read", { filePath: "c.ts" }, "It does not exist.", 1),
  () => callOf("bash", { command: "make" }, { status: "running", startedAt: 1 }),
];

function randomMessage(id: string): MessageView {
  if (random.below(4) === 0) return promptOf(id, `Prompt ${random.below(99)}`);
  const count = random.below(4);
  return messageOf(id, {
    bodies: Array.from({ length: count }, () => (bodies[random.below(bodies.length)] ?? bodies[0])?.() ?? readOf("a")),
  });
}

function changed(messages: readonly MessageView[], round: number): readonly MessageView[] {
  const at = random.below(messages.length + 1);
  const known = messages[at];
  switch (random.below(4)) {
    case 0:
      return [...messages.slice(0, at), ...messages.slice(at + 1)];
    case 1:
      return known === undefined ? messages : messages.with(at, { ...randomMessage("x"), id: known.id });
    case 2:
      return [randomMessage(`first${round}`), ...messages];
    default:
      return [...messages, randomMessage(`last${round}`)];
  }
}

test(`what was drawn step by step is what would be drawn at once (seed ${random.seed})`, () => {
  for (let run = 0; run < 20; run += 1) {
    const transcript = createTranscript(transcriptParts());
    let messages: readonly MessageView[] = [];
    for (let round = 0; round < 60; round += 1) {
      messages = changed(messages, round);
      const tails = new Map([
        ["call_bash", { lines: [{ text: `out ${random.below(3)}`, stream: "stdout" as const }] }],
      ]);
      const last = messages[random.below(messages.length + 1)]?.id;
      const notices =
        random.below(2) === 0
          ? []
          : [{ id: "n", tone: "info" as const, text: "Note", ...(last && { afterMessageId: last }) }];
      const state = stateOf({ messages, tails, notices });
      const fresh = createTranscript(transcriptParts());
      transcript.update(state);
      fresh.update(state);
      expect(transcript.render(80)).toEqual(fresh.render(80));
    }
  }
});
