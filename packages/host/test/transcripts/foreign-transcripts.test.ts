import { readFileSync } from "node:fs";
import { applyRecord, emptySession, type Fact } from "@kedge/protocol";
import { expect, test } from "vitest";
import { importSession } from "../../src/transcripts/index.ts";
import { exportText, importParts, storeSession } from "./stored-session.ts";

function fixture(name: string): string {
  return readFileSync(new URL(`./foreign/${name}`, import.meta.url), "utf8");
}

async function imported(text: string) {
  const outcome = await importSession(text, importParts());
  if (!outcome.ok) throw new Error(outcome.sentence);
  return outcome;
}

/** What a model would see, and proof that every call has its result. */
function conversation(facts: readonly Fact[]) {
  const state = emptySession("ses_imported");
  for (const [index, fact] of facts.entries()) {
    applyRecord(state, { sessionId: "ses_imported", seq: index + 1, time: 0, fact, prev: "", hash: "" });
  }
  const openThings = [state.queue.length, state.runId, state.jobs.size, state.grants.length];
  expect(openThings).toEqual([0, undefined, 0, 0]);
  return [...state.tree.values()].map(({ item, parent }) => ({ ...item, parent }));
}

function lines(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join("\n");
}

test("Claude Code: the last branch, with parallel calls, a summary and a call that never ended", async () => {
  const { facts, report } = await imported(fixture("claude-code.jsonl"));
  expect(JSON.stringify(report)).toMatchInlineSnapshot(
    `"{"format":"claude-code","sourceSessionId":"cc-1","title":"Count the lines","prompts":2,"answers":3,"calls":3,"skipped":[{"what":"file-history-snapshot entries","count":1},{"what":"entries of side conversations","count":1},{"what":"malformed lines","count":1},{"what":"torn last line","count":1},{"what":"entries of other branches","count":1},{"what":"entries that are not part of the conversation","count":1},{"what":"attachments","count":1}],"notes":[]}"`,
  );
  expect(lines(conversation(facts))).toMatchInlineSnapshot(`
    "{"type":"prompt","id":"prm_n1","text":"How long is a.txt?","form":"prompt"}
    {"type":"answer","id":"stp_n3","stepId":"stp_n3","model":"anthropic/claude-x","content":[{"type":"reasoning","text":"I count."},{"type":"tool-call","callId":"toolu_1","tool":"Bash","inputText":"{\\"command\\":\\"wc -l a.txt\\"}"},{"type":"tool-call","callId":"toolu_2","tool":"mcp__x_y","inputText":"{\\"path\\":\\"b\\"}"}],"parent":"prm_n1"}
    {"type":"results","id":"stp_n3.results","stepId":"stp_n3","results":[{"callId":"toolu_1","tool":"Bash","outcome":"completed","output":"2 a.txt"},{"callId":"toolu_2","tool":"mcp__x_y","outcome":"failed","output":"no such file","media":[{"name":"image.png","mediaType":"image/png","base64":"AAAA"}]}],"parent":"stp_n3"}
    {"type":"answer","id":"stp_n5","stepId":"stp_n5","model":"anthropic/claude-x","content":[{"type":"text","text":"Two lines."}],"parent":"stp_n3.results"}
    {"type":"compaction","id":"cmp_n7","summary":"The user counted lines.","restored":[],"parent":"stp_n5"}
    {"type":"prompt","id":"prm_n8","text":"And this picture?","attachments":[{"name":"image.png","mediaType":"image/png","base64":"AAAA"}],"form":"prompt","parent":"cmp_n7"}
    {"type":"answer","id":"stp_n10","stepId":"stp_n10","model":"anthropic/claude-x","content":[{"type":"tool-call","callId":"toolu_3","tool":"Look","inputText":"{}"}],"parent":"prm_n8"}
    {"type":"results","id":"stp_n10.results","stepId":"stp_n10","results":[{"callId":"toolu_3","tool":"Look","outcome":"interrupted","output":"The transcript has no result for this call."}],"parent":"stp_n10"}"
  `);
});

