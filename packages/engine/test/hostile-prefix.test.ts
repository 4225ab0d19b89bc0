/** Random sessions: each request begins with the bytes of the one before, and what holds now is said last and once. */
import {
  type ContextSource,
  canonicalJson,
  fixedToolSource,
  type ModelRequest,
  type PermissionMode,
  type Tool,
  type ToolSource,
} from "@kedge/protocol";
import { createSeededRandom, type SeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { answer, callOf, newStore, openSite, type Site, words } from "./compaction-site.ts";
import { createTool } from "./harness.ts";
import { mapSnapshots } from "./map-snapshots.ts";

const sessionId = "ses_1";

/** A block of this name in this version, wherever it stands. */
const marker = (name: string, version: number) => `[${name} ${version}]`;

type World = {
  readonly random: SeededRandom;
  readonly versions: Record<string, number>;
  readonly sources: readonly ContextSource[];
  readonly toolSources: readonly ToolSource[];
  readonly change: () => void;
  readonly changeTools: () => void;
  /** What the tool of the running call does besides. */
  during: () => Promise<void>;
};

const places = { prefix: "prefix", head: "head", turn: "turn", plain: "head" } as const;

function createWorld(): World {
  const random = createSeededRandom();
  const versions: Record<string, number> = { prefix: 1, head: 1, turn: 1, plain: 1 };
  const sources = Object.entries(places).map(
    ([name, place]): ContextSource => ({
      name,
      place,
      kind: name === "plain" ? "instruction" : "policy",
      read: () => {
        const version = versions[name] ?? 0;
        return [{ text: marker(name, version), origin: name, hash: String(version) }];
      },
    }),
  );
  const all = Array.from({ length: 12 }, (_, at) => {
    const tool = createTool({ name: `tool${at}` });
    return at % 3 === 0 ? { ...tool, searchHint: `far ${at}` } : tool;
  });
  let offered: readonly Tool[] = all.slice(0, 3);
  const listeners = new Set<() => void>();
  const world: World = {
    random,
    versions,
    sources,
    toolSources: [
      fixedToolSource({ name: "ours", kind: "built-in" }, () => [
        createTool({
          name: "act",
          run: async () => {
            await world.during();
            return { output: "acted", title: "" };
          },
        }),
      ]),
      {
        name: "server",
        kind: "mcp",
        open: () => ({
          tools: () => offered,
          subscribe(changed) {
            listeners.add(changed);
            return () => listeners.delete(changed);
          },
        }),
      },
    ],
    change() {
      const name = Object.keys(places)[random.below(4)] ?? "turn";
      versions[name] = (versions[name] ?? 0) + 1;
    },
    changeTools() {
      offered = random.shuffle(all).slice(0, random.below(all.length));
      for (const listener of listeners) listener();
    },
    during: async () => undefined,
  };
  return world;
}

function openWorld(world: World, store: ReturnType<typeof newStore>, boot: string): Site {
  let calls = 0;
  const turn = () => {
    const next = world.random.below(3);
    calls += 1;
    if (next === 0) return callOf(`${boot}-${calls}`, "act", { calls });
    if (next === 1) return callOf(`${boot}-${calls}`, "tool_search", { query: "far" });
    return answer(`Answer ${calls}. ${words(300)}`);
  };
  return openSite({
    store,
    boot,
    turns: Array.from({ length: 400 }, () => turn),
    summaries: Array.from({ length: 20 }, () => answer("## Goal\nShort.")),
    snapshots: mapSnapshots(new Map()),
    parts: { contextSources: world.sources, toolSources: world.toolSources },
  });
}

const textOf = ({ system, systemTail = "", messages }: ModelRequest) =>
  [system, systemTail, ...messages.map(canonicalJson)].join("\n");

/** What was said last is what holds now, and the conversation says nothing twice in a row. */
function expectTrue(request: ModelRequest, versions: World["versions"], mode: PermissionMode): void {
  const text = textOf(request);
  const conversation = request.messages.slice(1).map(canonicalJson).join("\n");
  for (const [name, version] of Object.entries(versions)) {
    const saidIn = (where: string) =>
      [...where.matchAll(new RegExp(`\\[${name} (\\d+)\\]`, "g"))].map(([, number]) => Number(number));
    expect([name, saidIn(text).at(-1)]).toEqual([name, version]);
    const said = saidIn(conversation);
    expect([name, said.filter((number, at) => said[at - 1] === number)]).toEqual([name, []]);
  }
  const plans = [...text.matchAll(/Plan mode is (on|over)/g)].map(([, word]) => word);
  if (mode === "plan") expect(plans.at(-1)).toBe("on");
  else expect(["over", undefined]).toContain(plans.at(-1));
  expect(plans.filter((word, at) => plans[at - 1] === word)).toEqual([]);
}

function expectBegun(before: ModelRequest, request: ModelRequest, { messages }: { readonly messages: boolean }): void {
  expect([request.system, request.systemTail]).toEqual([before.system, before.systemTail]);
  const tools = before.tools.map(canonicalJson);
  expect(request.tools.map(canonicalJson).slice(0, tools.length)).toEqual(tools);
  if (!messages) return;
  const said = before.messages.map(canonicalJson);
  expect(request.messages.map(canonicalJson).slice(0, said.length)).toEqual(said);
}

test.each(Array.from({ length: 6 }, (_, at) => ({ at })))("random session $at", async ({ at }) => {
  const world = createWorld();
  // Each of these sessions is another one, from the seed of the run.
  for (let skip = 0; skip < at * 97; skip += 1) world.random.next();
  const store = newStore();
  let boot = 1;
  let site = openWorld(world, store, `boot-${boot}`);
  await site.harness.open("bypass");
  let last: ModelRequest | undefined;
  let isReopened = false;
  let isMoved = false;
  const log: string[] = [];
  const modes: readonly PermissionMode[] = ["plan", "bypass", "default"];
  const send: Site["harness"]["engine"]["send"] = (command, given) => site.harness.engine.send(command, given);
  const changeMode = async () => {
    const mode = modes[world.random.below(3)] ?? "plan";
    log.push(mode);
    await send({ type: "mode.change", sessionId, mode });
  };
  const modeNow = () =>
    site.harness.engine.openSessions().find(({ state }) => state.sessionId === sessionId)?.state.mode;

  world.during = async () => {
    const choice = world.random.below(5);
    log.push(`during ${choice}`);
    if (choice === 0) world.change();
    if (choice === 1) world.changeTools();
    if (choice === 2) await changeMode();
    if (choice === 3) await send({ type: "prompt.submit", sessionId, text: "steer", delivery: "steer", options: {} });
  };

  for (let round = 0; round < 25; round += 1) {
    const choice = world.random.below(10);
    log.push(`${choice}`);
    if (choice === 0) world.change();
    if (choice === 1) world.changeTools();
    if (choice === 2) await changeMode();
    if (choice === 3) isMoved = (await send({ type: "session.undo", sessionId })).ok || isMoved;
    if (choice === 4) isMoved = (await send({ type: "session.redo", sessionId })).ok || isMoved;
    if (choice === 5) isMoved = (await send({ type: "context.compact", sessionId })).ok || isMoved;
    if (choice === 6) {
      const state = site.harness.engine.openSessions().find((open) => open.state.sessionId === sessionId)?.state;
      const ids = [...(state?.tree.keys() ?? [])];
      const entryId = ids[world.random.below(ids.length)];
      if (entryId !== undefined) isMoved = (await send({ type: "leaf.move", sessionId, entryId })).ok || isMoved;
    }
    if (choice === 7) {
      await site.harness.engine.close();
      boot += 1;
      site = openWorld(world, store, `boot-${boot}`);
      await site.harness.resume(sessionId, {});
      isReopened = true;
    }
    const asked = site.asked.length;
    const mode = modeNow();
    const versions = { ...world.versions };
    await site.harness.prompt(sessionId, `Prompt ${round} ${words(200)}`);
    for (const [index, request] of site.asked.slice(asked).entries()) {
      try {
        if (last !== undefined && !isReopened) expectBegun(last, request, { messages: !isMoved });
        if (index === 0) expectTrue(request, versions, mode ?? "default");
      } catch (error) {
        throw new Error(`after ${log.join(", ")}: ${error instanceof Error ? error.message : error}`, { cause: error });
      }
      last = request;
      isReopened = false;
      isMoved = false;
    }
  }
  await site.harness.engine.close();
});
