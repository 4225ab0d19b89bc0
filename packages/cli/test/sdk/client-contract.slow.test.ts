/** The Client contract: the same suite in process, over HTTP and over a port, with real files, stores and sockets. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@kedge/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asked, converse, newSession, sent, typesOf } from "./conversation-steps.ts";
import { type OpenedClient, openClient, openSdkBench, type SdkBench, transports } from "./sdk-bench.ts";

const kedge = join(import.meta.dirname, "../../../../dist/kedge.js");
/** Of one answer, with what comes several times in a row once. */
const shownTypes: readonly string[] = [
  ...["message.updated", "message.part.updated", "session.updated", "session.status"],
  ...["message.updated", "message.part.updated", "session.status", "message.part.updated", "message.part.delta"],
  ...["message.part.updated", "message.updated", "cost.updated", "session.idle", "session.diff", "notification"],
];
const allow = () => ({ reply: "once" }) as const;

describe.each(transports)("a client %s", (transport) => {
  let bench: SdkBench;
  let opened: OpenedClient;

  beforeAll(async () => {
    bench = await openSdkBench();
    opened = await openClient(bench, transport);
  });
  afterAll(async () => {
    await opened?.close();
    await bench?.close();
  });

  const site = (): ClientSite => ({
    ...{ bench, transport, client: opened.client },
    fileText: (name) => readFileSync(join(bench.project, name), "utf8"),
  });
  conversationContract(site);
  treeContract(site);
  queryContract(site);
  transportContract(site);
});

type ClientSite = {
  readonly bench: SdkBench;
  readonly client: Client;
  readonly transport: (typeof transports)[number];
  readonly fileText: (name: string) => string;
};

/** Prompts, permissions, questions and interruptions. */
function conversationContract(site: () => ClientSite): void {
  test("streams the pieces of an answer and then the whole of it", async () => {
    const { client } = site();
    const sessionId = await newSession(client);
    const { facts, streamed, ended } = await converse(client, sessionId, "hello there");
    expect(streamed).toBe("You said: hello there");
    expect(typesOf(facts)).toEqual(["prompt.admitted", "step.started", "step.ended", "run.ended"]);
    expect([ended.reason, ended.text]).toEqual(["completed", "You said: hello there"]);
  });

  test("an allowed call runs once, one allowed for the session is not asked again", async () => {
    const { client, fileText } = site();
    const sessionId = await newSession(client);
    const first = await converse(client, sessionId, "write once.txt one", { permission: allow });
    expect([fileText("once.txt"), first.ended.text]).toEqual(["one\n", expect.stringMatching(/^The tool said: /)]);
    const second = await converse(client, sessionId, "write lasting.txt two", {
      permission: () => ({ reply: "session" }),
    });
    expect(typesOf(second.facts)).toContain("permission.asked");
    const third = await converse(client, sessionId, "write lasting.txt three");
    expect(typesOf(third.facts)).not.toContain("permission.asked");
    expect(fileText("lasting.txt")).toBe("three\n");
  });

  test("a rejection tells the model why, and another input takes the place of the model's", async () => {
    const { client, bench, fileText } = site();
    const sessionId = await newSession(client);
    const rejected = await converse(client, sessionId, "write no.txt no", {
      permission: () => ({ reply: "reject", message: "Use yes.txt." }),
    });
    expect(existsSync(join(bench.project, "no.txt"))).toBe(false);
    expect(JSON.stringify(rejected.facts)).toContain("Use yes.txt.");
    await converse(client, sessionId, "write model.txt model", {
      permission: () => ({ reply: "once", updatedInput: { filePath: "person.txt", content: "person\n" } }),
    });
    expect([existsSync(join(bench.project, "model.txt")), fileText("person.txt")]).toEqual([false, "person\n"]);
  });

  test("a question of the model is listed and answered", async () => {
    const { client } = site();
    const sessionId = await newSession(client);
    let pending: unknown;
    const { ended } = await converse(client, sessionId, "ask me", {
      event: async (event) => {
        if (event.kind === "fact" && event.record.fact.type === "question.asked") {
          pending = (await asked(client, { type: "question.list" })).requests;
        }
      },
      question: () => ["blue"],
    });
    expect(pending).toEqual([{ sessionId, requestId: expect.any(String), questions: [expect.anything()] }]);
    expect(ended.text).toBe("The tool said: Which colour?");
    expect(await asked(client, { type: "question.list" })).toEqual({ requests: [] });
  });

  test("an interruption ends the run and keeps what was said", async () => {
    const { client } = site();
    const sessionId = await newSession(client);
    let isSent = false;
    const { ended, streamed } = await converse(client, sessionId, "hang", {
      event: async (event) => {
        if (isSent || event.kind !== "signal" || event.signal.type !== "text.delta") return;
        isSent = true;
        await sent(client, { type: "turn.interrupt", sessionId });
      },
    });
    expect([ended.reason, streamed.startsWith("It be")]).toEqual(["aborted", true]);
    const { status } = await asked(client, { type: "session.read", sessionId });
    expect(status).toEqual({ state: "idle" });
  });
}

