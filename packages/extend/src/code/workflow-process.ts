/** Runs the file of a workflow, or of a single function, in a process of its own, and answers what it asks for while it works. */
import type { Json, JsonObject } from "@kedge/protocol";
import type { CodePlace, Work } from "./code-messages.ts";
import { type CodeReply, openCodeProcess, type WorkOptions } from "./code-process.ts";
import type { CodeEnvironment } from "./start-code.ts";

export type WorkflowProcessParts = {
  readonly file: string;
  /** Nothing outside of it may be loaded, where there are no digests. */
  readonly root: string;
  /** SHA-256 in hex of every file that may be loaded, by absolute real path. */
  readonly digests?: ReadonlyMap<string, string>;
  readonly place: CodePlace;
  readonly zodUrl: string;
  readonly environment: CodeEnvironment;
  readonly args: Json;
  readonly onLog: (level: string, text: string) => void;
  /** Answers `agent`, `phase` and `log`. It never throws. */
  readonly onWish: (name: string, value: JsonObject) => Promise<Json | undefined>;
};

const loadMsMax = 10_000;
const dayMs = 24 * 60 * 60 * 1_000;

/** The value of the reply is what the workflow returned. Its process and everything it started ends with it. */
export async function runWorkflowProcess(parts: WorkflowProcessParts, signal: AbortSignal): Promise<CodeReply> {
  const { args, onWish } = parts;
  return runOnce(parts, { kind: "workflow", args }, { timeoutMs: dayMs, signal, onWish });
}

export type FunctionProcessParts = Omit<WorkflowProcessParts, "args" | "onWish"> & {
  /** Handed to the default export of the file. */
  readonly value: Json;
  readonly timeoutMs: number;
};

/** The value of the reply is what the default export of the file returned. */
export async function runFunctionProcess({ value, timeoutMs, ...parts }: FunctionProcessParts): Promise<CodeReply> {
  return runOnce(parts, { kind: "function", value }, { timeoutMs });
}

type OneWork = Extract<Work, { readonly kind: "workflow" | "function" }>;
type ProcessParts = Omit<WorkflowProcessParts, "args" | "onWish">;

async function runOnce(parts: ProcessParts, work: OneWork, options: WorkOptions): Promise<CodeReply> {
  const { file, root, digests, place, zodUrl, environment, onLog } = parts;
  const opened = openCodeProcess({ cwd: place.cwd, environment, onLog, onModule: () => undefined });
  if ("problem" in opened) return { ok: false, kind: "failed", problem: opened.problem };
  try {
    const loaded = await opened.load(
      {
        ...{ type: "load", file, kind: work.kind, root, reportsPackages: false, zodUrl, place },
        ...(digests !== undefined && { digests: [...digests] }),
      },
      loadMsMax,
    );
    if (!loaded.ok) return loaded;
    return await opened.work(work, options);
  } finally {
    opened.end();
  }
}
