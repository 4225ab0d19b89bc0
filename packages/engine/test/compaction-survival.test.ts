/** Proves, one by one, what a conversation must not lose when a summary that forgets all of it takes over. */
import type { FileState, Job, Jobs, Tool } from "@kedge/protocol";
import { expect, test } from "vitest";
import {
  answer,
  callOf,
  compactAt,
  compactions,
  fileTools,
  newFileState,
  openSite,
  recordIn,
  type Site,
  type SiteOptions,
  words,
} from "./compaction-site.ts";
import { call, calls, createTool } from "./harness.ts";

/** Says nothing of what matters. */
const forgetful = "## Goal\nSomething was done.";

const compact = (site: Site) => site.harness.engine.send({ type: "context.compact", sessionId: "ses_1" });

const filler = (text: string) => answer(`${text} ${words(1_000)}`);

const recordAfter = (site: Site) => recordIn(site.asked.at(-1));

/** Work, a turn that stays, the summary, and one more turn. */
async function forgotten(options: SiteOptions, ...prompts: readonly string[]): Promise<Site> {
  const site = openSite({ summaries: [answer(forgetful), answer(forgetful)], ...options });
  await site.harness.open(options.compaction === undefined ? "bypass" : "default");
  for (const text of prompts) await site.harness.prompt("ses_1", text);
  expect(await compact(site)).toMatchObject({ ok: true });
  await site.harness.prompt("ses_1", "Go on");
  return site;
}

test("instructions and constraints of the user stay in the user's own words, over two summaries", async () => {
  const site = await forgotten(
    { turns: [filler("One."), filler("Two."), answer("Three."), filler("Four."), filler("Five."), answer("Six.")] },
    "Mend the parser. Never touch the lexer.",
    "And use tabs.",
    "Three",
  );
  expect(recordAfter(site)).toMatch(/<user-words>[\s\S]*Never touch the lexer\.\n\nAnd use tabs\.\n<\/user-words>/);
  await site.harness.prompt("ses_1", "Five");
  await compact(site);
  await site.harness.prompt("ses_1", "Six");
  expect(compactions(site.harness.facts())).toHaveLength(2);
  expect(recordAfter(site)).toMatch(/Never touch the lexer\.\n\nAnd use tabs\.\n\nThree\n\nGo on\n<\/user-words>/);
});

test("under pressure only what was meant is kept, and the words of earlier turns are not repeated", async () => {
  const output =
    "FAILED tests/test_a.py::test_total - assert 3 == 42\nE   assert 3 == 42\n1 failed, 2 passed in 0.1s\n";
  const command = "pytest -q";
  const shell: Tool = {
    ...createTool({ name: "bash", readOnly: false }),
    needs: () => [{ permission: "bash", patterns: [command], always: [command], access: "execute" }],
    run: async () => ({ output, title: command, metadata: { exitCode: 1 } }),
  };
  const diff = "--- a/a.py\n+++ b/a.py\n@@ -1,1 +1,1 @@\n-x = 1\n+x = 2";
  const editor: Tool = {
    ...createTool({ name: "edit", readOnly: false }),
    needs: () => [{ permission: "edit", patterns: ["a.py"], always: ["*"], access: "write", paths: ["/project/a.py"] }],
    run: async () => ({ output: "edited", title: "a.py", metadata: { diff } }),
  };
  const work = ["bash", "edit", "bash", "edit", "bash"].map((tool, index) =>
    callOf(`c${index}`, tool, { step: index }, index === 4 ? compactAt : 100),
  );
  const site = openSite({
    tools: [shell, editor],
    turns: [filler("One."), answer("Two."), ...work, answer("Three.")],
    summaries: [answer(forgetful)],
  });
  await site.harness.open("bypass");
  await site.harness.prompt("ses_1", "Mend it at last, you useless thing!");
  await site.harness.prompt("ses_1", "Two");
  await site.harness.prompt("ses_1", "Make the tests pass");
  const [fact] = compactions(site.harness.facts());
  expect(fact?.boundary["pressure"]).toBe("elevated");
  expect(recordIn(site.summaries[0])).toContain("The session was under pressure.");
  expect(recordAfter(site)).not.toContain("useless thing");
  expect(site.harness.facts().findLast(({ type }) => type === "run.ended")).toMatchObject({ pressure: "elevated" });
});