/** Undo, branches and whole sessions. */
function treeContract(site: () => ClientSite): void {
  test("undo, redo, revert and unrevert move files and conversation", async () => {
    const { client, bench, fileText } = site();
    const sessionId = await newSession(client);
    await converse(client, sessionId, "write back.txt first", { permission: allow });
    await converse(client, sessionId, "write back.txt second", { permission: allow });
    const undone = await sent(client, { type: "session.undo", sessionId });
    expect([undone.promptText, fileText("back.txt")]).toEqual(["write back.txt second", "first\n"]);
    await sent(client, { type: "session.redo", sessionId });
    expect(fileText("back.txt")).toBe("second\n");
    const { messages } = await client.messages(sessionId, { limit: 100 });
    const [first] = messages.filter(({ role }) => role === "user");
    const reverted = await sent(client, { type: "session.revert", sessionId, messageId: first?.id ?? "" });
    expect([reverted.promptText, existsSync(join(bench.project, "back.txt"))]).toEqual(["write back.txt first", false]);
    await sent(client, { type: "session.unrevert", sessionId });
    expect(fileText("back.txt")).toBe("second\n");
  });

  test("fork, leaf and label work on the tree", async () => {
    const { client } = site();
    const sessionId = await newSession(client);
    await converse(client, sessionId, "one");
    await converse(client, sessionId, "two");
    const { sessionId: forkId } = await sent(client, { type: "session.fork", sessionId });
    const texts = async (id: string) =>
      (await client.messages(id, { limit: 100 })).messages.flatMap(({ parts }) =>
        parts.flatMap((part) => (part.type === "text" ? [part.text] : [])),
      );
    expect(await texts(forkId)).toEqual(["one", "You said: one", "two", "You said: two"]);
    const continued = await converse(client, forkId, "three");
    expect(continued.ended.text).toBe("You said: three");
    const facts = [];
    for await (const { fact } of client.facts(sessionId)) facts.push(fact);
    const prompt = facts.find((fact) => fact.type === "prompt.admitted" && fact.text === "two");
    const entryId = prompt?.type === "prompt.admitted" ? prompt.promptId : "";
    await sent(client, { type: "entry.label", sessionId, entryId, label: "before two" });
    const moved = await sent(client, { type: "leaf.move", sessionId, entryId });
    expect(moved.promptText).toBe("two");
    const again = await converse(client, sessionId, "other");
    expect(again.ended.text).toBe("You said: other");
    expect(await texts(sessionId)).toContain("other");
  });

  test("rename, archive and delete show in the list", async () => {
    const { client, transport } = site();
    const sessionId = await newSession(client);
    await converse(client, sessionId, "keep me");
    await sent(client, { type: "session.update", sessionId, title: `A name ${transport}` });
    const listed = await client.sessions({ text: `a name ${transport}`, limit: 10 });
    expect(listed.map((session) => session.sessionId)).toEqual([sessionId]);
    await sent(client, { type: "session.update", sessionId, isArchived: true });
    const ids = async (isArchived: boolean) =>
      (await client.sessions({ isArchived, limit: 2000 })).map((session) => session.sessionId);
    expect([(await ids(false)).includes(sessionId), await ids(true)]).toEqual([false, [sessionId]]);
    await sent(client, { type: "session.delete", sessionId });
    expect(await ids(true)).toEqual([]);
    await expect(client.messages(sessionId, { limit: 1 })).rejects.toMatchObject({ failure: { code: "not_found" } });
  });

  test("an export is taken in by the command line", async () => {
    const { client, bench } = site();
    const sessionId = await newSession(client);
    await converse(client, sessionId, "take me along");
    const { text } = await asked(client, { type: "session.export", sessionId, format: "json" });
    const file = join(bench.directory, "export.json");
    writeFileSync(file, text);
    const argv = [kedge, "session", "import", file, "--json"];
    const output = execFileSync(process.execPath, argv, { cwd: bench.project, env: bench.environment });
    const imported: { readonly sessionId: string } = JSON.parse(output.toString());
    const { messages } = await client.messages(imported.sessionId, { limit: 10 });
    expect(messages.flatMap(({ parts }) => parts.map((part) => part.type === "text" && part.text))).toContain(
      "take me along",
    );
  });
}

