/** A session in auto mode whose working model and whose classifier are both scripted. */
import type { ModelRequest, Need, Tool, Workspace } from "@kedge/protocol";
import { createScriptedProvider, type ScriptedAnswer, textAnswer } from "@kedge/testing";
import type { EngineParts } from "../../src/index.ts";
import { call, calls, createHarness, type Harness, type HarnessOptions, type ScriptedTurn, say } from "../harness.ts";
import { readPlainCommands } from "../judge-cases.ts";

export const yes = textAnswer(
  '{"matches":true,"confidence":"high","matchedDescription":"testing the project","verdict":"allow"}',
);
export const no = textAnswer('{"matches":false,"confidence":"high","matchedDescription":"nothing","verdict":"ask"}');
export const nonsense = textAnswer("Well.");

export type AutoSession = {
  readonly harness: Harness;
  /** What the tool was run with. */
  readonly ran: readonly string[];
  /** What the classifier was asked. */
  readonly asked: readonly ModelRequest[];
};

export type AutoOptions = HarnessOptions & {
  readonly classifier: readonly ScriptedAnswer[];
  readonly workspace?: Partial<Workspace>;
};

export function openAuto({ classifier, workspace, parts, ...options }: AutoOptions): AutoSession {
  const worker = createScriptedProvider(options.turns ?? []);
  const judge = createScriptedProvider(classifier);
  const ran: string[] = [];
  const models: EngineParts["models"] = {
    find: async (ref) => {
      const provider = ref === "mock/judge" ? judge : worker;
      const model = { ref, provider: "mock", id: ref.slice(5), contextTokens: 100_000, outputTokensMax: 8_000 };
      return { ok: true, model, provider };
    },
    cost: (_, usage) => ({ usd: (usage.input + usage.output * 5) / 1_000_000, estimated: false }),
  };
  const harness = createHarness({
    tools: [createRunTool(ran)],
    ...options,
    parts: {
      models,
      autoMode: { allow: [], softDeny: [], environment: [], model: "mock/judge" },
      workspace: { ...plainWorkspace, ...workspace },
      ...parts,
    },
  });
  return { harness, ran, asked: judge.requests };
}

/** Calls `run` once for each command, one per turn, and then stops. */
export function running(...commands: readonly string[]): readonly ScriptedTurn[] {
  return [...commands.map((command, index) => calls(call(`c${index + 1}`, "run", { command }))), say("Done.")];
}

const plainWorkspace: Workspace = {
  cwd: "/project",
  root: "/project",
  projectId: "project-1",
  lookAtPath: (path) => ({ place: path.startsWith("/project") ? "inside" : "outside", otherNames: [] }),
  analyseShell: readPlainCommands,
  isProtected: (path) => path.endsWith("/.envrc"),
  home: "/home/dev",
  kedgeHome: "/home/dev/.kedge",
};

type RunInput = { readonly command: string };

/** `edit <path>` and `read <path>` state a file, anything else a shell command. */
function needOf(command: string): Need {
  const [verb = "", path = ""] = command.split(" ");
  const need = { patterns: [command], always: [command] };
  if (verb !== "edit" && verb !== "read") return { ...need, permission: "bash", access: "execute" };
  const access = verb === "edit" ? "write" : "read";
  return { permission: verb, patterns: [path], always: [path], access, paths: [path] };
}

function createRunTool(ran: string[]): Tool {
  return {
    name: "run",
    description: "runs",
    inputSchema: { type: "object" },
    resultCharactersMax: 1_000,
    parse: (input) => ({ ok: true, input }),
    // Every input of this tool is written by the scripts above.
    needs: (input) => [needOf((input as RunInput).command)],
    readOnly: () => false,
    concurrencySafe: () => false,
    run: async (input) => {
      ran.push((input as RunInput).command);
      return { output: "OUTPUT OF THE TOOL", title: "run" };
    },
  };
}
