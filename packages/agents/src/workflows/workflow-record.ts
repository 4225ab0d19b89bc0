/** What is kept of one run of a workflow, so that it can be shown and resumed later. */
import { isJsonObject, type Json } from "@kedge/protocol";

const workflowStatuses = ["running", "completed", "failed", "stopped"] as const;

export type WorkflowStatus = (typeof workflowStatuses)[number];

export type WorkflowRecord = {
  readonly runId: string;
  /** The session whose agents are its steps. */
  readonly sessionId: string;
  readonly name: string;
  readonly file: string;
  /** SHA-256 of the file when the run was last started. */
  readonly digest: string;
  readonly args: Json;
  /** A run whose process ended without a word still says `running`. */
  readonly status: WorkflowStatus;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly result?: Json;
  /** Why it did not complete, as a sentence. */
  readonly problem?: string;
};

/** Undefined for what nobody here wrote. */
export function readWorkflowRecord(value: unknown): WorkflowRecord | undefined {
  if (!isJsonObject(value)) return undefined;
  const { runId, sessionId, name, file, digest, status, startedAt, endedAt, result, problem } = value;
  const texts = [runId, sessionId, name, file, digest];
  const known = workflowStatuses.find((each) => each === status);
  if (!texts.every((each) => typeof each === "string") || known === undefined || typeof startedAt !== "number") {
    return undefined;
  }
  const [run, session, called, path, hash] = texts as string[];
  return {
    ...{ runId: run ?? "", sessionId: session ?? "", name: called ?? "", file: path ?? "", digest: hash ?? "" },
    // It was read from JSON.
    args: (value["args"] ?? null) as Json,
    ...{ status: known, startedAt },
    ...(typeof endedAt === "number" && { endedAt }),
    ...(result !== undefined && { result: result as Json }),
    ...(typeof problem === "string" && { problem }),
  };
}
