/** Refuses an edit whose tag does not fit the file, and shows what stands now at the places it named. */
import { describeMismatch } from "./guidance.ts";
import { type LineRange, linesOf } from "./lines.ts";
import type { Operation } from "./operations.ts";
import { tagRow } from "./render-tagged.ts";
import type { VersionStore } from "./versions.ts";

const contextLines = 2;

type Named = {
  readonly path: string;
  readonly name: string;
  readonly tag: string;
  readonly operations: readonly Operation[];
};

/** What is shown counts as read, so that the edit can be repeated at once. */
export function refuseMismatch(
  kind: "drifted" | "unknown",
  { path, name, tag, operations }: Named,
  present: string,
  versions: VersionStore,
): { readonly ok: false; readonly problem: string } {
  const lines = linesOf(present);
  const ranges = placesOf(operations, lines.length);
  const version = versions.record(path, present, ranges);
  if (version === undefined) return { ok: false, problem: describeMismatch("tooLarge", { path: name }) };
  const rows = ranges.map(({ first, last }) =>
    lines
      .slice(first - 1, last)
      .map((line, index) => tagRow(first + index, line))
      .join("\n"),
  );
  const shown = rows.length === 0 ? "(the file is empty)" : rows.join("\n…\n");
  return { ok: false, problem: describeMismatch(kind, { path: name, tag, present: version.tag, rows: shown }) };
}

/** Both ends of each range with their surroundings; what touches is made one. */
function placesOf(operations: readonly Operation[], lineCount: number): readonly LineRange[] {
  if (lineCount === 0) return [];
  const anchors = operations.flatMap((operation) => anchorsOf(operation, lineCount));
  const sorted = anchors.map((line) => Math.min(Math.max(line, 1), lineCount)).sort((a, b) => a - b);
  const places: LineRange[] = [];
  for (const line of sorted) {
    const first = Math.max(1, line - contextLines);
    const last = Math.min(lineCount, line + contextLines);
    const above = places.at(-1);
    if (above !== undefined && first <= above.last + 1) places[places.length - 1] = { first: above.first, last };
    else places.push({ first, last });
  }
  return places;
}

function anchorsOf(operation: Operation, lineCount: number): readonly number[] {
  switch (operation.kind) {
    case "replace":
      return [operation.first, operation.last];
    case "insert":
    case "block":
      return [operation.line];
    case "edge":
      return [operation.verb === "INS.HEAD" ? 1 : lineCount];
  }
}
