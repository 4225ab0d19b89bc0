/** Children in every state of their parents, and fifty sessions at once that must know nothing of each other. */
import { type CommandOf, type Fact, fixedToolSource, type PermissionMode, type RuleSet } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, end, type Harness, say } from "./harness.ts";

async function factsOf({ store }: Harness, sessionId: string): Promise<readonly Fact[]> {
  const facts: Fact[] = [];
  for await (const { fact } of store.read(sessionId, 0)) facts.push(fact);
  return facts;
}

const modeOf = ({ engine }: Harness, sessionId: string) =>
  engine.openSessions().find(({ state }) => state.sessionId === sessionId)?.state.mode;

const createChild = async ({ engine }: Harness, sessionId: string, mode?: PermissionMode) => {
  const command: CommandOf<"session.create"> = {
    type: "session.create",
    parent: { sessionId },
    ...(mode !== undefined && { mode }),
  };
  const made = await engine.send<"session.create">(command);
  if (!made.ok) throw new Error(made.failure.message);
  return made.value.sessionId;
};

test("a child is in the mode its parent is in now, and in no wider one", async () => {
  const harness = createHarness({});
  const parent = await harness.openWith({ profile: { mode: "bypass" } });
  expect(modeOf(harness, await createChild(harness, parent))).toBe("bypass");
  await harness.engine.send({ type: "mode.change", sessionId: parent, mode: "plan" });
  const child = await createChild(harness, parent);
  expect([modeOf(harness, child), modeOf(harness, await createChild(harness, child))]).toEqual(["plan", "plan"]);
  expect(modeOf(harness, await createChild(harness, parent, "default"))).toBe("plan");
});

/** A model that says nothing until it is interrupted. */
function createSilent() {
  let waiting = 0;
  const listeners: (() => void)[] = [];
  const harness = createHarness({
    provider: {
      async *stream(_, signal) {
        waiting += 1;
        for (const listener of listeners) listener();
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        yield { type: "failed", failure: { code: "aborted", message: "Stopped.", retryable: false } };
      },
    },
  });
  const areWaiting = (count: number) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (waiting >= count) resolve();
      };
      listeners.push(look);
      look();
    });
  return { harness, areWaiting };
}

test("a parent is neither closed nor deleted while a grandchild works, and everything is freed once it is interrupted", async () => {
  const { harness, areWaiting } = createSilent();
  const { engine } = harness;
  const parent = await harness.open();
  const child = await harness.openWith({ parent: { sessionId: parent } });
  const grandchild = await harness.openWith({ parent: { sessionId: child } });
  const run = harness.prompt(grandchild, "go");
  await areWaiting(1);
  for (const sessionId of [parent, child]) {
    expect(await engine.send({ type: "session.close", sessionId })).toMatchObject({
      failure: { code: "session_busy" },
    });
    expect(await engine.send({ type: "session.delete", sessionId })).toMatchObject({ ok: false });
  }
  await engine.send({ type: "turn.interrupt", sessionId: parent });
  expect((await run).fact).toMatchObject({ reason: "aborted" });
  expect(await engine.send({ type: "session.close", sessionId: parent })).toEqual({ ok: true, value: {} });
  expect([engine.openSessions(), await harness.store.heldSessions()]).toEqual([[], []]);
});

test("a child whose parent is closed or deleted is resumed by itself, and works on", async () => {
  const first = createHarness({ turns: [say("Parent."), say("Child.")] });
  const parent = await first.open();
  await first.prompt(parent, "go");
  const child = await first.openWith({ parent: { sessionId: parent } });
  await first.prompt(child, "go");
  await first.engine.send({ type: "session.close", sessionId: parent });
  expect(first.engine.openSessions()).toEqual([]);
  expect(await first.engine.send({ type: "session.delete", sessionId: parent })).toMatchObject({ ok: true });
  const second = createHarness({ turns: [say("Still here.")], store: first.store, boot: "boot-2" });
  await second.resume(child);
  expect((await second.prompt(child, "on")).fact).toMatchObject({ reason: "completed", text: "Still here." });
  await expect(second.openWith({ parent: { sessionId: parent } })).rejects.toThrow("Session ses_1 not found.");
  expect(await second.engine.send({ type: "session.close", sessionId: child })).toEqual({ ok: true, value: {} });
});

