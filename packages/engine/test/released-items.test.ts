/** What a summary stands for is held by the store alone, and comes back for whatever shows it again. */
import type { Provider, SessionState, Tool } from "@kedge/protocol";
import { collectGarbage, createScriptedProvider } from "@kedge/testing";
import { expect, test } from "vitest";
import { answer, callOf, newStore, openSite, type Site, words } from "./compaction-site.ts";
import { createHarness, createTool } from "./harness.ts";

const secretOfFirst = "output of the first call";

const look: Tool = {
  ...createTool({ name: "look", readOnly: true }),
  run: async () => ({ output: `${secretOfFirst} ${words(500)}`, title: "look" }),
};

const summary = "## Goal\nSomething was done.";

async function compactedSite(...after: readonly ReturnType<typeof answer>[]): Promise<Site> {
  const filler = answer(`Two. ${words(1_000)}`);
  const site = openSite({
    tools: [look],
    turns: [callOf("c1", "look", {}), answer("One."), filler, answer("Three."), ...after],
    summaries: [answer(summary), answer(summary), answer(summary)],
    parts: { conversation: { branchSummary: { reserveTokens: 1_000 } } },
  });
  await site.harness.open("bypass");
  for (const text of ["First", "Second", "Third"]) await site.harness.prompt("ses_1", text);
  expect(await site.harness.engine.send({ type: "context.compact", sessionId: "ses_1" })).toMatchObject({ ok: true });
  return site;
}

function openState({ harness }: Site): Readonly<SessionState> {
  const [open] = harness.engine.openSessions();
  if (open === undefined) throw new Error("no session is open");
  return open.state;
}

const holdsOutput = (site: Site) => JSON.stringify([...openState(site).tree]).includes(secretOfFirst);
const messagesOf = (site: Site) => JSON.stringify(site.asked.at(-1)?.messages);
const promptId = (site: Site, text: string) =>
  openState(site).undoPoints.find((point) => point.text === text)?.promptId ?? "";

test("after a summary the open session holds no output from before it", async () => {
  const site = await compactedSite();
  expect(holdsOutput(site)).toBe(false);
  expect([...openState(site).tree.values()].some(({ item }) => item.type === "released")).toBe(true);
});

test("going back before the summary shows the model the output again", async () => {
  const site = await compactedSite(answer("Other."));
  const entryId = promptId(site, "Second");
  expect(await site.harness.engine.send({ type: "leaf.move", sessionId: "ses_1", entryId })).toMatchObject({
    ok: true,
  });
  await site.harness.prompt("ses_1", "Instead");
  expect(messagesOf(site)).toContain(secretOfFirst);
});

test("undo across the summary, and redo, show the model what stood there", async () => {
  const site = await compactedSite(answer("Other."));
  const { items } = openState(site);
  const undone = { type: "session.undo", sessionId: "ses_1", promptId: promptId(site, "Second") } as const;
  expect(await site.harness.engine.send(undone)).toMatchObject({ ok: true });
  expect(JSON.stringify(openState(site).items)).toContain(secretOfFirst);
  expect(await site.harness.engine.send({ type: "session.redo", sessionId: "ses_1" })).toMatchObject({ ok: true });
  expect(openState(site).items).toEqual(items);
});

test("the summary of a branch that is left is made of its outputs", async () => {
  const site = await compactedSite();
  const wish = { type: "leaf.move", sessionId: "ses_1", summary: "summary" } as const;
  expect(await site.harness.engine.send(wish)).toMatchObject({ ok: true });
  expect(JSON.stringify(site.summaries.at(-1)?.messages)).toContain(secretOfFirst);
});

test("a fork of the open session has the output", async () => {
  const site = await compactedSite();
  const forked = await site.harness.engine.send({ type: "session.fork", sessionId: "ses_1" });
  if (!forked.ok) throw new Error(forked.failure.message);
  const texts: string[] = [];
  for await (const { fact } of site.harness.store.read(forked.value.sessionId, 0)) texts.push(JSON.stringify(fact));
  expect(texts.join("")).toContain(secretOfFirst);
});

test("after a summary nothing holds the requests of the conversation before it", async () => {
  const filler = answer(`Two. ${words(1_000)}`);
  const scripted = createScriptedProvider([answer("One."), filler, answer("Three."), answer(summary), answer("Four.")]);
  const lists: WeakRef<object>[] = [];
  const provider: Provider = {
    stream(request, signal) {
      lists.push(new WeakRef(request.messages));
      return scripted.stream({ ...request, messages: [...request.messages] }, signal);
    },
  };
  const settings = { keepRecentTokens: 0, dropUseless: false, supersedeReads: false };
  const harness = createHarness({ store: newStore(), provider, parts: { compaction: { settings } } });
  await harness.open("bypass");
  for (const text of ["First", "Second", "Third"]) await harness.prompt("ses_1", text);
  await collectGarbage();
  expect(lists[0]?.deref()).toBeDefined();
  expect(await harness.engine.send({ type: "context.compact", sessionId: "ses_1" })).toMatchObject({ ok: true });
  await collectGarbage();
  expect(lists[0]?.deref()).toBeUndefined();
  await harness.prompt("ses_1", "Fourth");
  expect(scripted.requests.at(-1)?.messages).toMatchObject([
    { role: "user" },
    { text: "Third" },
    {},
    { text: "Fourth" },
  ]);
});
