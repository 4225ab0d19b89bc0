/** Proves `query`: what it tells, who answers, how it ends, and that it leaves nothing running behind. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, FailureError } from "@kedge/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type QueryMessage, query } from "../../src/sdk/index.ts";
import { asked, newSession } from "./conversation-steps.ts";
import { type OpenedClient, openClient, openSdkBench, type SdkBench, transports } from "./sdk-bench.ts";

async function all(messages: AsyncIterable<QueryMessage>): Promise<readonly QueryMessage[]> {
  const seen: QueryMessage[] = [];
  for await (const message of messages) seen.push(message);
  return seen;
}

type Result = Extract<QueryMessage, { type: "result" }>;

function resultOf(messages: readonly QueryMessage[]): Result {
  const last = messages.at(-1);
  if (last?.type !== "result") throw new Error(`ended with ${last?.type}`);
  return last;
}

const typesOf = (messages: readonly QueryMessage[]) =>
  messages.map(({ type }) => type).filter((type) => type !== "text");

/** The pieces as they came. */
const textOf = (messages: readonly QueryMessage[]) =>
  messages.map((message) => (message.type === "text" ? message.text : "")).join("");

/** What a run without calls is made of, beside its pieces. */
const told = ["started", "answer", "result"];

describe.each(transports)("a query %s", (transport) => {
  let bench: SdkBench;
  let opened: OpenedClient;
  let client: Client;

  beforeAll(async () => {
    bench = await openSdkBench();
    opened = await openClient(bench, transport);
    client = opened.client;
  });
  afterAll(async () => {
    await opened?.close();
    await bench?.close();
  });

  const isIdle = async (sessionId: string) =>
    (await asked(client, { type: "session.read", sessionId })).status.state === "idle";

  test("tells its beginning, the pieces, the answer and the result", async () => {
    const messages = await all(query("hello", { client }));
    const [started] = messages;
    const { sessionId, runId } = resultOf(messages);
    expect(started).toEqual({ type: "started", sessionId, runId });
    expect(typesOf(messages)).toEqual(told);
    expect(textOf(messages)).toBe("You said: hello");
    expect(resultOf(messages)).toMatchObject({ reason: "completed", text: "You said: hello", turns: 1 });
  });

  test("asks its callback, which may allow, change the input, or deny with a reason", async () => {
    const allowed = await all(query("write a.txt a", { client, canUseTool: async () => ({ behavior: "allow" }) }));
    expect(typesOf(allowed)).toEqual([
      ...["started", "answer", "permission-asked", "permission-answered"],
      ...["tool-started", "tool-ended", "answer", "result"],
    ]);
    const changed = { filePath: "c.txt", content: "changed\n" };
    await all(query("write b.txt b", { client, canUseTool: () => ({ behavior: "allow", updatedInput: changed }) }));
    const denied = await all(
      query("write d.txt d", { client, canUseTool: ({ tool }) => ({ behavior: "deny", message: `No ${tool}.` }) }),
    );
    expect(denied).toContainEqual(expect.objectContaining({ type: "permission-answered", message: "No write." }));
    const written = ["a.txt", "b.txt", "c.txt", "d.txt"].filter((name) => existsSync(join(bench.project, name)));
    expect([written, readFileSync(join(bench.project, "c.txt"), "utf8")]).toEqual([["a.txt", "c.txt"], "changed\n"]);
  });

  test("without a callback such calls are rejected, and questions get no answer", async () => {
    const rejected = await all(query("write e.txt e", { client }));
    expect([existsSync(join(bench.project, "e.txt")), resultOf(rejected).denials.length]).toEqual([false, 1]);
    const unanswered = await all(query("ask", { client }));
    expect(unanswered).toContainEqual(expect.objectContaining({ type: "question-answered", answers: [""] }));
    const answered = await all(query("ask", { client, onQuestion: ([first]) => [`to ${first?.question}`] }));
    expect(answered).toContainEqual(expect.objectContaining({ answers: ["to Which colour?"] }));
  });

  test("what a callback throws is thrown, and the run is over", async () => {
    let sessionId = "";
    const broken = async () => {
      const canUseTool = () => {
        throw new Error("the callback broke");
      };
      for await (const message of query("write f.txt f", { client, canUseTool })) {
        if (message.type === "started") sessionId = message.sessionId;
      }
    };
    await expect(broken()).rejects.toThrow("the callback broke");
    expect([await isIdle(sessionId), existsSync(join(bench.project, "f.txt"))]).toEqual([true, false]);
    expect(await asked(client, { type: "permission.list" })).toEqual({ requests: [] });
    const badInput = query("write f.txt f", {
      client,
      canUseTool: () => ({ behavior: "allow", lasting: "session", updatedInput: {} }),
    });
    await expect(all(badInput)).rejects.toMatchObject({ failure: { code: "invalid_command" } });
  });

  test("limits of turns and money end the run, and a schema shapes its answer", async () => {
    const canUseTool = () => ({ behavior: "allow" }) as const;
    const turns = await all(query("write g.txt g", { client, canUseTool, run: { turnsMax: 1 } }));
    expect(resultOf(turns)).toMatchObject({ reason: "error_max_turns", turns: 1 });
    const money = await all(query("write h.txt h", { client, canUseTool, run: { budgetUsdMax: 0 } }));
    expect(resultOf(money)).toMatchObject({ reason: "error_max_budget", budget: "usd" });
    const answerSchema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] } as const;
    const shaped = await all(query('call structured_output {"city":"Bern"}', { client, run: { answerSchema } }));
    expect(resultOf(shaped).structured).toEqual({ city: "Bern" });
  });

  test("goes on with a session, in another mode, and takes attachments along", async () => {
    const first = resultOf(await all(query("first", { client })));
    const { sessionId } = first;
    const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==";
    const media = { name: "dot.png", mediaType: "image/png", base64: dot };
    const second = await all(query("second", { client, sessionId, mode: "plan", attachments: [media] }));
    expect(resultOf(second).sessionId).toBe(sessionId);
    const { session } = await asked(client, { type: "session.read", sessionId });
    expect(session.mode).toBe("plan");
    const { messages } = await client.messages(sessionId, { limit: 10 });
    expect(messages.flatMap(({ parts }) => parts.map((part) => part.type))).toContain("file");
  });

  test("a signal interrupts it, also while a callback is thinking", async () => {
    const stop = new AbortController();
    const messages: QueryMessage[] = [];
    for await (const message of query("hang", { client, signal: stop.signal })) {
      messages.push(message);
      if (message.type === "text") stop.abort();
    }
    expect(resultOf(messages).reason).toBe("aborted");
    const second = new AbortController();
    let callbackEnded = "";
    const canUseTool = (_: unknown, { signal }: { readonly signal: AbortSignal }) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          callbackEnded = "by its signal";
          reject(new Error("too late to matter"));
        });
        second.abort();
      });
    const waiting = await all(query("write i.txt i", { client, signal: second.signal, canUseTool }));
    expect([resultOf(waiting).reason, callbackEnded]).toEqual(["aborted", "by its signal"]);
    await expect(all(query("never", { client, signal: AbortSignal.abort() }))).rejects.toMatchObject({
      failure: { code: "aborted" },
    });
  });

  test("whoever leaves early has the run interrupted", async () => {
    let sessionId = "";
    for await (const message of query("hang", { client })) {
      if (message.type === "started") sessionId = message.sessionId;
      if (message.type === "text") break;
    }
    expect(await isIdle(sessionId)).toBe(true);
  });

  test("two at once keep apart, in two sessions and in one", async () => {
    const [left, right] = await Promise.all([all(query("left", { client })), all(query("right", { client }))]);
    expect([resultOf(left).text, resultOf(right).text]).toEqual(["You said: left", "You said: right"]);
    const sessionId = await newSession(client);
    const [one, two] = await Promise.all([
      all(query("one", { client, sessionId })),
      all(query("two", { client, sessionId })),
    ]);
    expect([textOf(one), textOf(two)]).toEqual(["You said: one", "You said: two"]);
    expect([typesOf(one), typesOf(two)]).toEqual([told, told]);
  });

  test("a command of the prompt line is answered at once, also beside a run", async () => {
    const alone = resultOf(await all(query("/help", { client })));
    expect([alone.reason, alone.turns]).toEqual(["completed", 0]);
    let beside = "";
    const stop = new AbortController();
    for await (const message of query("hang", { client, signal: stop.signal })) {
      if (message.type === "started") {
        beside = resultOf(await all(query("/help", { client, sessionId: message.sessionId }))).text;
        stop.abort();
      }
    }
    expect(beside).toBe(alone.text);
  });

  test("one that waits behind a run that is interrupted begins nevertheless, and its own signal takes it back", async () => {
    const sessionId = await newSession(client);
    const stop = new AbortController();
    const withdrawn = new AbortController();
    const first = (async () => {
      for await (const message of query("hang", { client, sessionId, signal: stop.signal })) {
        if (message.type === "result") return message.reason;
      }
      return undefined;
    })();
    await bench.model.waitForRequest(bench.model.requests.length + 1);
    const second = all(query("second", { client, sessionId }));
    const third = all(query("third", { client, sessionId, signal: withdrawn.signal }));
    await expect
      .poll(async () => (await asked(client, { type: "session.read", sessionId })).lastSeq)
      .toBeGreaterThan(4);
    withdrawn.abort();
    await expect(third).rejects.toMatchObject({ failure: { code: "aborted" } });
    stop.abort();
    expect([await first, resultOf(await second).text]).toEqual(["aborted", "You said: second"]);
  });

  test("a session that does not exist is a failure, and a model that does not exist a result", async () => {
    const sessionId = "ses_01arz3ndektsv4rrffq69g5fav";
    await expect(all(query("hi", { client, sessionId }))).rejects.toThrow(FailureError);
    const unknownModel = await all(query("hi", { client, model: "nobody/nothing" }));
    expect(resultOf(unknownModel)).toMatchObject({
      reason: "error_during_execution",
      failure: { code: "invalid_model" },
    });
  });
});
