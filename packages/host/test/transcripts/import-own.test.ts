import { hash } from "node:crypto";
import type { Fact } from "@kedge/protocol";
import { expect, test } from "vitest";
import { checkJournal, type ExportedRow, importSession } from "../../src/transcripts/index.ts";
import { smallSession } from "./small-session.ts";
import { exportText, importParts, storeSession } from "./stored-session.ts";

async function exported(facts: readonly Fact[]): Promise<{ facts: ExportedRow[]; [field: string]: unknown }> {
  const { source } = await storeSession("ses_small", facts);
  return JSON.parse(await exportText(source, { format: "json", redact: "none" }));
}

async function imported(file: unknown) {
  const outcome = await importSession(JSON.stringify(file), importParts());
  if (!outcome.ok) throw new Error(outcome.sentence);
  return outcome;
}

test("an export becomes a session here: new ids, where it came from, and the same words", async () => {
  const outcome = await imported(await exported(smallSession()));
  expect(outcome.report).toEqual({
    format: "kedge",
    sourceSessionId: "ses_small",
    title: "What is in a.txt?",
    prompts: 1,
    answers: 2,
    calls: 1,
    skipped: [],
    notes: ["The chain of 9 records is intact, but 6 contents could not be verified."],
    journal: { valid: true, records: 9, contentsChecked: 0, unchecked: 6, contentsRemoved: 0 },
  });
  expect(outcome.facts).toMatchInlineSnapshot(`
    [
      {
        "boot": "boot_here",
        "directory": "/here",
        "kedgeVersion": "1.2.3",
        "mode": "default",
        "model": "mock/here",
        "origin": {
          "kind": "import",
          "sessionId": "ses_small",
        },
        "projectId": "prj_here",
        "type": "session.created",
      },
      {
        "delivery": "follow-up",
        "promptId": "prm_n1",
        "runId": "run_n2",
        "text": "What is in a.txt?",
        "type": "prompt.admitted",
      },
      {
        "model": "mock/one",
        "prompts": [
          {
            "form": "prompt",
            "promptId": "prm_n1",
          },
        ],
        "reminders": [],
        "requestId": "req_n4",
        "runId": "run_n2",
        "source": "main",
        "stepId": "stp_n3",
        "turn": 1,
        "type": "step.started",
      },
      {
        "content": [
          {
            "text": "I should look.",
            "type": "reasoning",
          },
          {
            "text": "...",
            "type": "text",
          },
          {
            "callId": "call_1",
            "inputText": "{"path":"a.txt"}",
            "tool": "read",
            "type": "tool-call",
          },
        ],
        "cost": {
          "estimated": false,
          "usd": 0.5,
        },
        "durationMs": 1,
        "outcome": "answered",
        "stepId": "stp_n3",
        "stopReason": "tool-calls",
        "type": "step.ended",
        "usage": {
          "cacheRead": 0,
          "cacheWrite": 0,
          "input": 10,
          "output": 5,
          "reasoning": 0,
        },
      },
      {
        "callId": "call_1",
        "decision": {
          "behavior": "allow",
          "reason": "reading",
          "rules": [],
          "source": "mode",
        },
        "inputText": "{"path":"a.txt"}",
        "readOnly": true,
        "stepId": "stp_n3",
        "tool": "read",
        "type": "tool.started",
      },
      {
        "callId": "call_1",
        "outcome": "completed",
        "output": "one
    two",
        "phases": {},
        "stepId": "stp_n3",
        "title": "a.txt",
        "tool": "read",
        "type": "tool.ended",
      },
      {
        "model": "mock/one",
        "prompts": [],
        "reminders": [],
        "requestId": "req_n6",
        "runId": "run_n2",
        "source": "main",
        "stepId": "stp_n5",
        "turn": 2,
        "type": "step.started",
      },
      {
        "content": [
          {
            "text": "It has **two** lines.",
            "type": "text",
          },
        ],
        "cost": {
          "estimated": false,
          "usd": 0.5,
        },
        "durationMs": 1,
        "outcome": "answered",
        "stepId": "stp_n5",
        "stopReason": "end",
        "type": "step.ended",
        "usage": {
          "cacheRead": 0,
          "cacheWrite": 0,
          "input": 10,
          "output": 5,
          "reasoning": 0,
        },
      },
      {
        "cost": {
          "estimated": false,
          "usd": 0,
        },
        "denials": [],
        "durationMs": 0,
        "reason": "completed",
        "runId": "run_n2",
        "text": "It has **two** lines.",
        "transitions": [],
        "turns": 0,
        "type": "run.ended",
        "usage": {
          "cacheRead": 0,
          "cacheWrite": 0,
          "input": 0,
          "output": 0,
          "reasoning": 0,
        },
        "usageByModel": {},
      },
    ]
  `);
});

