/** What every store promises about what it derives from facts: messages, search, listing, removal, sizes. */
import { randomBytes } from "node:crypto";
import { applyToView, emptyView, type Fact, type SearchQuery, type SessionFilter } from "@kedge/protocol";
import { describe, expect, test } from "vitest";
import { created, createdWith, prompt } from "./sample-facts.ts";
import { appended, type OpenStore, readAll, type StoreSite, useStore, validReport } from "./store-site.ts";
import { answerStep, conversation, ended, readCall, started } from "./view-facts.ts";

const startTime = 1_700_000_000_000;
const why = { by: "user", boot: "boot-1" };
const second = { boot: "boot-2", pid: 102, startedAt: "2" };

/** Given to every store that this suite opens. */
export function redactForTest(text: string): string {
  return text.replaceAll("sk-4711", "[secret]");
}

export function viewContract(name: string, open: OpenStore): void {
  describe(`${name}: what is derived from facts`, () => {
    const opened = useStore(open);
    const site = () => viewSite(opened());
    shownContract(site);
    removedContract(site);
    listedContract(site);
  });
}

type ViewSite = ReturnType<typeof viewSite>;

function viewSite({ store, world }: StoreSite) {
  return {
    store,
    world,
    /** Each batch a millisecond later, so that the order of times is the order here. */
    async appendEach(sessionId: string, batches: readonly (readonly Fact[])[]): Promise<void> {
      for (const facts of batches) {
        world.time += 1;
        await appended(store, sessionId, facts);
      }
    },
    found: async (text: string, query: Partial<SearchQuery> = {}) =>
      (await store.search({ text, limit: 10, ...query })).map((hit) => `${hit.sessionId} ${hit.messageId}`),
    listed: async (filter: Partial<SessionFilter> = {}) =>
      (await store.sessions({ limit: 10, ...filter })).map((summary) => summary.sessionId),
  };
}