test("Codex: items in steps, outputs unwrapped, instructions of the program left behind", async () => {
  const { facts, report } = await imported(fixture("codex.jsonl"));
  expect(JSON.stringify(report)).toMatchInlineSnapshot(
    `"{"format":"codex","sourceSessionId":"cx-1","title":"List the files.","prompts":2,"answers":2,"calls":2,"skipped":[{"what":"instructions of the program itself","count":2},{"what":"results without a call","count":1},{"what":"thoughts without a text","count":1},{"what":"web_search_call items","count":1}],"notes":[]}"`,
  );
  expect(lines(conversation(facts))).toMatchInlineSnapshot(`
    "{"type":"prompt","id":"prm_n1","text":"List the files.","attachments":[{"name":"image.png","mediaType":"image/png","base64":"AAAA"}],"form":"prompt"}
    {"type":"answer","id":"stp_n3","stepId":"stp_n3","model":"openai/gpt-x","content":[{"type":"reasoning","text":"**Listing**"},{"type":"tool-call","callId":"call_1","tool":"shell","inputText":"{\\"command\\":[\\"ls\\"]}"},{"type":"tool-call","callId":"call_2","tool":"apply_patch","inputText":"{\\"input\\":\\"*** Begin Patch\\"}"}],"parent":"prm_n1"}
    {"type":"results","id":"stp_n3.results","stepId":"stp_n3","results":[{"callId":"call_1","tool":"shell","outcome":"failed","output":"a.txt\\n"},{"callId":"call_2","tool":"apply_patch","outcome":"completed","output":"Done!"}],"parent":"stp_n3"}
    {"type":"answer","id":"stp_n5","stepId":"stp_n5","model":"openai/gpt-x","content":[{"type":"text","text":"There is a.txt."}],"parent":"stp_n3.results"}
    {"type":"compaction","id":"cmp_n7","summary":"Files were listed.","restored":[],"parent":"stp_n5"}
    {"type":"prompt","id":"prm_n8","text":"Thanks.","form":"prompt","parent":"cmp_n7"}"
  `);
});

test("Codex: the bare items of early versions", async () => {
  const lines = [
    { id: "cx-old", timestamp: "2026-01-02T03:00:00.000Z", instructions: null },
    { type: "message", role: "user", content: [{ type: "input_text", text: "Hi" }] },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hello" }] },
  ];
  const { report } = await imported(lines.map((line) => JSON.stringify(line)).join("\n"));
  expect(report).toEqual({
    format: "codex",
    sourceSessionId: "cx-old",
    title: "Hi",
    prompts: 1,
    answers: 1,
    calls: 0,
    skipped: [],
    notes: [],
  });
});

test("OpenCode: steps, results, pictures; shares, permissions and what was taken back stay behind", async () => {
  const { facts, report } = await imported(fixture("opencode.json"));
  expect(JSON.stringify(report)).toMatchInlineSnapshot(
    `"{"format":"opencode","sourceSessionId":"ses_oc","title":"Fix the test","prompts":1,"answers":2,"calls":3,"skipped":[{"what":"share settings","count":1},{"what":"permission settings","count":1},{"what":"reverted messages","count":1},{"what":"texts not shown to the model","count":1},{"what":"attachments","count":1},{"what":"patch parts","count":1}],"notes":[]}"`,
  );
  expect(lines(conversation(facts))).toMatchInlineSnapshot(`
    "{"type":"record","id":"msg_n1","kind":"imported","text":"Called the Read tool"}
    {"type":"prompt","id":"prm_n2","text":"Fix the test.","attachments":[{"name":"shot.png","mediaType":"image/png","base64":"AAAA"}],"form":"prompt","parent":"msg_n1"}
    {"type":"answer","id":"stp_n4","stepId":"stp_n4","model":"anthropic/claude-x","content":[{"type":"reasoning","text":"I read it."},{"type":"tool-call","callId":"toolu_1","tool":"read","inputText":"{\\"filePath\\":\\"/there/a.test.ts\\"}"},{"type":"tool-call","callId":"toolu_2","tool":"bash","inputText":"{\\"command\\":\\"npm test\\"}"},{"type":"tool-call","callId":"toolu_3","tool":"bash","inputText":"{\\"command\\":\\"sleep 9\\"}"}],"parent":"prm_n2"}
    {"type":"results","id":"stp_n4.results","stepId":"stp_n4","results":[{"callId":"toolu_1","tool":"read","outcome":"completed","output":"expect(1).toBe(2)"},{"callId":"toolu_2","tool":"bash","outcome":"failed","output":"denied"},{"callId":"toolu_3","tool":"bash","outcome":"interrupted","output":"The transcript has no result for this call."}],"parent":"stp_n4"}
    {"type":"answer","id":"stp_n6","stepId":"stp_n6","model":"anthropic/claude-x","content":[{"type":"text","text":"It expects the wrong number."}],"parent":"stp_n4.results"}
    {"type":"compaction","id":"cmp_n8","summary":"A test was looked at.","restored":[],"parent":"stp_n6"}"
  `);
  expect(JSON.stringify(facts)).not.toMatch(/example\.invalid|taken back/);
});