test("nothing that permits, runs or writes comes along", async () => {
  const [created, ...rest] = smallSession();
  const rule = { permission: "bash", pattern: "*", action: "allow" } as const;
  const permitted = { behavior: "allow", source: "rule", reason: "allowed" } as const;
  const facts: readonly Fact[] = [
    { ...(created as Extract<Fact, { type: "session.created" }>), mode: "bypass" },
    { type: "mode.changed", mode: "bypass" },
    ...rest.map((fact): Fact => {
      if (fact.type !== "tool.started") return fact;
      return { ...fact, snapshot: "tree", decision: { ...permitted, rules: [{ ...rule, source: "user" }] } };
    }),
    {
      type: "permission.asked",
      stepId: "stp_s1",
      requestId: "per_1",
      callId: "call_1",
      tool: "bash",
      permission: "bash",
      patterns: ["ls"],
      always: [],
      reason: "it asks",
    },
    {
      type: "permission.answered",
      requestId: "per_1",
      callId: "call_1",
      reply: "session",
      source: "user",
      boot: "boot_1",
      grants: [rule],
    },
    { type: "job.started", jobId: "job_1", callId: "call_1", command: "sleep 9", pid: 1, startedAt: "1" },
    { type: "files.changed", stepId: "stp_s1", before: "a", after: "b", files: [], uncovered: [] },
    { type: "session.updated", isArchived: true },
    { type: "session.resumed", boot: "boot_2", mode: "bypass" },
    {
      type: "session.reverted",
      promptId: "prm_p1",
      snapshot: "tree",
      restores: [{ tree: "tree", paths: ["../../.bashrc"] }],
      files: [{ path: "../../.bashrc", status: "modified" }],
    },
  ];
  const { facts: taken, report } = await imported(await exported(facts));
  expect(taken.filter((fact) => !smallSession().some(({ type }) => type === fact.type))).toEqual([
    { type: "session.reverted", promptId: "prm_n1", snapshot: "", restores: [], files: [] },
  ]);
  expect(taken[0]).toMatchObject({ type: "session.created", mode: "default", boot: "boot_here" });
  expect(JSON.stringify(taken)).not.toMatch(/bypass|"tree"|"\*"|signed/);
  expect(report.skipped).toEqual([
    { what: "permission modes", count: 1 },
    { what: "permission questions and grants", count: 2 },
    { what: "background jobs", count: 1 },
    { what: "snapshots of files", count: 1 },
  ]);
});

test("what was still open is closed, so that nothing runs when the session is opened", async () => {
  const waiting = {
    type: "prompt.admitted",
    promptId: "prm_p2",
    runId: "run_r2",
    delivery: "follow-up",
    text: "rm -r everything",
  } as const;
  const { facts } = await imported(await exported([...smallSession().slice(0, 4), waiting]));
  expect(facts.slice(5).map(({ type }) => type)).toEqual(["prompt.withdrawn", "tool.ended", "run.ended"]);
  expect(facts.find(({ type }) => type === "tool.ended")).toEqual({
    type: "tool.ended",
    callId: "call_1",
    stepId: "stp_n3",
    tool: "read",
    outcome: "interrupted",
    output: "Not finished in the original session.",
    phases: {},
  });
});

