/** What an import would do: the files it would write, and a note for everything it leaves. */
import type { ImportNote } from "../findings.ts";

export const importedAgents = ["claude", "opencode", "codex", "gemini", "omp"] as const;

export type ImportedAgent = (typeof importedAgents)[number];

export type PlannedFile = {
  /** Absolute. */
  readonly path: string;
  /** As shown to people. */
  readonly name: string;
  /** What is there now; absent for a new file. */
  readonly before?: Buffer;
  readonly after: Buffer;
  /** Of a new file. */
  readonly mode: number;
  /** A unified diff, or one line about a file that is no text. */
  readonly diff: string;
  readonly isLocal: boolean;
};

export type ImportPlan = {
  readonly agent: ImportedAgent;
  /** Folders and files of the agent that are there, as shown to people. */
  readonly found: readonly string[];
  readonly files: readonly PlannedFile[];
  readonly notes: readonly ImportNote[];
};