/** What can be asked of a session. */
function queryContract(site: () => ClientSite): void {
  test("messages come in pages, and words are found", async () => {
    const { client } = site();
    const sessionId = await newSession(client);
    for (const text of ["alpha", "beta", "gamma"]) await converse(client, sessionId, text);
    const all = (await client.messages(sessionId, { limit: 100 })).messages.map(({ id }) => id);
    const paged: string[] = [];
    for (let before: string | undefined, pages = 0; pages < 4; pages += 1) {
      const page = await client.messages(sessionId, { limit: 2, ...(before !== undefined && { before }) });
      paged.unshift(...page.messages.map(({ id }) => id));
      before = page.before;
      if (before === undefined) break;
    }
    expect([paged, paged.length]).toEqual([all, 6]);
    const hits = await client.search({ text: "gamma", sessionId, limit: 10 });
    expect(hits.map(({ role, snippet }) => [role, snippet]).sort()).toEqual([
      ["assistant", "You said: ⟦gamma⟧"],
      ["user", "⟦gamma⟧"],
    ]);
  });

  test("cost, changes, files, rules and the proof of the record", async () => {
    const { client } = site();
    const sessionId = await newSession(client);
    await converse(client, sessionId, "write facts.txt a line", { permission: allow });
    const { turns, byModel } = await asked(client, { type: "session.cost", sessionId });
    expect([turns, Object.keys(byModel)]).toEqual([2, ["mock/mock-model"]]);
    const { files } = await asked(client, { type: "session.diff", sessionId });
    expect(files.map(({ path, additions, deletions }) => [path, additions, deletions])).toEqual([["facts.txt", 1, 0]]);
    expect(await asked(client, { type: "file.read", path: "facts.txt" })).toMatchObject({ content: "a line\n" });
    const listed = await asked(client, { type: "file.list", path: "." });
    expect(listed.entries.map(({ path }) => path)).toContain("facts.txt");
    const rule = { permission: "bash", pattern: "ls *", action: "allow" } as const;
    const { ruleId } = await sent(client, { type: "rule.add", rule, sessionId });
    const rules = async () =>
      (await asked(client, { type: "rule.list" })).rules.filter((each) => each.ruleId === ruleId);
    expect(await rules()).toMatchObject([rule]);
    await sent(client, { type: "rule.remove", ruleId });
    expect(await rules()).toEqual([]);
    expect(await client.verify(sessionId)).toMatchObject({ sessionId, valid: true, truncated: false });
  });
}

/** What a way to the engine must keep: streams, aborts, keys. */
function transportContract(site: () => ClientSite): void {
  test("the messages and parts of one session can be followed, from now on and from a frame that was seen", async () => {
    const { client } = site();
    const [sessionId, other] = [await newSession(client), await newSession(client)];
    const stop = new AbortController();
    const sessions = new Set<string | undefined>();
    const types: string[] = [];
    const ids: string[] = [];
    let talk: Promise<unknown> | undefined;
    for await (const frame of client.follow({ sessionId, view: "parts", signal: stop.signal })) {
      if (frame.type === "server.connected") {
        talk = converse(client, other, "elsewhere").then(() => converse(client, sessionId, "seen"));
      }
      if (frame.type.startsWith("server.")) continue;
      sessions.add(frame.sessionId);
      if (types.at(-1) !== frame.type) types.push(frame.type);
      ids.push(frame.id);
      if (frame.type === "notification") stop.abort();
    }
    await talk;
    expect([...sessions]).toEqual([sessionId]);
    expect(types).toEqual(shownTypes);
    const again = new AbortController();
    const after = ids.at(-2) ?? "";
    const resumed: string[] = [];
    for await (const { id, type } of client.follow({ sessionId, view: "parts", after, signal: again.signal })) {
      if (type.startsWith("server.")) continue;
      resumed.push(`${type} ${id}`);
      again.abort();
    }
    expect(resumed).toEqual([`notification ${ids.at(-1)}`]);
  });

  test("a call that is given up says so, and the command is carried out nevertheless", async () => {
    const { client } = site();
    const gone = AbortSignal.abort();
    const failure = { code: "aborted", message: "The call was abandoned before it was answered.", retryable: true };
    expect(await client.send<"session.create">({ type: "session.create" }, { signal: gone })).toEqual({
      ok: false,
      failure,
    });
    expect(await client.ask<"project.read">({ type: "project.read" }, { signal: gone })).toEqual({
      ok: false,
      failure,
    });
    await expect(client.sessions({ limit: 1 }, { signal: gone })).rejects.toMatchObject({ failure });
    const none = client.events("ses_none", 0, gone)[Symbol.asyncIterator]();
    expect(await none.next()).toEqual({ done: true, value: undefined });
    const sessionId = await newSession(client);
    const stop = new AbortController();
    const slow = client.send<"shell.run">(
      { type: "shell.run", sessionId, command: "sleep 5" },
      { signal: stop.signal },
    );
    setImmediate(() => stop.abort());
    expect(await slow).toEqual({ ok: false, failure });
    await client.send<"shell.abort">({ type: "shell.abort", sessionId });
  });

  test("a command with a key is carried out once", async () => {
    const { client, transport } = site();
    const key = `key ${transport}`.replaceAll(" ", "-");
    const create = () => client.send<"session.create">({ type: "session.create" }, { idempotencyKey: key });
    const [first, second] = await Promise.all([create(), create()]);
    expect([first.ok, second, await create()]).toEqual([true, first, first]);
    const other = await client.send<"session.create">(
      { type: "session.create", mode: "plan" },
      { idempotencyKey: key },
    );
    expect(other).toMatchObject({ ok: false, failure: { code: "invalid_command", retryable: false } });
  });
}

