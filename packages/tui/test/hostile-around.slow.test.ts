/** The same promise for everything around the conversation: requests, lists, names, notices, and the lines at the edges. */
import type { JsonObject, ViewEvent } from "@kedge/protocol";
import { createSeededRandom, rounds } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { EngineScript } from "./fake-engine.ts";
import { foreignPieces, startPieces, stopPieces } from "./frame-grammar.ts";
import { anything, betweenWords } from "./hostile-text.ts";
import { type OpenApp, openApp } from "./open-app.ts";
import { promptOf } from "./transcript-samples.ts";

const random = createSeededRandom();
beforeEach(({ task }) => random.restart(task.name));
const timeout = 120_000;
/** Each takes another width. */
const screens = rounds({ usual: 3, long: 8 });

let open: OpenApp | undefined;
afterEach(() => {
  open?.close();
  open = undefined;
});

async function opened(engine: EngineScript, columns = 160): Promise<OpenApp> {
  open?.close();
  open = openApp({ size: { columns, rows: 45 }, engine });
  await open.until((screen) => screen.some((row) => row.startsWith("╰")), "prompt");
  await open.drawn();
  return open;
}

function expectOnlyFrames({ terminal }: OpenApp): void {
  expect(foreignPieces(terminal.pieces, [...startPieces, ...stopPieces])).toEqual([]);
}

const evil = () => anything(random);

function hostileEngine(): EngineScript {
  const summary = (id: string) => ({
    ...{ sessionId: id, isArchived: false, projectId: "prj_1", directory: `/${evil()}`, title: evil(), model: evil() },
    ...{ createdAt: 1, updatedAt: 1, lastSeq: 1 },
  });
  const model = { model: evil(), name: evil(), contextTokens: 1_000 };
  return {
    session: {
      ...{ title: evil(), model: evil(), directory: `/home/me/${evil()}` },
      todos: Array.from({ length: 5 }, () => ({
        content: evil(),
        status: "pending" as const,
        priority: "low" as const,
      })),
      labels: [{ messageId: "msg_1", label: evil() }],
    },
    sessions: ["ses_1", "ses_2", "ses_3"].map(summary),
    messages: [promptOf("1", evil())],
    answers: {
      "vcs.read": { branch: evil(), files: [{ index: "M", worktree: "M" }] },
      "provider.list": { providers: [{ providerId: evil(), name: evil(), hasKey: true, models: [model, model] }] },
      "command.list": { commands: [{ name: "evil", summary: evil() }] },
      "config.read": {
        settings: {},
        entries: [{ key: evil(), value: evil(), layer: "user", file: evil() }],
        warnings: [evil()],
      },
      "file.find": { paths: [evil(), `a${evil()}`] },
      "task.list": { tasks: [{ sessionId: "s", taskId: "t", command: evil(), status: "running" }] },
      "rule.list": {
        rules: [{ permission: evil(), pattern: evil(), action: "deny", source: "session", ruleId: "r" }],
      },
      "session.diff": { patch: `--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+${evil()}\n`, files: [] },
    },
  };
}

const leader = "\u0018";
const dialogKeys = [
  "\u000b",
  `${leader}m`,
  `${leader}l`,
  `${leader}g`,
  `${leader}w`,
  `${leader}s`,
  `${leader}t`,
  "\u0014",
];

test(
  `lists, names and the edges of the screen (seed ${random.seed})`,
  async () => {
    for (let round = 0; round < screens; round += 1) {
      const app = await opened(hostileEngine(), [60, 100, 160][round % 3]);
      app.engine.notice(evil());
      const failure = { code: "unknown", message: evil(), recovery: evil(), retryable: true } as const;
      const waiting = { state: "retry", until: Date.now() + 60_000, reason: evil() } as const;
      app.engine.tell(
        { type: "session.status", status: waiting },
        { type: "notification", kind: "notice", text: evil() },
        { type: "command.executed", command: evil(), text: evil() },
        { type: "session.compacted", messageId: "msg_1", shortSummary: evil(), tokensBefore: 9, tokensAfter: 1 },
      );
      await app.drawn();
      app.engine.tell({ type: "session.error", runId: "run_1", failure });
      for (const keys of [...dialogKeys, ..."/ev".split(""), "\u007f", "\u007f", "\u007f", ..." @a".split("")]) {
        for (const key of keys) app.terminal.send(key);
        await new Promise((resolve) => setTimeout(resolve, 20));
        if (keys.length > 1 || keys < " ") app.terminal.send("\u001b");
      }
      await app.drawn();
      expectOnlyFrames(app);
    }
  },
  timeout,
);

function permissionOf(text: () => string, id: string): ViewEvent {
  const metadata: JsonObject = { tool: "bash", preview: text(), evidence: [text()], isSavable: true };
  const asked = { id, sessionId: "ses", messageId: "msg", callId: "call", agent: "main", permission: "bash" };
  return { type: "permission.asked", ...asked, patterns: [text()], always: [text()], metadata, reason: text() };
}

function questionOf(text: () => string, id: string): ViewEvent {
  const options = [
    { label: text(), description: text() },
    { label: text(), description: text() },
  ];
  return { type: "question.asked", id, callId: "call", questions: [{ question: text(), options }] };
}

test(
  `what a person has to judge (seed ${random.seed})`,
  async () => {
    const app = await opened({}, 100);
    for (let round = 0; round < 4 * screens; round += 1) {
      const id = `request${round}`;
      const ask = round % 2 === 0 ? permissionOf : questionOf;
      app.engine.tell(ask(evil, id));
      await app.drawn();
      const answered = { id, source: "user" } as const;
      app.engine.tell(
        round % 2 === 0
          ? { type: "permission.replied", ...answered, reply: "once" }
          : { type: "question.replied", id, answers: ["a"] },
      );
    }
    await app.drawn();
    expectOnlyFrames(app);
  },
  timeout,
);

test(
  `words between sequences are all there to be judged (seed ${random.seed})`,
  async () => {
    const app = await opened({}, 110);
    for (let round = 0; round < 2 * screens; round += 1) {
      const name = String.fromCharCode(97 + (round % 26)).repeat(3);
      const words = [`alpha${name}`, `beta${name}`, `gamma${name}`];
      const text = betweenWords(random, words);
      const id = `words${round}`;
      app.engine.tell(permissionOf(() => text, id));
      const seen = new RegExp(words.join("[a-z]*"));
      await app.until((screen) => seen.test(screen.join("").replaceAll(/[^a-z]/g, "")), JSON.stringify(text));
      app.engine.tell({ type: "permission.replied", id, reply: "once", source: "user" });
      await app.drawn();
    }
    expectOnlyFrames(app);
  },
  timeout,
);