/** Messages, the session and what a search finds. */
function shownContract(site: () => ViewSite): void {
  test("gives the last messages whole, and the ones before them when asked", async () => {
    const { store, appendEach } = site();
    await appendEach("ses_1", [[created], conversation(1, "first question"), conversation(2, "second question")]);
    const whole = await store.messages("ses_1", { limit: 100 });
    expect(whole.messages.map((message) => [message.id, message.role])).toEqual([
      ["msg_p1", "user"],
      ["msg_s1", "assistant"],
      ["msg_p2", "user"],
      ["msg_s2", "assistant"],
    ]);
    expect(whole.messages[0]?.parts).toEqual([
      {
        type: "text",
        text: "first question",
        id: expect.stringMatching(/^prt_p1\.0+$/),
        messageId: "msg_p1",
        time: startTime + 2,
      },
    ]);
    expect(whole.messages[3]?.parts.map((part) => part.type)).toEqual(["step-start", "text", "tool", "step-finish"]);
    expect(whole.before).toBeUndefined();
    const last = await store.messages("ses_1", { limit: 3 });
    expect(last).toEqual({ messages: whole.messages.slice(1), before: "msg_s1" });
    expect(await store.messages("ses_1", { limit: 3, before: "msg_s1" })).toEqual({
      messages: whole.messages.slice(0, 1),
    });
    expect(await store.messages("ses_1", { limit: 3, before: "msg_unknown" })).toEqual({ messages: [] });
    expect(await store.messages("ses_9", { limit: 3 })).toEqual({ messages: [] });
  });

  test("shows long texts whole and keeps up with what is appended", async () => {
    const { store, appendEach } = site();
    const long = "longer than a reference, ".repeat(20_000);
    await appendEach("ses_1", [[created], [prompt(long)], [started(1)]]);
    const text = async (index: number) => (await store.messages("ses_1", { limit: 10 })).messages[index]?.parts;
    expect(await text(0)).toMatchObject([{ type: "text", text: long }]);
    await appendEach("ses_1", [[{ type: "step.progressed", stepId: "s1", appended: [{ type: "text", text: "so " }] }]]);
    expect(await text(1)).toMatchObject([{ type: "step-start" }, { type: "text", text: "so " }]);
    await appendEach("ses_1", [[answerStep(1, `so be it ${long}`)], readCall(1, long)]);
    expect(await text(1)).toMatchObject([
      { type: "step-start" },
      { type: "text", text: `so be it ${long}` },
      { type: "tool", state: { status: "completed", output: long } },
      { type: "step-finish" },
    ]);
  });

  test.each([
    ["parser", ["msg_p1"]],
    ["PARS", ["msg_s1", "msg_p1"]],
    ["fix parser", ["msg_p1"]],
    ["parser fi", ["msg_p1"]],
    ["fi parser", []],
    ["naive", ["msg_p1"]],
    ["NAÏVE", ["msg_p1"]],
    ["src/parse_tree.ts", ["msg_s1", "msg_p1"]],
    ["tree.ts", ["msg_s1", "msg_p1"]],
    ["据库", ["msg_p2"]],
    ["数据 parser", []],
    ["数 库", ["msg_p2"]],
    ["ｄａｔａ", ["msg_p2"]],
    ['"unbalanced', ["msg_p2"]],
    ["unbalanced AND", []],
    ["NOT OR NEAR(", []],
    ["text:unbalanced", []],
    ["unbalanced*", ["msg_p2"]],
    ["^unbalanced -", ["msg_p2"]],
    ["'; DROP TABLE part --", []],
    ["", []],
    ["  \n", []],
    ["()*\"'", []],
    ["\u0000\ud800", []],
    ["x".repeat(5000), []],
  ])("finds %j", async (text, messages) => {
    const { appendEach, found } = site();
    await appendEach("ses_1", [
      [created],
      conversation(1, "fix the naïve parser in src/parse_tree.ts"),
      conversation(2, '数据库 data is "unbalanced"'),
    ]);
    expect(await found(text)).toEqual(messages.map((message) => `ses_1 ${message}`));
  });

  test("shows the session as the view fold has it, after every fact, and never once it is deleted", async () => {
    const { store } = site();
    const facts = [created, ...conversation(1, "first"), ...conversation(2, "second")];
    const view = emptyView("ses_1");
    for (const fact of facts) {
      for (const record of await appended(store, "ses_1", [fact])) applyToView(view, record);
      expect(await store.sessionView("ses_1")).toStrictEqual(view.session);
    }
    expect(await store.sessionView("ses_9")).toBeUndefined();
    await store.deleteSession("ses_1", why);
    expect(await store.sessionView("ses_1")).toBeUndefined();
  });

  test("tells where it was found, newest first, with the words marked and secrets taken out", async () => {
    const { store, appendEach, found } = site();
    await appendEach("ses_1", [[created], conversation(1, "the harbour key is sk-4711, remember the harbour")]);
    await appendEach("ses_2", [[created], conversation(2, `${"word ".repeat(50)}harbour ${"more ".repeat(50)}`)]);
    expect(await store.search({ text: "harb", limit: 10 })).toEqual([
      {
        sessionId: "ses_2",
        messageId: "msg_p2",
        title: "word word word word word word word word word word",
        time: startTime + 4,
        role: "user",
        snippet: `… ${"word ".repeat(7)}⟦harbour⟧ ${"more ".repeat(22).trim()} …`,
      },
      {
        sessionId: "ses_1",
        messageId: "msg_p1",
        title: "the harbour key is sk-4711, remember the harbour",
        time: startTime + 2,
        role: "user",
        snippet: "the ⟦harbour⟧ key is [secret], remember the ⟦harbour⟧",
      },
    ]);
    expect(await found("harb", { limit: 1 })).toEqual(["ses_2 msg_p2"]);
    expect(await found("4711")).toEqual([]);
  });

  test("searches only where the filters allow", async () => {
    const { appendEach, found } = site();
    await appendEach("ses_1", [[createdWith({ projectId: "p" })], conversation(1, "look at lighthouse")]);
    await appendEach("ses_2", [
      [createdWith({ projectId: "q" })],
      conversation(2, "no lighthouse in src/lighthouse.ts"),
    ]);
    expect(await found("lighthouse")).toEqual(["ses_2 msg_s2", "ses_2 msg_p2", "ses_1 msg_p1"]);
    expect(await found("lighthouse", { projectId: "p" })).toEqual(["ses_1 msg_p1"]);
    expect(await found("lighthouse", { sessionId: "ses_2" })).toEqual(["ses_2 msg_s2", "ses_2 msg_p2"]);
    expect(await found("lighthouse", { role: "user" })).toEqual(["ses_2 msg_p2", "ses_1 msg_p1"]);
    expect(await found("lighthouse", { tool: "read" })).toEqual(["ses_2 msg_s2"]);
    expect(await found("lighthouse", { tool: "bash" })).toEqual([]);
    expect(await found("done", { file: "src/light" })).toEqual(["ses_2 msg_s2"]);
    expect(await found("lighthouse", { after: startTime + 2 })).toEqual(["ses_2 msg_s2", "ses_2 msg_p2"]);
    expect(await found("lighthouse", { before: startTime + 4 })).toEqual(["ses_1 msg_p1"]);
  });
}