/** Every failure that a program is likely to meet. */
async function collectFailures(client: Client): Promise<readonly unknown[]> {
  const unknown = "ses_01arz3ndektsv4rrffq69g5fav";
  const failureOf = (answer: { readonly ok: boolean; readonly failure?: unknown }) => answer.failure;
  const thrownBy = (call: Promise<unknown>) =>
    call.then(
      () => undefined,
      (error: { readonly failure?: { readonly code: string; readonly message: string } }) => {
        const { code, message } = error.failure ?? { code: "none", message: String(error) };
        return { code, message };
      },
    );
  const firstOf = async (events: AsyncIterable<unknown>) => {
    for await (const event of events) return event;
    return undefined;
  };
  const prompt = { type: "prompt.submit", text: "hi", delivery: "follow-up", options: {} } as const;
  const sessionId = await newSession(client);
  const failures: unknown[] = [
    failureOf(await client.send<"prompt.submit">({ ...prompt, sessionId: unknown })),
    failureOf(await client.send<"session.resume">({ type: "session.resume", sessionId: unknown })),
    failureOf(await client.send<"session.delete">({ type: "session.delete", sessionId: unknown })),
    failureOf(await client.send<"session.fork">({ type: "session.fork", sessionId: unknown })),
    failureOf(await client.ask<"session.read">({ type: "session.read", sessionId: unknown })),
    failureOf(await client.ask<"session.export">({ type: "session.export", sessionId: unknown, format: "md" })),
    failureOf(await client.ask<"file.read">({ type: "file.read", path: "absent.txt" })),
    failureOf(await client.ask<"file.read">({ type: "file.read", path: "../../etc/passwd" })),
    failureOf(await client.send<"leaf.move">({ type: "leaf.move", sessionId, entryId: "prm_none" })),
    failureOf(await client.send<"model.change">({ type: "model.change", sessionId, model: "nobody/nothing" })),
    failureOf(await client.send<"session.undo">({ type: "session.undo", sessionId })),
    failureOf(await client.send<"run.continue">({ type: "run.continue", sessionId, options: {} })),
    await thrownBy(client.messages(unknown, { limit: 1 })),
    await thrownBy(client.verify(unknown)),
    await thrownBy(firstOf(client.facts(unknown))),
    await thrownBy(firstOf(client.events(unknown, 0, AbortSignal.timeout(5_000)))),
  ];
  let isBusy: unknown;
  await converse(client, sessionId, "hang", {
    event: async (event) => {
      if (isBusy !== undefined || event.kind !== "signal" || event.signal.type !== "text.delta") return;
      isBusy = [
        failureOf(await client.send<"prompt.submit">({ ...prompt, sessionId, onlyIfIdle: true })),
        failureOf(await client.send<"session.undo">({ type: "session.undo", sessionId })),
        failureOf(await client.send<"session.close">({ type: "session.close", sessionId })),
      ];
      await sent(client, { type: "turn.interrupt", sessionId });
    },
  });
  return [...failures, isBusy];
}

test("failures are the same values on all ways", async () => {
  const bench = await openSdkBench();
  try {
    const collected: (readonly unknown[])[] = [];
    for (const transport of transports) {
      const { client, close } = await openClient(bench, transport);
      try {
        const text = JSON.stringify(await collectFailures(client), (_, value) => value ?? null);
        collected.push(JSON.parse(text.replaceAll(/(?<!none|_)\b(ses|run|prm)_[a-z0-9]{20,}/g, "$1_id")));
      } finally {
        await close();
      }
    }
    const [local, ...others] = collected;
    for (const other of others) expect(other).toEqual(local);
    expect(JSON.stringify(local)).not.toContain("null");
  } finally {
    await bench.close();
  }
});
