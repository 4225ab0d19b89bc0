/** The record of every run of a workflow: one small file each, replaced as a whole. */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readWorkflowRecord, type WorkflowRecord } from "@kedge/agents/workflows";
import { replaceFile } from "../machine/replace-file.ts";

export type WorkflowRecords = {
  /** Newest first. */
  list(): readonly WorkflowRecord[];
  find(runId: string): WorkflowRecord | undefined;
  write(record: WorkflowRecord): void;
};

const ownerOnly = 0o700;
const ending = ".json";
const runIdForm = /^wfr_[\w-]{1,64}$/;

export function openWorkflowRecords(directory: string): WorkflowRecords {
  const read = (runId: string) => {
    try {
      const record = readWorkflowRecord(JSON.parse(readFileSync(join(directory, runId + ending), "utf8")));
      return record?.runId === runId ? record : undefined;
    } catch {
      // None of that name, or not one of ours.
      return undefined;
    }
  };
  return {
    list: () =>
      namesIn(directory)
        .flatMap((name) => (name.endsWith(ending) ? (read(name.slice(0, -ending.length)) ?? []) : []))
        .toSorted((left, right) => right.startedAt - left.startedAt),
    find: (runId) => (runIdForm.test(runId) ? read(runId) : undefined),
    write(record) {
      mkdirSync(directory, { recursive: true, mode: ownerOnly });
      replaceFile(join(directory, record.runId + ending), `${JSON.stringify(record)}\n`);
    },
  };
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    // Nothing ran yet.
    return [];
  }
}