test("the mode goes on, and planning is said again", async () => {
  const enter: Tool = {
    ...createTool({ name: "plan_enter" }),
    run: async (_, { planning }) => {
      await planning.enter();
      return { output: "You are planning now.", title: "" };
    },
  };
  const site = await forgotten(
    { tools: [enter], turns: [callOf("a", "plan_enter", {}), filler("One."), answer("Two."), answer("Three.")] },
    "Plan it",
    "Two",
  );
  expect(recordAfter(site)).toContain("Permission mode: plan.");
  const said = site.asked.at(-1)?.messages.flatMap((message) => (message.role === "user" ? [message.text] : [])) ?? [];
  expect(said.filter((text) => text.includes("change nothing but plan files in .kedge/plans"))).toHaveLength(1);
  expect(compactions(site.harness.facts())[0]?.boundary["mode"]).toBe("plan");
});

test("what the user permitted stays permitted", async () => {
  const change = createTool({ name: "change", readOnly: false, permission: "edit" });
  const site = openSite({
    tools: [change],
    interactive: true,
    turns: [
      calls(call("a", "change", {})),
      filler("One."),
      answer("Two."),
      calls(call("b", "change", {})),
      answer("Three."),
    ],
    summaries: [answer(forgetful)],
  });
  await site.harness.open("default");
  const first = site.harness.prompt("ses_1", "One");
  const { requestId } = await site.harness.waitForFact("permission.asked");
  await site.harness.engine.send({ type: "permission.answer", sessionId: "ses_1", requestId, reply: "session" });
  await first;
  await site.harness.prompt("ses_1", "Two");
  expect(await compact(site)).toMatchObject({ ok: true });
  await site.harness.prompt("ses_1", "Three");
  const outcomes = site.harness.facts().flatMap((fact) => (fact.type === "tool.ended" ? [fact.outcome] : []));
  expect(outcomes).toEqual(["completed", "completed"]);
  expect(site.harness.facts().filter(({ type }) => type === "permission.asked")).toHaveLength(1);
});

test("the list of what is to be done is shown again", async () => {
  const todos = [
    { content: "mend the parser", status: "completed", priority: "high" },
    { content: "write the test", status: "in_progress", priority: "low" },
  ] as const;
  const plan: Tool = {
    ...createTool({ name: "todo_write" }),
    run: async (_, context) => {
      await context.todos.replace(todos);
      return { output: "ok", title: "" };
    },
  };
  const site = await forgotten(
    { tools: [plan], turns: [callOf("a", "todo_write", {}), filler("One."), answer("Two."), answer("Three.")] },
    "One",
    "Two",
  );
  expect(recordAfter(site)).toContain("To do:\n- [completed] mend the parser\n- [in_progress] write the test");
  expect(compactions(site.harness.facts())[0]?.boundary["todos"]).toEqual(todos);
});

test("tools that were found are in every request, and the boundary names them", async () => {
  const hidden: Tool = { ...createTool({ name: "notebook_edit" }), searchHint: "cells jupyter" };
  const site = await forgotten(
    {
      tools: [createTool({ name: "read" }), hidden],
      turns: [callOf("a", "tool_search", { query: "jupyter" }), filler("One."), answer("Two."), answer("Three.")],
    },
    "One",
    "Two",
  );
  expect(site.asked.at(-1)?.tools.map(({ name }) => name)).toEqual(["read", "tool_search", "notebook_edit"]);
  expect(compactions(site.harness.facts())[0]?.boundary).toMatchObject({
    preCompactDiscoveredTools: ["notebook_edit"],
    announcedTools: ["read", "tool_search", "notebook_edit"],
  });
});