test("the facts of a transcript are those of any session", async () => {
  const { facts } = await imported(fixture("codex.jsonl"));
  expect(lines(facts)).toMatchInlineSnapshot(`
    "{"type":"session.created","directory":"/here","projectId":"prj_here","model":"mock/here","mode":"default","kedgeVersion":"1.2.3","boot":"boot_here","origin":{"kind":"import","sessionId":"cx-1"}}
    {"type":"prompt.admitted","promptId":"prm_n1","runId":"run_n2","delivery":"follow-up","text":"List the files.","attachments":[{"name":"image.png","mediaType":"image/png","base64":"AAAA"}]}
    {"type":"step.started","stepId":"stp_n3","runId":"run_n2","turn":1,"source":"main","model":"openai/gpt-x","requestId":"req_n4","prompts":[{"promptId":"prm_n1","form":"prompt"}],"reminders":[]}
    {"type":"step.ended","stepId":"stp_n3","outcome":"answered","content":[{"type":"reasoning","text":"**Listing**"},{"type":"tool-call","callId":"call_1","tool":"shell","inputText":"{\\"command\\":[\\"ls\\"]}"},{"type":"tool-call","callId":"call_2","tool":"apply_patch","inputText":"{\\"input\\":\\"*** Begin Patch\\"}"}],"usage":{"input":6,"output":3,"reasoning":1,"cacheRead":4,"cacheWrite":0},"cost":{"usd":0,"estimated":false},"stopReason":"tool-calls","durationMs":1000}
    {"type":"tool.started","callId":"call_1","stepId":"stp_n3","tool":"shell","inputText":"{\\"command\\":[\\"ls\\"]}","readOnly":false,"decision":{"behavior":"allow","source":"default","reason":"It ran in another program.","rules":[]}}
    {"type":"tool.ended","callId":"call_1","stepId":"stp_n3","tool":"shell","outcome":"failed","output":"a.txt\\n","phases":{}}
    {"type":"tool.started","callId":"call_2","stepId":"stp_n3","tool":"apply_patch","inputText":"{\\"input\\":\\"*** Begin Patch\\"}","readOnly":false,"decision":{"behavior":"allow","source":"default","reason":"It ran in another program.","rules":[]}}
    {"type":"tool.ended","callId":"call_2","stepId":"stp_n3","tool":"apply_patch","outcome":"completed","output":"Done!","phases":{}}
    {"type":"step.started","stepId":"stp_n5","runId":"run_n2","turn":2,"source":"main","model":"openai/gpt-x","requestId":"req_n6","prompts":[],"reminders":[]}
    {"type":"step.ended","stepId":"stp_n5","outcome":"answered","content":[{"type":"text","text":"There is a.txt."}],"usage":{"input":0,"output":0,"reasoning":0,"cacheRead":0,"cacheWrite":0},"cost":{"usd":0,"estimated":false},"stopReason":"end","durationMs":0}
    {"type":"run.ended","runId":"run_n2","reason":"completed","text":"There is a.txt.","usage":{"input":0,"output":0,"reasoning":0,"cacheRead":0,"cacheWrite":0},"usageByModel":{},"cost":{"usd":0,"estimated":false},"turns":2,"durationMs":6000,"transitions":[],"denials":[]}
    {"type":"context.compacted","compactionId":"cmp_n7","trigger":"manual","strategy":"summary","summary":"Files were listed.","shortSummary":"Files were listed.","restored":[],"files":{"read":[],"modified":[]},"itemsReplaced":4,"tokensBefore":0,"tokensAfter":0,"boundary":{},"usage":{"input":0,"output":0,"reasoning":0,"cacheRead":0,"cacheWrite":0},"cost":{"usd":0,"estimated":false}}
    {"type":"prompt.admitted","promptId":"prm_n8","runId":"run_n9","delivery":"follow-up","text":"Thanks."}
    {"type":"step.started","stepId":"stp_n10","runId":"run_n9","turn":1,"source":"main","model":"mock/here","requestId":"req_n11","prompts":[{"promptId":"prm_n8","form":"prompt"}],"reminders":[]}
    {"type":"step.ended","stepId":"stp_n10","outcome":"interrupted","content":[],"durationMs":0,"usage":{"input":0,"output":0,"reasoning":0,"cacheRead":0,"cacheWrite":0},"cost":{"usd":0,"estimated":false}}
    {"type":"run.ended","runId":"run_n9","reason":"completed","text":"","usage":{"input":0,"output":0,"reasoning":0,"cacheRead":0,"cacheWrite":0},"usageByModel":{},"cost":{"usd":0,"estimated":false},"turns":1,"durationMs":0,"transitions":[],"denials":[]}"
  `);
});

test.each(["claude-code.jsonl", "codex.jsonl", "opencode.json"])(
  "%s can be exported and imported again",
  async (name) => {
    const { facts, times } = await imported(fixture(name));
    const { source } = await storeSession("ses_imported", facts, times);
    const again = await imported(await exportText(source, { format: "json", redact: "none" }));
    expect(conversation(again.facts).map(({ type }) => type)).toEqual(conversation(facts).map(({ type }) => type));
    expect(again.times).toEqual(times);
  },
);

test("our own transcript is told from others", async () => {
  const { facts, times } = await imported(fixture("codex.jsonl"));
  const { source } = await storeSession("ses_imported", facts, times);
  expect(await importSession(await exportText(source, { format: "jsonl", redact: "none" }), importParts())).toEqual({
    ok: false,
    sentence: "A kedge JSONL transcript cannot be imported. Export the session with --format json instead.",
  });
});
