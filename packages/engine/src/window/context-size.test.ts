import { describe, expect, test } from "vitest";
import { createWrittenSession, testModel, text } from "../../test/written-session.ts";
import { createContextSize } from "./context-size.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { defaultCompaction } from "./settings.ts";
import { createWindowPlanner } from "./window-plan.ts";

const model = testModel.ref;
const picture = { name: "a.png", mediaType: "image/png", base64: "A".repeat(100_000) };

/** As far as the size, which is all that is looked at. */
function pngHead(width: number, height: number): string {
  const head = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  return Buffer.concat([head, size]).toString("base64");
}

describe("the estimate", () => {
  test.each([
    ["text by its characters", "a".repeat(300), 100],
    [
      "a prompt with a picture",
      { type: "prompt", id: "p", text: "a".repeat(40), attachments: [picture], form: "prompt" },
      2_680,
    ],
    ["a reminder", { type: "reminder", id: "r", text: "a".repeat(12) }, 4],
    [
      "text, thoughts and calls of an answer",
      {
        type: "answer",
        id: "s",
        stepId: "s",
        model,
        content: [
          { type: "text", text: "a".repeat(12) },
          { type: "reasoning", text: "a".repeat(12) },
          { type: "tool-call", callId: "c", tool: "read", inputText: '{"a":1}1' },
        ],
      },
      12,
    ],
    [
      "no signature and no block of the vendor by its length",
      {
        type: "answer",
        id: "s",
        stepId: "s",
        model,
        content: [
          { type: "reasoning", text: "", signature: "x".repeat(200_000) },
          { type: "vendor", kind: "redacted", json: "x".repeat(200_000) },
          { type: "text", text: "a".repeat(12), signature: "x".repeat(200_000) },
        ],
      },
      4,
    ],
    [
      "what stands in the place of a result",
      {
        type: "results",
        id: "s.results",
        stepId: "s",
        results: [
          { callId: "a", tool: "read", outcome: "completed", output: "a".repeat(9_000), cleared: "a".repeat(30) },
          { callId: "b", tool: "read", outcome: "completed", output: "a".repeat(30), media: [picture] },
        ],
      },
      2_687,
    ],
    [
      "no more of the results of one answer than is shown",
      {
        type: "results",
        id: "s.results",
        stepId: "s",
        results: Array.from({ length: 5 }, () => ({
          callId: "a",
          tool: "read",
          outcome: "completed" as const,
          output: "a".repeat(60_000),
        })),
      },
      66_667,
    ],
    [
      "a report with what was said and changed",
      {
        type: "report",
        id: "r",
        said: [{ type: "prompt", id: "p", text: "a".repeat(12), form: "steer" }],
        report: "a".repeat(12),
        files: [{ path: "a".repeat(12), status: "added" }],
      },
      12,
    ],
    [
      "a summary with what was restored",
      { type: "compaction", id: "c", summary: "a".repeat(12), restored: ["a".repeat(12)], frames: [picture] },
      2_675,
    ],
    [
      "what a vendor sealed by its report and not by its length",
      {
        type: "compaction",
        id: "c",
        summary: "a".repeat(12),
        restored: [],
        vendorHistory: { provider: "p", family: "f", json: "x".repeat(200_000), tokens: 30 },
      },
      40,
    ],
  ] as const)("counts %s", (_, what, tokens) => {
    expect(estimateTokens(what)).toBe(tokens);
  });

  const latin = (text: string) => Buffer.from(text, "latin1").toString("base64");
  const preview = "\xff\xd8\xff\xc0\0\x11\x08\0\x10\0\x10\x03";

  test.each([
    ["image/png", pngHead(280, 140)],
    ["image/gif", latin("GIF89a\x18\x01\x8c\0\0\0\0")],
    ["image/webp", latin("RIFF\x1a\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x17\x01\0\x8b\0\0")],
    ["image/jpeg", latin(`\xff\xd8\xff\xe1\x10\0${preview.padEnd(4_094, "\0")}\xff\xc0\0\x11\x08\0\x8c\x01\x18\x03`)],
  ])("counts a picture (%s) by the squares it is cut into", (mediaType, base64) => {
    const attachments = [{ name: "shot", mediaType, base64 }];
    expect(estimateTokens({ type: "prompt", id: "p", text: "", form: "prompt", attachments })).toBe(67);
  });
});