test("tools found before and between three summaries stay in their order, and every boundary names all of them", async () => {
  const hidden = ["one", "two", "three"].map((name): Tool => ({ ...createTool({ name }), searchHint: name }));
  const found = (name: string) => callOf(name, "tool_search", { query: `select:${name}` });
  const site = await forgotten(
    {
      tools: [createTool({ name: "read" }), ...hidden],
      turns: [
        ...[found("three"), filler("One."), answer("Two."), found("one"), filler("Three."), answer("Four.")],
        ...[found("two"), filler("Five."), answer("Six."), answer("Seven.")],
      ],
      summaries: [answer(forgetful), answer(forgetful), answer(forgetful)],
    },
    "One",
    "Two",
  );
  for (const text of ["Four", "Five"]) {
    await compact(site);
    await site.harness.prompt("ses_1", text);
  }
  const boundaries = compactions(site.harness.facts()).map(({ boundary }) => boundary["preCompactDiscoveredTools"]);
  expect(boundaries).toEqual([["three"], ["one", "three"], ["one", "three"]]);
  const carried = site.asked.map(({ tools }) => tools.map(({ name }) => name));
  for (const [at, names] of carried.entries()) {
    expect(names.slice(0, carried[at - 1]?.length ?? 0)).toEqual(carried[at - 1] ?? []);
  }
  expect(carried.at(-1)).toEqual(["read", "tool_search", "three", "one", "two"]);
});

test("instructions and what memory added to them stand in the same bytes", async () => {
  const prompt = {
    override: "SYSTEM",
    append: "Memory: the user likes tabs.",
    platform: "linux",
    shell: "bash",
    isGitRepository: false,
    today: () => "2026-01-01",
  };
  const site = await forgotten(
    { turns: [filler("One."), answer("Two."), answer("Three.")], parts: { prompt } },
    "One",
    "Two",
  );
  const [first, last] = [site.asked[0], site.asked.at(-1)];
  expect([last?.system, last?.systemTail]).toEqual([first?.system, first?.systemTail]);
  expect(last?.systemTail).toContain("likes tabs");
});

test("agents that can be written to are named again, and those of kedge itself are not", async () => {
  const site = openSite({
    turns: [filler("One."), filler("Two."), answer("Three."), answer("On.")],
    summaries: [answer(forgetful)],
  });
  await site.harness.open("bypass");
  const [open] = site.harness.engine.openSessions();
  const started = (agentId: string, more: object) =>
    open?.record({ type: "agent.started", ...{ agentId, agent: "explore", description: "Look", depth: 1 }, ...more });
  await started("ses_scout", { name: "scout" });
  await started("ses_hook", { agent: "hook", isQuiet: true });
  for (const text of ["Begin", "Two", "Three"]) await site.harness.prompt("ses_1", text);
  expect(await compact(site)).toMatchObject({ ok: true });
  await site.harness.prompt("ses_1", "Go on");
  expect(recordAfter(site)).toContain("Agents:\n- scout (ses_scout), explore: Look [running]");
  expect(recordAfter(site)).not.toContain("ses_hook");
});

test("jobs that run are named again", async () => {
  const job: Job = {
    jobId: "job_1",
    command: "npm run dev",
    status: "running",
    startedAtMs: 0,
    durationMs: 0,
    artifact: 1,
  };
  const jobs: Jobs = {
    start: () => ({ ok: false, problem: "" }),
    adopt: () => ({ ok: false, problem: "" }),
    find: () => job,
    list: () => [job, { ...job, jobId: "job_0", status: "completed" }],
    takeOutput: () => "",
    waitForEnd: async () => undefined,
    watch: () => undefined,
    kill: async () => undefined,
    takeEnded: () => [],
    close: async () => undefined,
  };
  const turns = [filler("One."), answer("Two."), answer("Three.")];
  const site = await forgotten({ turns, parts: { newJobs: () => jobs } }, "One", "Two");
  expect(recordAfter(site)).toContain("Background jobs that still run:\n- job_1: npm run dev\n</present-state>");
  expect(compactions(site.harness.facts())[0]?.boundary["openJobs"]).toEqual([
    { jobId: "job_1", command: "npm run dev" },
  ]);
});

