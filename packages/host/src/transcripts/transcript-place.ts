/** Where the files lie that sessions leave for other programs and for reading, and how they go with their session. */
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/** What may be kept of each session: a line per message for programs, and a text to read and search. */
export const transcriptForms = ["jsonl", "conversations"] as const;

export type TranscriptForm = (typeof transcriptForms)[number];

/** Names come from stored facts; anything else might lead out of the folder. */
const plainName = /^[\w-]{1,128}$/;

/** Also what a process was killed over while it wrote. */
const fileName = /^(ses_\w+)\.(?:jsonl|md)(\.\w+\.tmp)?$/;

export type TranscriptOwner = { readonly projectId: string; readonly sessionId: string };

/** Undefined for a session whose names are none of ours. */
export function transcriptPath(
  home: string,
  { projectId, sessionId }: TranscriptOwner,
  form: TranscriptForm,
): string | undefined {
  if (!plainName.test(projectId) || !plainName.test(sessionId)) return undefined;
  const folder = join(home, "projects", projectId);
  return form === "jsonl" ? join(folder, `${sessionId}.jsonl`) : join(folder, "conversations", `${sessionId}.md`);
}

/** Whatever the settings say now: the files may be of a time when they said otherwise. */
export function removeTranscripts(home: string, sessionId: string): void {
  for (const file of listTranscripts(home)) if (file.sessionId === sessionId) rmSync(file.path, { force: true });
}

export type KeptTranscript = {
  readonly sessionId: string;
  readonly path: string;
  readonly bytes: number;
  /** When it was last written, if it was not written to its end. */
  readonly unfinishedAt?: number;
};

export function listTranscripts(home: string): readonly KeptTranscript[] {
  const folders = projectsOf(home).flatMap((projectId) => {
    const folder = join(home, "projects", projectId);
    return [folder, join(folder, "conversations")];
  });
  return folders.flatMap((folder) =>
    (existsSync(folder) ? readdirSync(folder) : []).flatMap((name) => found(folder, name)),
  );
}

function found(folder: string, name: string): readonly KeptTranscript[] {
  const [, sessionId, unfinished] = fileName.exec(name) ?? [];
  const path = join(folder, name);
  const stats = sessionId === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  if (sessionId === undefined || stats === undefined) return [];
  const { size: bytes, mtimeMs } = stats;
  return [{ sessionId, path, bytes, ...(unfinished !== undefined && { unfinishedAt: mtimeMs }) }];
}

function projectsOf(home: string): readonly string[] {
  const folder = join(home, "projects");
  return existsSync(folder) ? readdirSync(folder).filter((name) => plainName.test(name)) : [];
}
