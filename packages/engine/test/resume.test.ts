/** Proves what a session that is taken up again keeps, what it must choose anew, and what its model is told. */
import {
  applyRecord,
  emptySession,
  type Fact,
  type PermissionMode,
  type Snapshots,
  type Store,
  type Tool,
} from "@kedge/protocol";
import { expect, test } from "vitest";
import {
  answer,
  callOf,
  fileTools,
  newFileState,
  newStore,
  openSite,
  type Site,
  type SiteOptions,
} from "./compaction-site.ts";
import { createTool } from "./harness.ts";
import { mapSnapshots } from "./map-snapshots.ts";

/** Another process takes up what the first one left. */
async function again(
  store: Store,
  options: Partial<SiteOptions>,
  mode?: PermissionMode,
): Promise<Site & { readonly notice: string | undefined }> {
  const site = openSite({ turns: [], store, boot: "boot-2", ...options });
  const stop = site.harness.engine.subscribe("ses_1", (event) => void site.harness.events.push(event));
  const resumed = await site.harness.engine.send({
    type: "session.resume",
    sessionId: "ses_1",
    ...(mode !== undefined && { mode }),
  });
  if (!resumed.ok) throw new Error(resumed.failure.message);
  stop();
  // It is open already; from here on the harness listens.
  await site.harness.resume("ses_1", {});
  return { ...site, notice: resumed.value.notice };
}

const resumedMode = (facts: readonly Fact[]) =>
  facts.flatMap((fact) => (fact.type === "session.resumed" ? [fact.mode] : []));

test("one that is open already takes the mode and the model that it is taken up with", async () => {
  const { harness } = openSite({ turns: [] });
  await harness.open("default");
  const taken = { type: "session.resume", sessionId: "ses_1" } as const;
  const count = harness.facts().length;
  expect(await harness.engine.send(taken)).toMatchObject({ ok: true });
  expect(await harness.engine.send({ ...taken, mode: "plan", model: "mock/other" })).toMatchObject({ ok: true });
  expect(await harness.engine.send({ ...taken, mode: "plan", model: "mock/other" })).toMatchObject({ ok: true });
  expect(harness.facts().slice(count)).toEqual([
    { type: "mode.changed", mode: "plan" },
    { type: "model.changed", model: "mock/other" },
  ]);
});

test("the mode stays, but for those that ask nobody, and the user's choice comes first", async () => {
  const taken = async (mode: PermissionMode, chosen?: PermissionMode) => {
    const store = newStore();
    const first = openSite({ turns: [], store });
    await first.harness.open(mode);
    const site = await again(store, {}, chosen);
    return resumedMode(site.harness.facts());
  };
  expect(await taken("accept-edits")).toEqual(["accept-edits"]);
  expect(await taken("plan")).toEqual(["plan"]);
  expect(await taken("bypass")).toEqual(["default"]);
  expect(await taken("auto")).toEqual(["default"]);
  expect(await taken("plan", "bypass")).toEqual(["bypass"]);
});

test("the end of planning does not bring back a mode that must be chosen anew", async () => {
  const store = newStore();
  const first = openSite({ turns: [], store });
  const sessionId = await first.harness.open("bypass");
  await first.harness.engine.send({ type: "mode.change", sessionId, mode: "plan" });
  await again(store, {});
  const state = emptySession(sessionId);
  for await (const record of store.read(sessionId, 0)) applyRecord(state, record);
  expect({ mode: state.mode, modeBeforePlan: state.modeBeforePlan }).toEqual({
    mode: "plan",
    modeBeforePlan: "default",
  });
});

test("a model that is gone is replaced by the default with a notice, and a known one stays", async () => {
  const store = newStore();
  const first = openSite({ turns: [], store });
  await first.harness.engine.send({ type: "session.create", mode: "default", model: "mock/gone" });
  const site = await again(store, { parts: { model: "mock/model" } });
  expect(site.notice).toBe("mock/gone is no longer available. Continuing with mock/model.");
  expect(site.harness.facts()).toEqual([
    { type: "session.resumed", boot: "boot-2", mode: "default" },
    { type: "model.changed", model: "mock/model" },
  ]);

  const known = newStore();
  await openSite({ turns: [], store: known }).harness.open();
  const same = await again(known, { parts: { model: "mock/other" } });
  expect(same.notice).toBeUndefined();
  expect(same.harness.facts()).toEqual([{ type: "session.resumed", boot: "boot-2", mode: "default" }]);
});

