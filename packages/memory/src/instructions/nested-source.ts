/** Names the instruction files below the working directory, which join only when a file beside them is touched. */
import type { ContextBlock, ContextSource, SessionState } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { directoriesBelow } from "./directories-below.ts";
import { filesAt, localFilesAt } from "./discover.ts";
import type { InstructionParts } from "./instruction-parts.ts";
import { shownPath, withoutVersion } from "./render-entries.ts";

const opening = withoutVersion(textBeside(import.meta.url, "./nested-files.md")).trimEnd();

const pathsMax = 20;
const pathCharactersMax = 200;

/** Looks once at the start of a session and after a summary: what was said stays true, and costs nothing between. */
export function createNestedSource(parts: InstructionParts): ContextSource {
  let boundary: string | undefined;
  let blocks: readonly ContextBlock[] = [];
  return {
    name: "nested instructions",
    kind: "instruction",
    place: "head",
    read({ state }) {
      const start = startOf(state);
      if (start !== boundary) {
        boundary = start;
        const text = parts.isTrusted() ? pointersTo(nestedFiles(parts), parts) : undefined;
        blocks = text === undefined ? [] : [{ text, origin: "nested instructions" }];
      }
      return blocks;
    },
  };
}

/** Files and rules, nearest directories first. */
function nestedFiles({ places }: InstructionParts): readonly string[] {
  return directoriesBelow(places.cwd).flatMap((directory) =>
    [...filesAt(directory, places), ...localFilesAt(directory)].map(({ path }) => path),
  );
}

function pointersTo(paths: readonly string[], { places }: InstructionParts): string | undefined {
  if (paths.length === 0) return undefined;
  const shown = paths.slice(0, pathsMax).map((path) => `- ${shownPath(path, places).slice(0, pathCharactersMax)}`);
  const more = paths.length - shown.length;
  return [opening, ...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}

function startOf({ items: [first] }: SessionState): string {
  return first?.type === "compaction" ? first.id : "";
}
