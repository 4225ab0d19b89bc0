/** Turns a unified diff, as tools make it, into pairs of old and new text that an editor shows. */
import { resolve } from "node:path";
import type { ToolCallContent } from "@agentclientprotocol/sdk";

const hunkHeader = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Lines with their ends; `left` is how many of each side are still to come. */
type Hunk = {
  readonly oldName: string | undefined;
  readonly newName: string | undefined;
  readonly old: string[];
  readonly new: string[];
  oldLeft: number;
  newLeft: number;
};

/** One pair for each hunk. Undefined for what is no whole diff: a text that was cut off would show a lie. */
export function diffContents(patch: string, cwd: string): readonly ToolCallContent[] | undefined {
  const hunks = readHunks(patch.split("\n"));
  if (hunks === undefined || hunks.length === 0 || hunks.some((hunk) => isOpen(hunk))) return undefined;
  return hunks.map((hunk) => ({
    type: "diff",
    path: resolve(cwd, hunk.newName ?? hunk.oldName ?? ""),
    oldText: hunk.oldName === undefined ? null : hunk.old.join(""),
    newText: hunk.new.join(""),
  }));
}

function readHunks(lines: readonly string[]): readonly Hunk[] | undefined {
  const hunks: Hunk[] = [];
  let oldName: string | undefined;
  let newName: string | undefined;
  for (const [index, line] of lines.entries()) {
    const hunk = hunks.at(-1);
    if (hunk !== undefined && (isOpen(hunk) || line.startsWith("\\"))) {
      if (!addLine(hunk, line, lines[index - 1] ?? "")) return undefined;
    } else if (line.startsWith("--- ")) oldName = nameOf(line);
    else if (line.startsWith("+++ ")) newName = nameOf(line);
    else if (line.startsWith("… ")) return undefined;
    else {
      const [header, oldCount = "1", newCount = "1"] = hunkHeader.exec(line) ?? [];
      if (header === undefined) continue;
      hunks.push({ oldName, newName, old: [], new: [], oldLeft: Number(oldCount), newLeft: Number(newCount) });
    }
  }
  return hunks;
}

function isOpen({ oldLeft, newLeft }: Hunk): boolean {
  return oldLeft + newLeft > 0;
}

/** False for a line that belongs to no hunk. */
function addLine(hunk: Hunk, line: string, before: string): boolean {
  const sign = line[0];
  if (sign === "\\") {
    if (before[0] !== "+") takeLineEnd(hunk.old);
    if (before[0] !== "-") takeLineEnd(hunk.new);
    return true;
  }
  if (sign !== "-" && sign !== "+" && sign !== " ") return false;
  if (sign !== "+") {
    hunk.old.push(`${line.slice(1)}\n`);
    hunk.oldLeft -= 1;
  }
  if (sign !== "-") {
    hunk.new.push(`${line.slice(1)}\n`);
    hunk.newLeft -= 1;
  }
  return true;
}

function takeLineEnd(side: string[]): void {
  const last = side.pop();
  if (last !== undefined) side.push(last.slice(0, -1));
}

/** Undefined for `/dev/null`. */
function nameOf(line: string): string | undefined {
  const name = line.slice("--- ".length).replace(/\t.*$/, "");
  return name === "/dev/null" ? undefined : name.replace(/^[ab]\//, "");
}
