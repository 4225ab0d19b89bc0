/** Topics as the model sees them when they are recalled: cut, marked with who said them, and with their age. */
import type { ContextBlock } from "@kedge/protocol";
import { startWithinBytes } from "../fence/fence-item.ts";
import { readContents, recallableTopics, type StoredTopic } from "../topics/contents/contents.ts";
import { digestOf } from "../topics/contents/ledger.ts";
import { readFileSet } from "../topics/directory/file-set.ts";

const linesMax = 200;
const bytesMax = 4_096;
const dayMs = 86_400_000;

export type RecalledParts = {
  readonly directory: string;
  /** Takes out secrets and marks. */
  readonly clean: (text: string) => string;
  readonly nowMs: number;
};

/** In the order of the files. One that waits for the user, is suspicious or was superseded is left out. */
export function recalledBlocks(
  files: readonly string[],
  { directory, clean, nowMs }: RecalledParts,
): readonly ContextBlock[] {
  const topics = recallableTopics(readContents(readFileSet(directory, files), clean));
  return files.flatMap((file) => {
    const stored = topics.find(({ path }) => path === file);
    return stored === undefined ? [] : [blockOf(stored, nowMs)];
  });
}

function blockOf({ topic, path, sessionId }: StoredTopic, nowMs: number): ContextBlock {
  const { name, description, body, origin, updated, status, disputes } = topic;
  const lines = `${name}: ${description}\n\n${body}`.split("\n");
  const short = startWithinBytes(lines.slice(0, linesMax).join("\n"), bytesMax);
  const isCut = short.length < lines.join("\n").length;
  const notes = [
    ...(isCut ? [`[cut: read ${path} in the memory directory for the rest]`] : []),
    ...(status === "disputed" ? [`[disputed by ${disputes.join(", ")}: ask the user which one is right]`] : []),
    ...ageNote(updated, nowMs),
  ];
  const text = [...notes, short].join("\n");
  return {
    text,
    origin: path,
    hash: digestOf(text),
    marks: {
      kind: "topic",
      by: origin,
      ...(updated !== "" && { saved: updated }),
      ...(sessionId !== undefined && { session: sessionId }),
    },
  };
}

function ageNote(day: string, nowMs: number): readonly string[] {
  const days = Math.floor((nowMs - Date.parse(`${day}T00:00:00Z`)) / dayMs);
  if (day === "" || days < 1) return [];
  const age = days === 1 ? "1 day" : `${days} days`;
  return [`[saved ${age} ago: verify what it says about code before you rely on it]`];
}
