import { describe, expect, test } from "vitest";
import { createWrittenSession, rows, text, type WrittenCall, type WrittenSession } from "../../test/written-session.ts";
import { afterClearing } from "./after-clearing.ts";
import { clearedText, planMicrocompact, planPrune, planUneventful, uneventfulText } from "./clear-results.ts";
import { createResultIndex } from "./result-index.ts";

/** With an answer, so that every result was seen. */
const indexOf = (session: WrittenSession) => {
  session.answer();
  return createResultIndex()(session.state);
};
const turn = (session: WrittenSession, ...calls: readonly WrittenCall[]) =>
  calls.flatMap((call, index) => session.step({ prompts: index === 0 ? ["Go on"] : [], calls: [call] }));
const result = (number: number, shown = clearedText) => ({
  stepId: `stp_${number}`,
  callId: `call_${number}`,
  text: shown,
});

describe("microcompact", () => {
  test("clears all but the newest five of tools that can be asked again", () => {
    const session = createWrittenSession();
    const tools = ["read", "bash", "skill", "mcp_query", "edit", "grep", "glob", "websearch", "list"];
    turn(session, ...tools.map((tool) => ({ tool, output: text(100) })));
    expect(planMicrocompact(indexOf(session).results, "cache-expired")).toEqual({
      type: "context.cleared",
      reason: "cache-expired",
      results: [result(1), result(2)],
      tokensFreed: 183,
    });
  });

  test.each<readonly [string, WrittenCall]>([
    ["a failure", { tool: "bash", output: text(900), outcome: "failed" }],
    ["a refusal", { tool: "bash", output: text(900), outcome: "refused" }],
    ["what is too small", { tool: "bash", output: text(49) }],
    ["another tool", { tool: "todo_read", output: text(900) }],
    ["the plan", { tool: "read", input: { filePath: ".kedge/plans/a.md" }, output: text(900) }],
    ["the write of the plan", { tool: "write", input: { filePath: "/work/.kedge/plans/a.md" }, output: text(900) }],
    ["a skill", { tool: "read", input: { filePath: "skill://deploy" }, output: text(900) }],
  ])("leaves %s", (_, call) => {
    const session = createWrittenSession();
    const others = Array.from({ length: 5 }, () => ({ tool: "bash", output: text(100) }));
    turn(session, call, ...others);
    expect(planMicrocompact(indexOf(session).results, "size")).toBeUndefined();
  });

  test("what was cleared is not cleared again, and does not count among the newest", () => {
    const session = createWrittenSession();
    turn(session, ...Array.from({ length: 7 }, () => ({ tool: "bash", output: text(100) })));
    session.emit({ type: "context.cleared", reason: "useless", results: [result(1), result(7)], tokensFreed: 1 });
    expect(planMicrocompact(indexOf(session).results, "size")).toBeUndefined();
  });

  test("pictures of a result count", () => {
    const session = createWrittenSession();
    const media = [{ name: "a.png", mediaType: "image/png", base64: "AAAA" }];
    turn(session, { tool: "read", output: "", media }, ...Array.from({ length: 5 }, () => ({ tool: "bash" })));
    expect(planMicrocompact(indexOf(session).results, "size")?.tokensFreed).toBe(1_991);
  });
});

test("of an answer with more results than are shown, what goes makes room for the others", () => {
  const session = createWrittenSession();
  // 75,000 tokens, of which 50,000 are shown.
  const calls = Array.from({ length: 5 }, () => ({ tool: "bash", output: text(15_000) }));
  session.step({ prompts: ["Go"], calls });
  session.step({ calls: Array.from({ length: 3 }, () => ({ tool: "bash", output: text(100) })) });
  const index = indexOf(session);
  expect(index.tokens).toBe(50_312.5);
  const microcompact = planMicrocompact(index.results, "size");
  expect([microcompact?.results.length, microcompact?.tokensFreed]).toEqual([3, 19_975]);
  for (const number of [1, 2, 3]) {
    const cleared = [{ stepId: "stp_1", callId: `call_${number}`, text: clearedText }];
    const { tokens } = afterClearing(indexOf(session), cleared);
    session.emit({ type: "context.cleared", reason: "size", results: cleared, tokensFreed: 0 });
    expect(tokens).toBe(indexOf(session).tokens);
  }
});

