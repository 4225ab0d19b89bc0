/** Writes the hits of a search for the model: their code from the disk, best first, as much as may be shown. */
import { join } from "node:path";
import { loadText } from "../file-content.ts";
import { shortPath } from "../tool-path.ts";
import type { Hit } from "./find-chunks.ts";

export type ShownHits = { readonly text: string; readonly shown: number };

export type HitView = {
  readonly root: string;
  readonly cwd: string;
  readonly charactersMax: number;
};

const lineCharactersMax = 300;
/** A piece of a hit that is smaller is not worth its heading. */
const rowsMin = 5;

export function showHits(hits: readonly Hit[], { root, cwd, charactersMax }: HitView): ShownHits {
  const blocks: string[] = [];
  let left = charactersMax;
  for (const hit of hits) {
    const loaded = loadText(join(root, hit.path));
    // It went away or became something else since it was indexed.
    if (loaded.kind !== "text") continue;
    const heading = `${shortPath(join(root, hit.path), cwd)}:${hit.first}-${hit.last}${hit.symbol && ` ${hit.symbol}`}`;
    const note = loaded.contentHash === hit.contentHash ? "" : " (the file has changed since it was indexed)";
    const block = fitRows(heading + note, rowsOf(hit, loaded.text), left);
    if (block === undefined) break;
    blocks.push(block);
    left -= block.length + 1;
  }
  return { text: blocks.join("\n"), shown: blocks.length };
}

function rowsOf({ first, last }: Hit, text: string): readonly string[] {
  return text
    .split("\n")
    .slice(first - 1, last)
    .map((line, index) => `  ${first + index}:${cut(line.replace(/\r$/, ""))}`);
}

/** The heading with all rows or with the first of them; undefined if there is no room. */
function fitRows(heading: string, rows: readonly string[], charactersMax: number): string | undefined {
  const ending = (count: number) => (count < rows.length ? `\n  … ${rows.length - count} more lines` : "");
  let block = heading;
  for (const [count, row] of rows.entries()) {
    const rest = count + 1 < rows.length ? ending(count + 1).length : 0;
    if (block.length + 1 + row.length + rest > charactersMax)
      return count < rowsMin ? undefined : block + ending(count);
    block += `\n${row}`;
  }
  return block.length > charactersMax ? undefined : block;
}

function cut(line: string): string {
  return line.length > lineCharactersMax ? `${line.slice(0, lineCharactersMax).toWellFormed()}…` : line;
}
