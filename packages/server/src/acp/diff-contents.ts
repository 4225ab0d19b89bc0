/** Turns a unified diff, as tools make it, into pairs of old and new text that an editor shows. */
import { resolve } from "node:path";
import type { ToolCallContent } from "@agentclientprotocol/sdk";
import { type DiffHunk, type DiffLine, readUnifiedDiff } from "@kedge/protocol";

/** One pair for each hunk. Undefined for what is no whole diff: a text that was cut off would show a lie. */
export function diffContents(patch: string, cwd: string): readonly ToolCallContent[] | undefined {
  const { files, isComplete } = readUnifiedDiff(patch);
  const contents = files.flatMap(({ oldPath, newPath, hunks }) =>
    hunks.map(
      (hunk): ToolCallContent => ({
        type: "diff",
        path: resolve(cwd, newPath ?? oldPath ?? ""),
        oldText: oldPath === undefined ? null : textOf(hunk, "removed"),
        newText: textOf(hunk, "added"),
      }),
    ),
  );
  return isComplete && contents.length > 0 ? contents : undefined;
}

/** One side of the hunk: the lines that both have, and those that only this one has. */
function textOf({ lines }: DiffHunk, own: DiffLine["kind"]): string {
  return lines
    .filter(({ kind }) => kind === "context" || kind === own)
    .map(({ text, isUnended }) => (isUnended ? text : `${text}\n`))
    .join("");
}
