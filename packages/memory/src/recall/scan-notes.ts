/** Finds the topics that could be recalled, by the heads of their files alone. */
import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { slugOfFile, type TopicType } from "../topics/topic/topic.ts";
import { readTopic } from "../topics/topic/topic-file.ts";

export type ScannedNote = {
  /** `test-runner.md` */
  readonly file: string;
  readonly type: TopicType;
  readonly name: string;
  readonly description: string;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
};

const filesMax = 200;
const headLinesMax = 30;
const headBytesMax = 16_384;

/** The newest first. A directory or a file that cannot be read has nothing to recall. */
export function scanNotes(directory: string, clean: (text: string) => string): readonly ScannedNote[] {
  const files = topicFiles(directory).flatMap((file) => {
    const stats = statSync(join(directory, file), { throwIfNoEntry: false });
    return stats?.isFile() ? [{ file, changedAt: stats.mtimeMs }] : [];
  });
  const newest = files.sort((one, other) => other.changedAt - one.changedAt).slice(0, filesMax);
  return newest.flatMap(({ file, changedAt }) => {
    const head = headOf(join(directory, file));
    if (head === undefined) return [];
    const { topic } = readTopic(slugOfFile(file) ?? file, clean(head), "agent-inferred");
    const { name, description, type, status } = topic;
    return status === "superseded" ? [] : [{ file, name, description, type, changedAt }];
  });
}

function topicFiles(directory: string): readonly string[] {
  try {
    return readdirSync(directory).filter((name) => slugOfFile(name) !== undefined);
  } catch (error) {
    if (isOfFileSystem(error)) return [];
    throw error;
  }
}

function headOf(path: string): string | undefined {
  try {
    const file = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(headBytesMax);
      const length = readSync(file, bytes, 0, headBytesMax, 0);
      return bytes.toString("utf8", 0, length).split("\n").slice(0, headLinesMax).join("\n");
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (isOfFileSystem(error)) return undefined;
    throw error;
  }
}

function isOfFileSystem(error: unknown): boolean {
  return error instanceof Error && "code" in error;
}
