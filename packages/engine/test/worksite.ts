/** A session with a shell and an editor whose results a test decides, and a short way to write down all of its facts. */
import type { Fact, Json, PermissionReply, Tool } from "@kedge/protocol";
import { call, calls, createHarness, type Harness, type HarnessOptions, type ScriptedTurn, say } from "./harness.ts";

export type ShellResult = { readonly output: string; readonly exitCode: number };

export type Worksite = {
  readonly harness: Harness;
  /** Commands and paths, in the order in which they were run or edited. */
  readonly ran: readonly string[];
};

export type WorksiteOptions = Omit<HarnessOptions, "tools" | "turns"> & {
  readonly shell?: (command: string) => ShellResult;
  readonly turns: readonly ScriptedTurn[];
};

const quiet: ShellResult = { output: "", exitCode: 0 };

export function openWorksite({ shell = () => quiet, ...options }: WorksiteOptions): Worksite {
  const ran: string[] = [];
  return {
    ran,
    harness: createHarness({ ...options, tools: [createShell(ran, shell), createEditor(ran), fetchTool] }),
  };
}

type ShellInput = { readonly command: string };

function createShell(ran: string[], shell: (command: string) => ShellResult): Tool<unknown> {
  return {
    ...plain("bash"),
    // Every input of these tools is written by the scripts below.
    needs: (input) => {
      const { command } = input as ShellInput;
      return [{ permission: "bash", patterns: [command], always: [command], access: "execute" }];
    },
    run: async (input) => {
      const { command } = input as ShellInput;
      ran.push(command);
      const { output, exitCode } = shell(command);
      return { output, title: command, metadata: { exitCode } };
    },
  };
}

type EditInput = { readonly path: string; readonly lines: readonly string[] };

function createEditor(ran: string[]): Tool<unknown> {
  return {
    ...plain("edit"),
    needs: (input) => {
      const { path } = input as EditInput;
      return [{ permission: "edit", patterns: [path], always: ["*"], access: "write", paths: [`/project/${path}`] }];
    },
    run: async (input) => {
      const { path, lines } = input as EditInput;
      ran.push(path);
      const removed = lines.filter((line) => !line.startsWith("+")).length;
      const added = lines.filter((line) => !line.startsWith("-")).length;
      const diff = [`--- a/${path}`, `+++ b/${path}`, `@@ -1,${removed} +1,${added} @@`, ...lines].join("\n");
      return { output: "edited", title: path, metadata: { diff } };
    },
  };
}

/** Several of its calls run, and ask, at once. */
const fetchTool: Tool<unknown> = {
  ...plain("fetch"),
  needs: (input) => {
    const { page } = input as { readonly page: string };
    return [{ permission: "webfetch", patterns: [page], always: [`${page.split("/")[0]}/*`], access: "network" }];
  },
  readOnly: () => true,
  concurrencySafe: () => true,
};

function plain(name: string): Tool<unknown> {
  return {
    name,
    description: name,
    inputSchema: { type: "object" },
    resultCharactersMax: 5_000,
    parse: (input) => ({ ok: true, input }),
    needs: () => [],
    readOnly: () => false,
    concurrencySafe: () => false,
    run: async (input) => ({ output: `${name} ${JSON.stringify(input)}`, title: name }),
  };
}

/** One call per turn, called c1, c2 and so on, and then the end. */
export function working(...work: readonly (readonly [tool: string, input: Json])[]): readonly ScriptedTurn[] {
  return [...work.map(([tool, input], index) => calls(call(`c${index + 1}`, tool, input))), say("Done.")];
}

export const bash = (command: string) => ["bash", { command }] as const;
export const edit = (path: string, ...lines: readonly string[]) => ["edit", { path, lines: [...lines] }] as const;

/** Answers the questions about permission in this order, and gives back the first one that is not answered. */
export async function answerAll(
  { engine, waitForFact }: Harness,
  sessionId: string,
  replies: readonly (PermissionReply | { readonly rejectWith: string })[],
): Promise<void> {
  for (const [index, reply] of replies.entries()) {
    const { requestId } = await waitForFact("permission.asked", index + 1);
    const answer = typeof reply === "string" ? { reply } : { reply: "reject" as const, message: reply.rejectWith };
    await engine.send({ type: "permission.answer", sessionId, requestId, ...answer });
  }
}

/** Every fact in order: a word for what any run has, and what it says for the rest. */
export function story(facts: readonly Fact[]): readonly unknown[] {
  return facts.map((fact) => {
    switch (fact.type) {
      case "prompt.admitted":
        return `prompt: ${fact.text}`;
      case "step.started":
        return fact.reminders.length === 0 ? `step ${fact.turn}` : { step: fact.turn, reminders: fact.reminders };
      case "step.ended":
        return fact.outcome;
      case "tool.started":
        return `${fact.callId} allowed by ${fact.decision?.source}: ${fact.decision?.reason}`;
      case "tool.ended":
        return fact.decision === undefined
          ? `${fact.callId} ${fact.outcome}`
          : { call: fact.callId, refused: fact.decision.reason, by: fact.decision.source };
      case "permission.asked": {
        const { type: _, stepId: __, requestId: ___, tool: ____, permission: _____, ...rest } = fact;
        const { inputText: ______, ...question } = rest;
        return question;
      }
      case "permission.answered": {
        const grants = fact.grants.map(({ permission, pattern }) => `${permission} ${pattern}`);
        const { callId, reply, source } = fact;
        return { answerTo: callId, reply, source, ...(grants.length > 0 && { grants }) };
      }
      case "run.ended": {
        const { reason, denials, pressure } = fact;
        return {
          ended: reason,
          denied: denials.map(({ callId }) => callId),
          ...(pressure !== undefined && { pressure }),
        };
      }
      default:
        return fact;
    }
  });
}