const rules = [
  {
    source: "user",
    rules: [
      { permission: "edit", pattern: "*", action: "allow" },
      { permission: "secret_file", pattern: "*", action: "allow" },
      { permission: "read", pattern: "/project/closed/*", action: "deny" },
    ],
  },
] as const;

/** Every file that is read, then the summary, then an edit of each. */
async function editAfter(names: readonly string[], kept: readonly string[], disk: Map<string, string>): Promise<Site> {
  const reads = names.map((filePath, index) => callOf(`r${index}`, "read", { filePath }));
  const keptReads = kept.map((filePath, index) => callOf(`k${index}`, "read", { filePath }));
  const edited = [...names, ...kept];
  const edits = edited.map((filePath, index) => callOf(`e${index}`, "edit", { filePath }));
  const states: FileState[] = [];
  return forgotten(
    {
      tools: fileTools(disk),
      rules,
      turns: [...reads, filler("One."), ...keptReads, answer("Two."), ...edits, answer("Three.")],
      compaction: {
        readFile: async (path) => {
          const text = disk.get(path);
          return text === undefined ? undefined : { text, contentHash: text };
        },
      },
      parts: {
        newFileState: () => {
          const state = newFileState();
          states.push(state);
          return state;
        },
      },
    },
    "One",
    "Two",
  );
}

const restoredPaths = (site: Site) =>
  [...recordAfter(site).matchAll(/<restored-file path="(.*?)">/g)].map(([, path]) => path);

test("the five files used last are shown again and may be edited; others must be read first", async () => {
  const names = ["a.ts", "b.ts", "c.ts", "d.ts", "e.ts", "f.ts", "g.ts"];
  const disk = new Map([...names, "kept.ts"].map((name) => [`/project/${name}`, `content of ${name}`]));
  const site = await editAfter(names, ["kept.ts"], disk);
  expect(restoredPaths(site)).toEqual(["g", "f", "e", "d", "c"].map((name) => `/project/${name}.ts`));
  expect(recordAfter(site)).toContain("content of g.ts\n</restored-file>");
  const edits = site.harness
    .facts()
    .flatMap((fact) => (fact.type === "tool.ended" && fact.tool === "edit" ? [fact] : []));
  expect(edits.map(({ output }) => output)).toEqual([
    ...["read it first", "read it first"],
    ...["edited", "edited", "edited", "edited", "edited"],
    "edited",
  ]);
});

test("files that are gone, secret, forbidden or outside are not shown again, and long ones only in part", async () => {
  const disk = new Map([
    ["/project/.env", "TOKEN=1"],
    ["/project/closed/plan.txt", "closed"],
    ["/project/../other/far.ts", "far"],
    ["/project/long.ts", words(20_000, "line\n")],
    ["/project/near.ts", "near hunter2"],
  ]);
  const site = await editAfter(
    [".env", "closed/plan.txt", "../other/far.ts", "gone.ts", "long.ts", "near.ts"],
    [],
    disk,
  );
  expect(restoredPaths(site)).toEqual(["/project/near.ts", "/project/long.ts"]);
  expect(recordAfter(site)).toContain("near [REDACTED:password]");
  expect(recordAfter(site).length).toBeLessThan(20_000);
});

test("the plan is shown again beside five other files", async () => {
  const names = [".kedge/plans/parser.md", "a.ts", "b.ts", "c.ts", "d.ts", "e.ts", "f.ts"];
  const disk = new Map(names.map((name) => [`/project/${name}`, `content of ${name}`]));
  const site = await editAfter(names, [], disk);
  expect(restoredPaths(site)).toEqual(
    [".kedge/plans/parser.md", "f.ts", "e.ts", "d.ts", "c.ts", "b.ts"].map((name) => `/project/${name}`),
  );
  expect(compactions(site.harness.facts())[0]?.boundary["planFile"]).toBe("/project/.kedge/plans/parser.md");
});