describe("prune", () => {
  /** Three old turns of one result each, then two protected ones. */
  const written = (calls: readonly WrittenCall[], newest: readonly WrittenCall[]) => {
    const session = createWrittenSession();
    for (const call of calls) turn(session, call);
    turn(session, ...newest);
    turn(session, { tool: "bash", output: text(1) });
    return session;
  };
  const old = { tool: "mcp_query", output: text(30_000) };
  const newest = [{ tool: "bash", output: text(40_000) }];

  test("clears what lies before the newest 40,000 tokens and the last two turns", () => {
    expect(planPrune(indexOf(written([old, old], newest)))).toEqual({
      type: "context.cleared",
      reason: "size",
      results: [result(1), result(2)],
      tokensFreed: 59_983,
    });
  });

  test("keeps the newest 40,000 tokens, the result in which they begin included", () => {
    const lighter = [{ tool: "bash", output: text(39_998) }];
    expect(planPrune(indexOf(written([old, old], lighter)))?.results).toEqual([result(1)]);
  });

  test("keeps the last two turns however long they are", () => {
    const session = createWrittenSession();
    turn(session, old, old, old);
    turn(session, old, old, old);
    expect(planPrune(indexOf(session))).toBeUndefined();
    turn(session, old);
    expect(planPrune(indexOf(session))?.results).toEqual([result(1), result(2), result(3)]);
  });

  test("does nothing for less than 20,000 tokens", () => {
    expect(planPrune(indexOf(written([{ ...old, output: text(20_000) }], newest)))).toBeUndefined();
    expect(planPrune(indexOf(written([{ ...old, output: text(20_009) }], newest)))?.tokensFreed).toBe(20_000);
  });

  test.each<readonly [string, WrittenCall]>([
    ["skills", { ...old, tool: "skill" }],
    ["failures", { ...old, outcome: "failed" }],
    ["interruptions", { ...old, outcome: "interrupted" }],
    ["the plan", { ...old, tool: "read", input: { path: ".kedge/plans/a.md" } }],
  ])("never clears %s", (_, call) => {
    expect(planPrune(indexOf(written([call], newest)))).toBeUndefined();
  });

  test("small ones stay, useless and superseded ones have no protection", () => {
    const session = createWrittenSession();
    const read = (output: string) => ({ tool: "read", input: { filePath: "a.ts" }, output });
    turn(session, old, { tool: "bash", output: text(49) });
    turn(session, { tool: "bash", output: text(40_000) });
    turn(session, read(rows(1, 5)), read(rows(1, 6)), { tool: "grep", output: text(10), useless: true });
    expect(planPrune(indexOf(session))?.results).toEqual([result(1), result(4), result(6)]);
  });
});

