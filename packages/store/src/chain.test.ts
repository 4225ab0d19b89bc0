/** Proves that the chain is the one the design describes, and that sealed text is nowhere in it. */
import { createHash } from "node:crypto";
import { canonicalJson } from "@kedge/protocol";
import { expect, test } from "vitest";
import { sampleFacts } from "../test/sample-facts.ts";
import { chainFacts, emptyHead, recordFromRow } from "./chain.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const source = { time: 1_700_000_000_000, randomBytes: (size: number) => new Uint8Array(size).fill(7) };

test("each hash covers the one before and the canonical record", () => {
  const rows = chainFacts(emptyHead("ses_1"), sampleFacts, source);
  let prev = sha256("ses_1");
  for (const [index, row] of rows.entries()) {
    const content = canonicalJson({
      seq: index + 1,
      time: source.time,
      type: sampleFacts[index]?.type,
      version: 1,
      data: JSON.parse(row.data),
    });
    expect(row.prev).toBe(prev);
    expect(row.hash).toBe(sha256(prev + content));
    prev = row.hash;
  }
});

test("the digest is that of salt and content, and the text is not in the record", () => {
  const [, row] = chainFacts(emptyHead("ses_1"), sampleFacts, source);
  const payload = { salt: "07".repeat(16), content: '{"text":"Fix the bug\\nin the parser"}' };
  expect(row?.payload).toEqual(payload);
  expect(row?.digest).toBe(sha256(payload.salt + payload.content));
  expect(JSON.parse(row?.data ?? "")).toEqual({
    delivery: "follow-up",
    digest: row?.digest,
    promptId: "prm_1",
    runId: "run_1",
    text: "",
  });
});

test("a fact whose sealed fields are empty has no payload", () => {
  const rows = chainFacts(emptyHead("ses_1"), sampleFacts, source);
  expect(rows.map((row) => row.payload !== undefined)).toEqual([false, true, false, true, true, true, false]);
});

test("removed fields come back empty or absent", () => {
  const rows = chainFacts(emptyHead("ses_1"), sampleFacts, source);
  const removed = rows.map((row) => recordFromRow("ses_1", { ...row, payload: undefined }).fact);
  expect(removed[4]).toEqual({
    type: "tool.ended",
    callId: "call_1",
    stepId: "stp_1",
    tool: "read",
    outcome: "completed",
    output: "",
    title: "",
    phases: { run: 0.25 },
  });
  expect(removed[5]).toEqual({ type: "command.ran", command: "stats", text: "" });
});