test("what did not change since it was seen may be edited at once, and what changed must be read again", async () => {
  const store = newStore();
  const disk = new Map([
    ["/project/same.ts", "same"],
    ["/project/other.ts", "before"],
    ["/project/unseen.ts", "unseen"],
  ]);
  const parts = { newFileState };
  const read = (callId: string, filePath: string) => callOf(callId, "read", { filePath });
  const edit = (callId: string, filePath: string) => callOf(callId, "edit", { filePath });
  const first = openSite({
    store,
    tools: fileTools(disk),
    turns: [read("a", "same.ts"), read("b", "other.ts"), answer("Seen.")],
    parts,
  });
  const sessionId = await first.harness.open("bypass");
  await first.harness.prompt(sessionId, "Read them");
  disk.set("/project/other.ts", "after");
  const seenAtMs = 1_700_000_000_000;
  const changed = new Map([
    ["/project/same.ts", seenAtMs - 1],
    ["/project/other.ts", seenAtMs + 1],
  ]);
  const looked: string[] = [];
  const site = await again(
    store,
    {
      tools: fileTools(disk),
      turns: [edit("c", "same.ts"), edit("d", "other.ts"), edit("e", "unseen.ts"), answer("Done.")],
      compaction: {
        readFile: async (path) => {
          looked.push(path);
          const text = disk.get(path);
          return text === undefined ? undefined : { text, contentHash: text };
        },
      },
      parts: { ...parts, fileChangedAtMs: async (path) => changed.get(path) },
    },
    "bypass",
  );
  await site.harness.prompt(sessionId, "Edit them");
  const ends = site.harness.facts().flatMap((fact) => (fact.type === "tool.ended" ? [fact.output] : []));
  expect(ends).toEqual(["edited", "read it first", "read it first"]);
  expect(looked).toEqual(["/project/same.ts"]);
});

function writer(files: Map<string, string>) {
  return createTool({
    name: "write",
    readOnly: false,
    run: async (input) => {
      files.set(String((input as { readonly path: string }).path), "by the model");
      return { output: "written", title: "" };
    },
  });
}

async function afterWriting(files: Map<string, string>, snapshots: Snapshots): Promise<Store> {
  const store = newStore();
  const turns = [callOf("a", "write", { path: "own.ts" }), answer("Written.")];
  const first = openSite({ store, tools: [writer(files)], snapshots, turns });
  await first.harness.prompt(await first.harness.open("bypass"), "Write it");
  return store;
}

const reminders = (site: Site) =>
  site.harness.facts().flatMap((fact) => (fact.type === "step.started" ? [fact.reminders] : []));

test("the model is told once which files others changed since, and nothing where none did", async () => {
  const files = new Map([
    ["kept.ts", "1"],
    ["gone.ts", "2"],
  ]);
  const snapshots = mapSnapshots(files);
  const store = await afterWriting(files, snapshots);
  files.set("own.ts", "by the user");
  files.delete("gone.ts");
  const turns = [callOf("b", "write", { path: "later.ts" }), answer("One."), answer("Two.")];
  const site = await again(store, { tools: [writer(files)], snapshots, turns }, "bypass");
  await site.harness.prompt("ses_1", "Go on");
  await site.harness.prompt("ses_1", "And on");
  const told = reminders(site).flat();
  expect(told).toEqual([expect.stringContaining("Changed files: deleted gone.ts, modified own.ts\n")]);

  const quiet = new Map([["kept.ts", "1"]]);
  const still = mapSnapshots(quiet);
  const same = await again(await afterWriting(quiet, still), { snapshots: still, turns: [answer("One.")] });
  await same.harness.prompt("ses_1", "Go on");
  expect(reminders(same)).toEqual([[]]);
});

test("what the run itself changed before the look at the files is not taken for the work of others", async () => {
  const files = new Map([["own.ts", "1"]]);
  const plain = mapSnapshots(files);
  const store = await afterWriting(files, plain);
  files.set("theirs.ts", "by the user");
  const { promise: isWritten, resolve: written } = Promise.withResolvers<void>();
  let taken = 0;
  const snapshots: Snapshots = {
    ...plain,
    async track(signal, options) {
      taken += 1;
      if (taken === 1) await isWritten;
      return plain.track(signal, options);
    },
  };
  const write = writer(files);
  const telling: Tool = {
    ...write,
    run: async (input, context) => {
      const output = await write.run(input, context);
      written();
      return output;
    },
  };
  const turns = [callOf("b", "write", { path: "later.ts" }), answer("One."), answer("Two.")];
  const site = await again(store, { tools: [telling], snapshots, turns }, "bypass");
  await site.harness.prompt("ses_1", "Go on");
  await site.harness.prompt("ses_1", "And on");
  expect(reminders(site).flat()).toEqual([expect.stringContaining("Changed files: added theirs.ts\n")]);
});

test("a long list of changed files is cut, and trees that cannot be taken cost nothing", async () => {
  const files = new Map<string, string>();
  const snapshots = mapSnapshots(files);
  const store = await afterWriting(files, snapshots);
  for (let index = 100; index < 150; index += 1) files.set(`new-${index}.ts`, "");
  const site = await again(store, { snapshots, turns: [answer("One."), answer("Two.")] });
  await site.harness.prompt("ses_1", "Go on");
  await site.harness.prompt("ses_1", "And on");
  expect(reminders(site).flat()).toEqual([expect.stringMatching(/added new-119\.ts and 30 more\n/)]);

  const without: Snapshots = { ...snapshots, track: () => Promise.reject(new Error("no git")) };
  const bare = await again(await afterWriting(new Map(), mapSnapshots(new Map())), {
    snapshots: without,
    turns: [answer("One.")],
  });
  await bare.harness.prompt("ses_1", "Go on");
  expect(reminders(bare)).toEqual([[]]);
});