test("a budget that runs out among parallel calls lets each of them end once, and nothing starts after", async () => {
  const parallel = calls(...["a", "b", "c", "d"].map((id) => call(id, "look", { id })));
  const harness = createHarness({
    turns: [parallel, parallel, say("Never asked.")],
    tools: [createTool({ name: "look", permission: "read" })],
  });
  const parent = await harness.open();
  for (const budget of [{ turnsMax: 1 }, { tokensMax: 1 }]) {
    const child = await harness.openWith({ parent: { sessionId: parent }, profile: { budget } });
    const { fact } = await harness.prompt(child, "go");
    expect(fact).toMatchObject({ reason: budget.turnsMax === 1 ? "error_max_turns" : "error_max_budget" });
    const facts = await factsOf(harness, child);
    const started = facts.flatMap((each) => (each.type === "tool.started" ? [each.callId] : []));
    const ended = facts.flatMap((each) => (each.type === "tool.ended" ? [each.callId] : []));
    expect([...ended].sort()).toEqual([...started].sort());
    expect(facts.at(-1)).toMatchObject({ type: "run.ended" });
    expect((await harness.prompt(child, "again")).fact).toMatchObject({ turns: 0 });
  }
});

test("fifty sessions at once: no path, rule, grant, prompt or fact of one is in another", async () => {
  const random = createSeededRandom();
  const count = 50;
  const names = Array.from({ length: count }, (_, at) => `place${at}x`);
  const others = (name: string, text: string) => names.filter((other) => other !== name && text.includes(other));
  const save = createTool({
    name: "save",
    readOnly: false,
    run: async (input, { cwd }) => ({ output: `saved ${JSON.stringify(input)} in ${cwd}`, title: "" }),
  });
  const asked = new Map<string, string[]>();
  const harness = createHarness({
    provider: {
      async *stream(request) {
        const name = /place\d+x/.exec(request.system)?.[0] ?? "";
        const seen = asked.get(name) ?? [];
        asked.set(name, [...seen, JSON.stringify(request)]);
        // Other sessions go on meanwhile.
        for (let wait = random.below(20); wait > 0; wait -= 1) await Promise.resolve();
        if (seen.length < 3) yield call(`call-${name}-${seen.length}`, "save", { of: name, turn: seen.length });
        else yield { type: "text-delta", text: `Done in ${name}.` };
        yield end(seen.length < 3 ? "tool-calls" : "end");
      },
    },
  });
  const { workspace, prompt } = harness.parts;
  const sessions = await Promise.all(
    names.map(async (name, at) => {
      const isDenied = at % 3 === 0;
      const action = isDenied ? "deny" : "allow";
      const own: RuleSet = { source: "user", rules: [{ permission: "save", pattern: `*${name}*`, action }] };
      const sessionId = await harness.openWith({
        profile: {
          workspace: { ...workspace, cwd: `/${name}`, root: `/${name}`, projectId: name },
          prompt: { ...prompt, override: `Base of ${name}.` },
          rules: [own],
          toolSources: [fixedToolSource({ name: "ours", kind: "built-in" }, () => [save])],
          contextSources: [
            {
              name: "notes",
              kind: "data",
              place: "turn",
              read: () => [{ text: `notes of ${name}`, origin: `/${name}/notes.md`, hash: name }],
            },
          ],
        },
      });
      return { name, sessionId, isDenied };
    }),
  );
  const runs = await Promise.all(
    random.shuffle(sessions).map(async ({ name, sessionId }) => harness.prompt(sessionId, `Work in ${name}.`)),
  );
  expect(runs.map(({ fact }) => fact.type === "run.ended" && fact.reason)).toEqual(Array(count).fill("completed"));
  for (const { name, sessionId, isDenied } of sessions) {
    const facts = await factsOf(harness, sessionId);
    const told = asked.get(name) ?? [];
    expect([name, others(name, JSON.stringify(facts)), told.flatMap((text) => others(name, text))]).toEqual([
      ...[name, [], []],
    ]);
    const ends = facts.flatMap((fact) => (fact.type === "tool.ended" ? [fact] : []));
    expect(ends.map(({ outcome }) => outcome)).toEqual(Array(3).fill(isDenied ? "refused" : "completed"));
    expect(facts[0]).toMatchObject({ directory: `/${name}`, projectId: name });
    expect(await harness.store.verify(sessionId)).toMatchObject({ valid: true });
  }
});