/** What is left of removed content. */
function removedContract(site: () => ViewSite): void {
  test("what is removed is gone from messages and search at once", async () => {
    const { store, appendEach, found } = site();
    await appendEach("ses_1", [[created], conversation(1, "the secret harbour"), conversation(2, "a quiet harbour")]);
    expect(await found("harbour")).toEqual(["ses_1 msg_p2", "ses_1 msg_p1"]);
    const records = await readAll(store, "ses_1");
    const digest = String(records.find(({ fact }) => fact.type === "prompt.admitted")?.digest);
    await store.removeContent("ses_1", [digest], { ...why, reason: "scrub" });
    expect(await found("harbour")).toEqual(["ses_1 msg_p2"]);
    const [message] = (await store.messages("ses_1", { limit: 10 })).messages;
    expect(message?.parts).toMatchObject([{ type: "text", text: "" }]);
    expect(await store.verify("ses_1")).toEqual(validReport("ses_1", records.length + 1, 1));
  });

  test("a deleted session leaves its bare chain and nothing else", async () => {
    const { store, appendEach, found, listed } = site();
    const [own, common] = [await store.putBlob(randomBytes(50)), await store.putBlob(randomBytes(60))];
    const unnamed = await store.putBlob(randomBytes(70));
    await appendEach("ses_1", [[created], conversation(1, `see ${own} and ${common} ${"z".repeat(300_000)}`)]);
    await appendEach("ses_2", [[created], conversation(2, `see ${common}`)]);
    const before = await readAll(store, "ses_1");
    const digests = before.flatMap((record) => record.digest ?? []);
    const outcome = await store.deleteSession("ses_1", why);
    expect(outcome.ok && outcome.records.map((record) => record.fact)).toEqual([
      { type: "content.removed", digests, reason: "the session was deleted", by: "user" },
      { type: "session.deleted", by: "user" },
    ]);
    expect(await listed()).toEqual(["ses_2"]);
    expect(await store.session("ses_1")).toBeUndefined();
    expect(await store.messages("ses_1", { limit: 10 })).toEqual({ messages: [] });
    expect(await found("see")).toEqual(["ses_2 msg_p2"]);
    const after = await readAll(store, "ses_1");
    expect(after.map((record) => record.hash).slice(0, before.length)).toEqual(before.map((record) => record.hash));
    expect(after.filter((record) => record.digest !== undefined).every((record) => record.removed)).toBe(true);
    expect(await store.verify("ses_1")).toEqual(validReport("ses_1", before.length + 2, digests.length));
    expect(await store.verify("ses_2")).toMatchObject({ valid: true });
    expect(await store.blob(own)).toBeUndefined();
    expect((await store.blob(common))?.length).toBe(60);
    expect((await store.blob(unnamed))?.length).toBe(70);
    expect(await store.deleteSession("ses_1", why)).toEqual({ ok: true, records: [], position: 0 });
    expect(await store.deleteSession("ses_9", why)).toEqual({ ok: true, records: [], position: 0 });
  });

  test("neither deletes nor thins without the lease", async () => {
    const { store, appendEach, found } = site();
    const pieces: readonly Fact[] = [
      { type: "step.progressed", stepId: "s1", appended: [{ type: "text", text: "so" }] },
    ];
    await appendEach("ses_1", [[created, prompt("x"), started(1), ...pieces, answerStep(1, "so"), ended(1)]]);
    await store.acquireLease("ses_1", second);
    const refused = { ok: false, reason: "lease-lost", holder: second };
    expect(await store.deleteSession("ses_1", why)).toEqual(refused);
    expect(await store.thin("ses_1", why)).toEqual(refused);
    expect(await found("so")).toEqual(["ses_1 msg_s1"]);
  });

  test("thins what streamed once the whole answer is there, and shows the same", async () => {
    const { store, appendEach } = site();
    const piece = (step: number, text: string): Fact => {
      return { type: "step.progressed", stepId: `s${step}`, appended: [{ type: "text", text }] };
    };
    await appendEach("ses_1", [
      [
        created,
        prompt("x"),
        started(1),
        piece(1, "one "),
        piece(1, "two"),
        answerStep(1, "one two"),
        ...readCall(1, "y"),
      ],
      [started(2), piece(2, "cut off"), ended(2)],
    ]);
    const before = await store.messages("ses_1", { limit: 10 });
    const { databaseBytes } = await store.storageUse();
    const bytesFreed = ["one ", "two"].map((text) => JSON.stringify({ appended: [{ type: "text", text }] }).length);
    expect(await store.thin("ses_1", why)).toEqual({
      ok: true,
      bytesFreed: (bytesFreed[0] ?? 0) + (bytesFreed[1] ?? 0),
    });
    expect(await store.messages("ses_1", { limit: 10 })).toEqual(before);
    expect((await readAll(store, "ses_1")).filter((record) => record.removed)).toHaveLength(2);
    expect(await store.verify("ses_1")).toMatchObject({ valid: true, payloadsRemoved: 2 });
    expect(await store.thin("ses_1", why)).toEqual({ ok: true, bytesFreed: 0 });
    expect(await store.thin("ses_9", why)).toEqual({ ok: true, bytesFreed: 0 });
    expect(databaseBytes).toBeGreaterThan(0);
  });
}

