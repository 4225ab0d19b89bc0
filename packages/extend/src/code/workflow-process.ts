/** Runs the file of a workflow in a process of its own, and answers what it asks for while it works. */
import type { Json, JsonObject } from "@kedge/protocol";
import type { CodePlace } from "./code-messages.ts";
import { type CodeReply, openCodeProcess } from "./code-process.ts";
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
  const { file, root, digests, place, zodUrl, environment, args, onLog, onWish } = parts;
  const opened = openCodeProcess({ cwd: place.cwd, environment, onLog, onModule: () => undefined });
  if ("problem" in opened) return { ok: false, kind: "failed", problem: opened.problem };
  try {
    const loaded = await opened.load(
      {
        ...{ type: "load", file, kind: "workflow", root, reportsPackages: false, zodUrl, place },
        ...(digests !== undefined && { digests: [...digests] }),
      },
      loadMsMax,
    );
    if (!loaded.ok) return loaded;
    return await opened.work({ kind: "workflow", args }, { timeoutMs: dayMs, signal, onWish });
  } finally {
    opened.end();
  }
}