describe("what says nothing or nothing new", () => {
  const all = { dropUseless: true, supersedeReads: true, isTurnOver: false };
  const useless = { tool: "grep", output: "No file has a line that matches this pattern.", useless: true } as const;
  const read = (filePath: string, output: string) => ({ tool: "read", input: { filePath }, output });
  const uselessFact = {
    type: "context.cleared",
    reason: "useless",
    results: [result(1, uneventfulText)],
    tokensFreed: 4,
  };

  test("a useless result goes", () => {
    const session = createWrittenSession();
    turn(session, useless);
    expect(planUneventful(indexOf(session), all)).toEqual([uselessFact]);
    expect(planUneventful(indexOf(session), { ...all, dropUseless: false })).toEqual([]);
  });

  test.each<readonly [string, WrittenCall]>([
    ["one that failed", { ...useless, outcome: "failed" }],
    ["one that is no longer than what would replace it", { ...useless, output: "a".repeat(uneventfulText.length) }],
  ])("%s stays", (_, call) => {
    const session = createWrittenSession();
    turn(session, call);
    expect(planUneventful(indexOf(session), all)).toEqual([]);
  });

  test("what the model has not seen stays", () => {
    const session = createWrittenSession();
    turn(session, read("a.ts", rows(1, 9)), useless);
    turn(session, read("a.ts", rows(1, 9)), useless);
    const index = createResultIndex();
    const cleared = () => planUneventful(index(session.state), all).flatMap(({ results }) => results);
    expect(cleared()).toEqual([result(2, uneventfulText), result(1)]);
    session.answer();
    expect(cleared()).toEqual([result(2, uneventfulText), result(4, uneventfulText), result(1)]);
  });

  test("where the vendor still has its cache it stays with much after it", () => {
    const session = createWrittenSession();
    turn(session, useless);
    session.step({ blocks: [{ type: "text", text: text(8_000) }] });
    const index = createResultIndex()(session.state);
    expect(planUneventful(index, { ...all, prices: { read: 0.1, write: 1.25 } })).toEqual([]);
    expect(planUneventful(index, all)).toEqual([uselessFact]);
  });

  test("a read goes when a later one shows its lines", () => {
    const session = createWrittenSession();
    turn(session, read("a.ts:5-9", rows(4, 12)), read("./a.ts", rows(1, 40)));
    expect(planUneventful(indexOf(session), all)).toEqual([
      { type: "context.cleared", reason: "superseded", results: [result(1)], tokensFreed: 13 },
    ]);
    expect(planUneventful(indexOf(session), { ...all, supersedeReads: false })).toEqual([]);
  });

  test.each<readonly [string, readonly WrittenCall[]]>([
    ["another file was read", [read("a.ts", rows(1, 9)), read("b.ts", rows(1, 9))]],
    ["other lines were read", [read("a.ts:1-9", rows(1, 9)), read("a.ts:5-40", rows(5, 40))]],
    ["the later one failed", [read("a.ts", rows(1, 9)), { ...read("a.ts", rows(1, 9)), outcome: "failed" }]],
    ["the later one only refers to it", [read("a.ts", rows(1, 9)), read("a.ts", "Unchanged since you last read it.")]],
    [
      "the later one is an outline",
      [read("a.ts:5-9", rows(5, 9)), read("a.ts", `${rows(1, 5)}\n… 6-8\n${rows(9, 90)}`)],
    ],
    ["raw lines look like numbers", [read("a.log:raw", rows(3, 9)), read("a.log", rows(1, 40))]],
    ["the edit failed", [read("a.ts", rows(1, 9)), { tool: "edit", input: { filePath: "a.ts" }, outcome: "failed" }]],
    ["the plan was read", [read(".kedge/plans/a.md", rows(1, 9)), read(".kedge/plans/a.md", rows(1, 9))]],
  ])("a read stays when %s", (_, calls) => {
    const session = createWrittenSession();
    turn(session, ...calls);
    session.endRun();
    expect(planUneventful(indexOf(session), { ...all, isTurnOver: true })).toEqual([]);
  });

  test("of a file that is read piece by piece only the newest 20 pieces are remembered", () => {
    const session = createWrittenSession();
    const pieces = Array.from({ length: 21 }, (_, index) => read("a.ts", rows(1 + index * 9, 9 + index * 9)));
    turn(session, ...pieces, read("a.ts", rows(1, 200)));
    const [superseded] = planUneventful(indexOf(session), all);
    expect(superseded?.results.map(({ callId }) => callId)).toEqual(pieces.slice(1).map((_, at) => `call_${at + 2}`));
  });

  test("a picture goes when it was read again", () => {
    const session = createWrittenSession();
    const media = [{ name: "a.png", mediaType: "image/png", base64: "AAAA" }];
    turn(session, { ...read("a.png", "a.png"), media }, { ...read("a.png", "a.png"), media });
    expect(planUneventful(indexOf(session), all).flatMap(({ results }) => results)).toEqual([result(1)]);
  });

  test("a read goes at once when the whole file is written, and after an edit when the turn is over", () => {
    const session = createWrittenSession();
    turn(session, read("a.ts", rows(1, 9)), { tool: "write", input: { filePath: "/work/a.ts", content: "" } });
    expect(planUneventful(indexOf(session), all).flatMap(({ results }) => results)).toEqual([result(1)]);

    const edited = createWrittenSession();
    turn(edited, read("a.ts", rows(1, 9)), { tool: "edit", input: { filePath: "a.ts" } });
    expect(planUneventful(indexOf(edited), all)).toEqual([]);
    expect(planUneventful(indexOf(edited), { ...all, isTurnOver: true }).flatMap(({ results }) => results)).toEqual([
      result(1),
    ]);
    turn(edited, { tool: "bash" });
    expect(planUneventful(indexOf(edited), all).flatMap(({ results }) => results)).toEqual([result(1)]);
  });

  test("a read that was cleared supersedes nothing", () => {
    const session = createWrittenSession();
    turn(session, read("a.ts", rows(1, 9)), read("a.ts", rows(1, 9)));
    session.emit({ type: "context.cleared", reason: "shaken", results: [result(2)], tokensFreed: 1 });
    expect(planUneventful(indexOf(session), all)).toEqual([]);
  });

  test("a read after an edit is not superseded by that edit", () => {
    const session = createWrittenSession();
    turn(session, { tool: "edit", input: { filePath: "a.ts" } }, read("a.ts", rows(1, 9)));
    expect(planUneventful(indexOf(session), { ...all, isTurnOver: true })).toEqual([]);
  });

  test("useless and superseded ones are told apart, each in the order of the conversation", () => {
    const session = createWrittenSession();
    turn(session, useless, read("a.ts", rows(1, 9)), useless, read("b.ts", rows(1, 9)));
    turn(session, read("b.ts", rows(1, 9)), read("a.ts", rows(1, 9)));
    expect(planUneventful(indexOf(session), all)).toEqual([
      { ...uselessFact, results: [result(1, uneventfulText), result(3, uneventfulText)], tokensFreed: 9 },
      { type: "context.cleared", reason: "superseded", results: [result(2), result(4)], tokensFreed: 23 },
    ]);
  });
});