const changes: readonly (readonly [string, (rows: ExportedRow[]) => void, string])[] = [
  [
    "a changed record",
    (rows) =>
      rows.splice(2, 1, { ...(rows[2] as ExportedRow), data: rows[2]?.data.replace("mock/one", "mock/two") ?? "" }),
    "at record 3: the record does not match its hash",
  ],
  ["a missing record", (rows) => rows.splice(4, 1), "at record 5: the record is missing"],
  [
    "content that was put in",
    (rows) => rows.splice(0, 1, { ...(rows[0] as ExportedRow), payload: { content: "{}" } }),
    "at record 1: the record has unknown content",
  ],
];

test.each(changes)("%s is told", async (_, change, where) => {
  const file = await exported(smallSession());
  change(file.facts);
  const { report } = await imported(file);
  expect(report.notes[0]).toBe(`The journal fails verification ${where}. Do not rely on this session's content.`);
});

test("with salts the contents are checked as well", () => {
  const content = '{"text":"said"}';
  const digest = hash("sha256", `salt${content}`);
  const open = {
    seq: 1,
    time: 1,
    type: "prompt.revised",
    version: 1,
    data: `{"digest":"${digest}","promptId":"prm_1","text":""}`,
    prev: hash("sha256", "ses_1"),
  };
  const record = `{"data":${open.data},"seq":1,"time":1,"type":"prompt.revised","version":1}`;
  const row: ExportedRow = {
    ...open,
    digest,
    hash: hash("sha256", open.prev + record),
    payload: { salt: "salt", content },
  };
  const counts = { records: 0, contentsChecked: 0, unchecked: 0, contentsRemoved: 0 };
  expect(checkJournal("ses_1", [row])).toEqual({ ...counts, valid: true, records: 1, contentsChecked: 1 });
  const other = { ...row, payload: { salt: "salt", content: '{"text":"else"}' } };
  const problem = { seq: 1, what: "the content does not match its digest" };
  expect(checkJournal("ses_1", [other])).toEqual({ ...counts, valid: false, problem });
  const { payload: _, ...removed } = row;
  expect(checkJournal("ses_1", [removed])).toEqual({ ...counts, valid: true, records: 1, contentsRemoved: 1 });
});

test("facts of a newer kedge are passed over, and facts that are none are refused", async () => {
  const file = await exported(smallSession());
  const [first] = file.facts;
  const newer = { ...file, facts: [...file.facts, { ...first, seq: 10, type: "dream.dreamt" }] };
  expect((await imported(newer)).report.skipped).toEqual([
    { what: "records of the unknown type dream.dreamt", count: 1 },
  ]);
  const wrong = { ...file, facts: [{ ...first, data: '{"directory":7}' }] };
  const outcome = await importSession(JSON.stringify(wrong), importParts());
  expect(outcome).toMatchObject({
    ok: false,
    sentence: expect.stringMatching(
      /^Record 1 \(session.created\) does not match its type: directory: expected string/,
    ),
  });
});

test("values deeper than anything of ours are passed over", async () => {
  const file = await exported(smallSession());
  const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`;
  const row = { ...file.facts[0], type: "command.ran", data: `{"command":"/x","data":${deep},"text":""}` };
  const { report } = await imported({ ...file, facts: [...file.facts, row] });
  expect(report.skipped).toEqual([{ what: "unreadable records", count: 1 }]);
});

test("a time that no calendar has is refused", async () => {
  const file = await exported(smallSession());
  const facts = file.facts.map((row) => ({ ...row, time: 1e300 }));
  expect(await importSession(JSON.stringify({ ...file, facts }), importParts())).toEqual({
    ok: false,
    sentence: "Record 1 cannot be read: time must be at most 8640000000000000. Export the session again.",
  });
});
