/** Proves the transcript of hooks: a line per message, written on, redacted, private, and removed at the end. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Fact, type FactRecord, noUsage } from "@kedge/protocol";
import { expect, test } from "vitest";
import { createHookTranscripts } from "./hook-transcript.ts";

test("each look adds what came since, without secrets", async () => {
  const directory = mkdtempSync(join(tmpdir(), "kedge-transcript-"));
  const records: FactRecord[] = [];
  const add = (fact: Fact) => {
    records.push({ sessionId: "ses_1", seq: records.length + 1, time: 0, fact, prev: "", hash: "" } as FactRecord);
  };
  const asked: number[] = [];
  const transcripts = createHookTranscripts({
    directory,
    redact: (text) => text.replaceAll("hunter2", "[secret]"),
    store: {
      async *read(_, after = 0) {
        asked.push(after);
        yield* records.filter(({ seq }) => seq > after);
      },
    },
  });
  add({ type: "prompt.admitted", promptId: "p", runId: "r", delivery: "steer", text: "my key is hunter2" });
  const path = await transcripts.write("ses_1");
  const content = [{ type: "text", text: "Done." }] as const;
  const cost = { usd: 0, estimated: false };
  add({ type: "step.ended", stepId: "s", outcome: "answered", content, usage: noUsage, cost, durationMs: 1 });
  await Promise.all([transcripts.write("ses_1"), transcripts.write("ses_1")]);
  const lines = readFileSync(path, "utf8").trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).message)).toEqual([
    { role: "user", content: "my key is [secret]" },
    { role: "assistant", content: [{ type: "text", text: "Done." }] },
  ]);
  expect([asked, statSync(path).mode & 0o777]).toEqual([[0, 1, 2], 0o600]);
  transcripts.close();
  expect(existsSync(path)).toBe(false);
  rmSync(directory, { recursive: true });
});
