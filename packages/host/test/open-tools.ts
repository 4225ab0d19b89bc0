/** The built-in tools on a temporary directory, judged as in a session in which nobody answers. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createReadRights, judge } from "@kedge/engine";
import type { PermissionRule, RuleSet, Tool, ToolContext, ToolOutput } from "@kedge/protocol";
import { createLookAtPath } from "@kedge/sandbox";
import { createRedactorDouble } from "@kedge/testing";
import {
  createArtifacts,
  createFileState,
  createGrammars,
  createJobs,
  createOutputSink,
  createTaskList,
  createTools,
  findRipgrep,
  openCodeIndex,
} from "@kedge/tools";

export type OpenTools = ReturnType<typeof openTools>;

export function openTools() {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "kedge-open-tools-")));
  const root = join(top, "project");
  const home = join(top, "home");
  const place = { root, cwd: root, home, kedgeHome: join(home, ".kedge") };
  mkdirSync(root);
  const grammars = createGrammars();
  const ripgrep = { ripgrepPath: findRipgrep, childEnvironment: () => ({ PATH: process.env["PATH"] ?? "" }) };
  const index = { path: join(top, "index.db"), grammars, isSecret: () => false, now: () => performance.now() };
  const tools = createTools({
    ...ripgrep,
    shellPath: "/bin/bash",
    now: () => 0,
    wallClockMs: () => 0,
    isInside: () => true,
    grammars,
    tasks: createTaskList({ path: join(top, "tasks.json") }),
    web: { judgeAddress: () => ({ verdict: "block", why: "there is no web here" }) },
    editing: { fuzzyMatch: true, fuzzyThreshold: 0.95, blockGenerated: true, recovery: true },
    reading: { defaultLimit: 2_000, summarize: true },
    isBashOffered: false,
    pollWait: "smart",
    codeIndex: openCodeIndex({ ...ripgrep, ...index }),
    offersCheckpoints: false,
  });
  const artifacts = createArtifacts({ directory: join(top, "artifacts"), redactor: createRedactorDouble() });

  function tool(name: string): Tool {
    const found = tools.find((one) => one.name === name);
    if (found === undefined) throw new Error(`no tool ${name}`);
    return found;
  }

  function session(rules: readonly PermissionRule[]) {
    const lookAtPath = createLookAtPath({ ...place, added: [] });
    const sets: readonly RuleSet[] = [{ source: "user", rules }];
    const settings = { rules: sets, grants: [], mode: "default" } as const;
    const workspace = { ...place, lookAtPath };
    const reading = createReadRights({ workspace, rules: sets, grants: () => [], mode: () => "default" });
    const openArtifact = () => artifacts.create("test");
    const sink = { headBytes: 6_000, tailBytes: 4_000, onProgress: () => undefined, now: () => 0, openArtifact };
    const context: ToolContext = {
      callId: "call",
      cwd: root,
      signal: new AbortController().signal,
      files: createFileState(),
      reading,
      fence: async (text) => ({ text, isSuspicious: false }),
      sink: createOutputSink(sink),
      editMode: "replace",
      artifacts,
      jobs: createJobs({ now: () => 0 }),
      todos: { list: () => [], replace: async () => undefined },
      dialogue: { ask: async () => undefined },
      planning: { mode: () => "default", enter: async () => undefined, leave: async () => undefined },
      children: { run: async () => [] },
      addresses: { schemes: [], read: () => undefined, names: () => undefined, write: () => undefined },
      upkeep: { format: async () => undefined, diagnose: async () => [] },
      checkpoints: { current: () => undefined, open: async () => undefined, rewind: async () => undefined },
      isShown: () => true,
    };
    return {
      reading,
      /** Undefined where the call is refused or would ask. */
      async run(name: string, input: object): Promise<ToolOutput | undefined> {
        const called = tool(name);
        const parsed = called.parse(input);
        if (!parsed.ok) return undefined;
        const needs = called.needs(parsed.input, root);
        const call = { tool: name, needs, readOnly: called.readOnly(parsed.input), cwd: root };
        const { verdict } = judge(call, { ...place, ...settings, lookAtPath });
        const problem = await called.validate?.(parsed.input, context);
        if (problem === undefined) await called.preview?.(parsed.input, context);
        return verdict === "allow" && problem === undefined ? called.run(parsed.input, context) : undefined;
      },
      /** As after a yes of the user. */
      async runAnyway(name: string, input: object): Promise<ToolOutput | undefined> {
        const parsed = tool(name).parse(input);
        return parsed.ok ? tool(name).run(parsed.input, context) : undefined;
      },
    };
  }

  return {
    top,
    root,
    place,
    session,
    at: (name: string) => join(root, name),
    put(name: string, content: string): void {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), content);
    },
    /** Empties the project. */
    clear(): void {
      rmSync(root, { recursive: true, force: true });
      mkdirSync(root);
    },
    close: () => rmSync(top, { recursive: true, force: true }),
  };
}
