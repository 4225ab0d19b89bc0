/** A temporary directory with all tools bound to it, for the tests of this package. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ReadRights, Todo, Tool, ToolContext, ToolOutput } from "@kedge/protocol";
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
  type ShellGraces,
} from "../src/index.ts";

export type Workshop = ReturnType<typeof openWorkshop>;

/** Short enough that no test waits, long enough that a polite process can end. */
const shellGraces: ShellGraces = { timeoutMs: 200, abortMs: 200, drainMs: 50, killMs: 500 };

export const everythingReadable: ReadRights = { of: () => ({ answer: "allow" }), below: () => () => true };

export function openWorkshop() {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-tools-")));
  const files = createFileState();
  const artifacts = createArtifacts({ directory: join(directory, ".artifacts"), redactor: createRedactorDouble() });
  const jobs = createJobs({ now: () => Date.now(), graceMs: 200 });
  let todos: readonly Todo[] = [];
  const tools = createTools({
    ripgrepPath: findRipgrep,
    shellPath: "/bin/bash",
    childEnvironment: () => ({ PATH: process.env["PATH"] ?? "", CANARY: "from the environment" }),
    now: () => 0,
    wallClockMs: () => Date.now(),
    isInside: () => true,
    grammars: createGrammars(),
    tasks: createTaskList({ path: join(directory, ".tasks.json") }),
    web: { judgeAddress: () => ({ verdict: "block", why: "there is no web here" }) },
    editing: { fuzzyMatch: true, fuzzyThreshold: 0.95, blockGenerated: true, recovery: true },
    reading: { defaultLimit: 2_000, summarize: true },
    isBashOffered: true,
    pollWait: "smart",
    searchRecords: async () => [],
    codeIndex: openCodeIndex({
      path: join(directory, ".index.db"),
      ripgrepPath: findRipgrep,
      childEnvironment: () => ({ PATH: process.env["PATH"] ?? "" }),
      grammars: createGrammars(),
      isSecret: () => false,
      now: () => performance.now(),
    }),
    offersCheckpoints: true,
    shellGraces,
  });
  const tool = (name: string): Tool => {
    const found = tools.find((candidate) => candidate.name === name);
    if (found === undefined) throw new Error(`no tool ${name}`);
    return found;
  };
  const newContext = (signal = new AbortController().signal): ToolContext => ({
    callId: `call-${Math.random()}`,
    cwd: directory,
    signal,
    files,
    reading: everythingReadable,
    sink: createOutputSink({
      headBytes: 6_000,
      tailBytes: 4_000,
      onProgress: () => undefined,
      now: () => 0,
      openArtifact: () => artifacts.create("test"),
    }),
    editMode: "replace",
    artifacts,
    jobs,
    todos: {
      list: () => todos,
      replace: async (list) => {
        todos = list;
      },
    },
    dialogue: { ask: async () => undefined },
    planning: { mode: () => "default", enter: async () => undefined, leave: async () => undefined },
    children: { run: async () => [] },
    addresses: { schemes: [], read: () => undefined, names: () => undefined, write: () => undefined },
    upkeep: { format: async () => undefined, diagnose: async () => [] },
    checkpoints: { current: () => undefined, open: async () => undefined, rewind: async () => undefined },
    isShown: () => true,
    fence: async (text) => ({ text, isSuspicious: text.includes("IGNORE ALL PREVIOUS") }),
  });
  const parsed = (name: string, input: unknown): unknown => {
    const result = tool(name).parse(input);
    if (!result.ok) throw new Error(result.report);
    return result.input;
  };
  return {
    directory,
    files,
    artifacts,
    jobs,
    tools,
    tool,
    newContext,
    at: (name: string) => join(directory, name),
    put(name: string, content: string | Buffer): string {
      const path = join(directory, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      return path;
    },
    text: (name: string) => readFileSync(join(directory, name), "utf8"),
    run: (name: string, input: unknown, context = newContext()): Promise<ToolOutput> =>
      tool(name).run(parsed(name, input), context),
    validate: async (name: string, input: unknown): Promise<string | undefined> =>
      tool(name).validate?.(parsed(name, input), newContext()),
    preview: async (name: string, input: unknown): Promise<string | undefined> =>
      tool(name).preview?.(parsed(name, input), newContext()),
    close: () => rmSync(directory, { recursive: true, force: true }),
  };
}
