/** What a session is told of instruction files while it goes on: changes, deeper files, rules, a summary. */
import { rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import {
  type ContextBlock,
  type ContextSource,
  type ConversationItem,
  emptySession,
  type SessionState,
} from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createInstructionSources } from "../src/instructions/index.ts";
import { type GivenParts, type InstructionSite, openInstructionSite } from "./instruction-site.ts";

let site: InstructionSite;
beforeEach(() => {
  site = openInstructionSite();
});
afterEach(() => site[Symbol.dispose]());

/** Reads the sources as the builder does: what is shown is remembered per source. */
function openSession(given: GivenParts = {}) {
  const sources = createInstructionSources(site.parts(given));
  const shown = new Map<string, string>();
  const state: SessionState = emptySession("ses_1");
  // The model is none that these sources look at.
  const session = (source: ContextSource, isStart: boolean) =>
    ({ state, shown: (origin: string) => (isStart ? undefined : shown.get(`${source.name} ${origin}`)) }) as never;
  const news = (isStart: boolean): readonly string[] =>
    sources.flatMap((source) => {
      if (isStart !== (source.place === "head") && isStart) return [];
      const blocks: readonly ContextBlock[] = source.read(session(source, isStart));
      return blocks.flatMap(({ origin, hash, text }) => {
        const key = `${source.name} ${origin}`;
        if (hash === undefined || shown.get(key) === hash) return [];
        shown.set(key, hash);
        return [text];
      });
    });
  return {
    state,
    start: () => news(true),
    step: () => news(false),
    say(promptId: string, text = "") {
      state.items.push({ type: "prompt", id: promptId, text, form: "prompt" });
    },
    read(path: string, outcome: "completed" | "refused" = "completed") {
      const inputText = JSON.stringify({ filePath: path });
      const id = `${state.items.length}`;
      const answer: ConversationItem = {
        type: "answer",
        id,
        stepId: id,
        model: "m",
        content: [{ type: "tool-call", callId: id, tool: "read", inputText }],
      };
      const results: ConversationItem = {
        type: "results",
        id: `r${id}`,
        stepId: id,
        results: [{ callId: id, tool: "read", outcome, output: "" }],
      };
      state.items.push(answer, results);
    },
    compact(id: string) {
      shown.clear();
      state.items = [{ type: "compaction", id, summary: "", restored: [] }];
    },
  };
}

function touch(path: string): void {
  const later = new Date(statSync(path).mtimeMs + 5_000);
  utimesSync(path, later, later);
}

test("files are looked at once with every prompt, and a change is told once", () => {
  const path = site.put("AGENTS.md", "One.");
  const session = openSession();
  session.say("p1");
  expect(session.start().join()).toContain("One.");
  expect(session.step()).toEqual([]);
  site.put("AGENTS.md", "Two.");
  touch(path);
  expect(session.step()).toEqual([]);
  session.say("p2");
  expect(session.step()).toEqual([expect.stringMatching(/^AGENTS\.md has changed\.[\s\S]*Two\./)]);
  expect(session.step()).toEqual([]);
  rmSync(path);
  session.say("p3");
  expect(session.step()).toEqual(["AGENTS.md no longer exists. What it said no longer counts."]);
  site.put("AGENTS.md", "Three.");
  session.say("p4");
  expect(session.step()).toEqual([expect.stringContaining("Three.")]);
});

test("a file that appears while the session is open joins with the next prompt", () => {
  const session = openSession();
  session.say("p1");
  expect(session.start()).toEqual([]);
  site.put("CLAUDE.md", "New.");
  session.say("p2");
  expect(session.step()).toEqual([expect.stringContaining("New.")]);
});

test("deeper files join once, with the first file below them that was read, and again after a summary", () => {
  site.put("a/b/AGENTS.md", "Deep.");
  site.put("a/CLAUDE.md", "Less deep.");
  const session = openSession();
  session.say("p1");
  session.start();
  session.read("a/b/refused.ts", "refused");
  session.read("/elsewhere/x.ts");
  expect(session.step()).toEqual([]);
  session.read("a/b/x.ts:10-20");
  expect(session.step()).toEqual([expect.stringContaining("Less deep."), expect.stringContaining("Deep.")]);
  session.read("a/b/y.ts");
  expect(session.step()).toEqual([]);
  session.compact("c1");
  expect(session.step()).toEqual([]);
  session.read(join(site.root, "a/b/y.ts"));
  expect(session.step()).toHaveLength(2);
});

test("after a summary the start is read from the disk again", () => {
  site.put("AGENTS.md", "One.");
  const session = openSession();
  session.say("p1");
  session.start();
  site.put("AGENTS.md", "Two.");
  session.compact("c1");
  const again = session.start().join();
  expect(again).toContain("Two.");
  expect(again).not.toContain("has changed");
});

test("a rule waits for a file of its kind, also for one that the next prompt speaks of", () => {
  site.put(".kedge/rules/ts.md", "---\npaths: 'src/**/*.ts'\n---\nStrict.");
  const session = openSession();
  session.state.queue.push({ promptId: "p1", runId: "r1", delivery: "follow-up", text: "look at README.md" });
  expect(session.start()).toEqual([]);
  expect(session.step()).toEqual([]);
  session.state.queue.push({ promptId: "p2", runId: "r2", delivery: "steer", text: "and @src/a/b.ts." });
  expect(session.step()).toEqual([expect.stringMatching(/^A rule for files that match src[\s\S]*Strict\./)]);
  expect(session.step()).toEqual([]);
});

test("sticky rules are told again with every prompt", () => {
  site.put(".kedge/RULES.md", "Rule.");
  const session = openSession();
  session.say("p1");
  session.start();
  expect(session.step()).toEqual([expect.stringContaining("Rule.")]);
  expect(session.step()).toEqual([]);
  session.say("p2");
  expect(session.step()).toEqual([expect.stringContaining("Rule.")]);
});

test("what an agent changed unasked stays data: the old text stands, and nothing is taken back", () => {
  const path = site.put("AGENTS.md", "Old.");
  let isUnaccepted = false;
  const session = openSession({ isUnaccepted: () => isUnaccepted });
  session.say("p1");
  session.start();
  site.put("AGENTS.md", "By the agent.");
  isUnaccepted = true;
  touch(path);
  session.say("p2");
  expect(session.step()).toEqual(["By the agent."]);
  rmSync(path);
  session.say("p3");
  expect(session.step()).toEqual([]);
});