/** Listings and sizes. */
function listedContract(site: () => ViewSite): void {
  test("lists by parent, words of the title, archive and time", async () => {
    const { store, appendEach, listed } = site();
    await appendEach("ses_1", [[created, prompt("Straße nach ÄGYPTEN")]]);
    const origin = { kind: "fork", sessionId: "ses_1" } as const;
    await appendEach("ses_2", [[createdWith({ origin }), prompt("Another road")]]);
    await appendEach("ses_3", [[createdWith({ origin: { kind: "import", sessionId: "ses_1" } })]]);
    await appendEach("ses_3", [[{ type: "session.updated", title: "Road to nowhere", titleSource: "user" }]]);
    expect(await listed()).toEqual(["ses_3", "ses_2", "ses_1"]);
    expect(await listed({ parentId: "ses_1" })).toEqual(["ses_2"]);
    expect(await listed({ text: "ROAD" })).toEqual(["ses_3", "ses_2"]);
    expect(await listed({ text: " road  where " })).toEqual(["ses_3"]);
    expect(await listed({ text: "ägypten 100%" })).toEqual([]);
    expect(await listed({ text: "ägypten" })).toEqual(["ses_1"]);
    expect(await listed({ updatedAfter: startTime + 1, updatedBefore: startTime + 4 })).toEqual(["ses_2"]);
    await appendEach("ses_2", [[{ type: "session.updated", isArchived: true }]]);
    expect(await listed()).toEqual(["ses_3", "ses_1"]);
    expect(await listed({ isArchived: true })).toEqual(["ses_2"]);
    expect(await store.session("ses_2")).toMatchObject({ parentId: "ses_1", isArchived: true });
    expect(await store.verify("ses_2")).toEqual(validReport("ses_2", 3, 0));
    await appendEach("ses_2", [[{ type: "session.updated", isArchived: false }]]);
    expect(await listed()).toEqual(["ses_2", "ses_3", "ses_1"]);
  });

  test("goes through all sessions page by page, also those of the same time", async () => {
    const { store, world } = site();
    const ids = Array.from({ length: 23 }, (_, index) => `ses_${String(index).padStart(2, "0")}`);
    for (const [index, id] of ids.entries()) {
      world.time = startTime + Math.floor(index / 9);
      await appended(store, id, [created]);
    }
    const seen: string[] = [];
    let after: SessionFilter["after"];
    for (let pages = 0; pages < 10; pages += 1) {
      const page = await store.sessions({ limit: 4, ...(after !== undefined && { after }) });
      seen.push(...page.map((summary) => summary.sessionId));
      const last = page.at(-1);
      if (last === undefined) break;
      after = { updatedAt: last.updatedAt, sessionId: last.sessionId };
    }
    expect(seen).toEqual([...ids].reverse());
  });

  test("tells where the disk went", async () => {
    const { store, appendEach } = site();
    const empty = await store.storageUse();
    expect([empty.sessions, empty.facts, empty.blobBytes]).toEqual([0, 0, 0]);
    await appendEach("ses_1", [[created], conversation(1, "hello")]);
    await store.putBlob(randomBytes(1234));
    const use = await store.storageUse();
    expect([use.sessions, use.facts, use.blobBytes]).toEqual([1, (await readAll(store, "ses_1")).length, 1234]);
    expect(use.databaseBytes).toBeGreaterThan(empty.databaseBytes);
    await store.deleteSession("ses_1", why);
    expect((await store.storageUse()).sessions).toBe(0);
  });
}