describe("the size of the context", () => {
  test("everything is estimated before the first answer, what was said and has not entered included", () => {
    const session = createWrittenSession();
    const size = createContextSize();
    session.admit(text(300));
    expect(size.contextTokens(session.state, { model, fixedTokens: 50 })).toEqual({
      tokens: 450,
      isMeasured: false,
      parts: { reported: 0, fixed: 50, estimated: 400 },
    });
  });

  test("what was reported counts, and only later items are estimated", () => {
    const session = createWrittenSession();
    const size = createContextSize();
    session.step({ prompts: [text(9_000)], reportedTokens: 30_000, calls: [{ tool: "read", output: text(300) }] });
    expect(size.contextTokens(session.state, { model, fixedTokens: 50 })).toEqual({
      tokens: 30_400,
      isMeasured: true,
      parts: { reported: 30_000, fixed: 0, estimated: 400 },
    });
  });

  test("what another model counted does not count", () => {
    const session = createWrittenSession();
    session.step({ prompts: [text(300)], reportedTokens: 30_000, blocks: [{ type: "text", text: text(300) }] });
    const size = createContextSize();
    expect(size.contextTokens(session.state, { model: "mock/other", fixedTokens: 50 })).toEqual({
      tokens: 850,
      isMeasured: false,
      parts: { reported: 0, fixed: 50, estimated: 800 },
    });
  });

  test("instructions and tools count by what they grew since the request that was counted", () => {
    const session = createWrittenSession();
    const size = createContextSize();
    const fixedAfter = (fixedTokens: number) => size.contextTokens(session.state, { model, fixedTokens }).parts.fixed;
    expect(fixedAfter(1_000)).toBe(1_000);
    session.step({ prompts: ["Hi"], reportedTokens: 5_000, blocks: [{ type: "text", text: "Hello." }] });
    expect(fixedAfter(1_400)).toBe(400);
    // Asking again is not another request that was counted.
    expect(fixedAfter(1_600)).toBe(600);
    expect(fixedAfter(900)).toBe(0);
    session.step({ prompts: ["More"], reportedTokens: 6_000, blocks: [{ type: "text", text: "Yes." }] });
    expect(fixedAfter(900)).toBe(0);
    expect(fixedAfter(1_000)).toBe(100);
  });

  test("growth is unknown after a process took the session up, and after another model was asked", () => {
    const session = createWrittenSession();
    session.step({ prompts: ["Hi"], reportedTokens: 5_000, blocks: [{ type: "text", text: "Hello." }] });
    const size = createContextSize();
    expect(size.contextTokens(session.state, { model, fixedTokens: 9_000 }).tokens).toBe(5_000);
    expect(size.contextTokens(session.state, { model, fixedTokens: 9_900 }).tokens).toBe(5_000);
    size.contextTokens(session.state, { model: "mock/other", fixedTokens: 100 });
    session.step({ prompts: ["Hi"], reportedTokens: 6_000, blocks: [{ type: "text", text: "Hello." }] });
    expect(size.contextTokens(session.state, { model, fixedTokens: 9_000 }).tokens).toBe(6_000);
  });

  test("after results are cleared everything is estimated until the next answer", () => {
    const session = createWrittenSession();
    const size = createContextSize();
    const [callId = ""] = session.step({ reportedTokens: 30_000, calls: [{ tool: "read", output: text(3_000) }] });
    size.contextTokens(session.state, { model, fixedTokens: 50 });
    const results = [{ stepId: "stp_1", callId, text: "a".repeat(30) }];
    session.emit({ type: "context.cleared", reason: "size", results, tokensFreed: 1 });
    // The call has 6 characters, the text in the place of its result 30.
    expect(size.contextTokens(session.state, { model, fixedTokens: 50 })).toEqual({
      tokens: 62,
      isMeasured: false,
      parts: { reported: 0, fixed: 50, estimated: 12 },
    });
  });

  test("a signature of 200 KB with 30,000 tokens reported does not shorten the conversation, counted or not", () => {
    const session = createWrittenSession();
    const signature = "x".repeat(200_000);
    session.step({
      prompts: ["Hi"],
      reportedTokens: 30_000,
      blocks: [
        { type: "reasoning", text: "", signature },
        { type: "text", text: "Hello." },
      ],
    });
    const small = { ...testModel, contextTokens: 64_000 };
    const input = { state: session.state, settings: defaultCompaction, fixedTokens: 10, nowMs: 0 };
    const plan = createWindowPlanner().plan({ ...input, model: small });
    expect([plan.size.tokens, plan.thresholds.compactAt, plan.verdict]).toEqual([30_000, 31_000, "fits"]);
    expect(createWindowPlanner().plan({ ...input, model: { ...small, ref: "mock/other" } }).verdict).toBe("fits");
  });

  test("instructions and tools are counted with their schemas, padded", () => {
    const size = createContextSize();
    const tool = { name: "a".repeat(4), description: "a".repeat(8), inputSchema: { type: "object" } as const };
    const frame = { system: "a".repeat(30), systemTail: "a".repeat(10), tools: [tool] };
    expect([size.fixedTokens(frame), size.fixedTokens(frame)]).toEqual([23, 23]);
    expect(size.fixedTokens({ system: "", tools: [] })).toBe(0);
  });
});
