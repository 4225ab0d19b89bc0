/** Plans one replacement in a text: what the text becomes, or a sentence that lets the model repair its call. */
import { describePlaceholder, findPlaceholder } from "../placeholder.ts";
import type { Region } from "../similar-region.ts";
import { findMatch, type Match, type UnclearReason } from "./find-match.ts";
import type { StrategyName } from "./strategy.ts";
import { lineNumberAt } from "./text-lines.ts";

export type Replacement = {
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll?: boolean;
};

/** How the place was found. */
export type Finding = {
  readonly strategy: StrategyName;
  readonly similarity: number;
  readonly firstLine: number;
  readonly places: number;
};

export type PlannedReplacement =
  | { readonly ok: true; readonly after: string; readonly finding: Finding }
  | { readonly ok: false; readonly problem: string };

export type ReplacementOptions = { readonly filePath: string; readonly fuzzy: boolean };

export function planReplacement(
  text: string,
  replacement: Replacement,
  { filePath, fuzzy }: ReplacementOptions,
): PlannedReplacement {
  const placeholder = findPlaceholder(replacement.newString, replacement.oldString, text);
  if (placeholder !== undefined) return { ok: false, problem: describePlaceholder(filePath, placeholder) };
  const match = findMatch(text, replacement, { replaceAll: replacement.replaceAll === true, fuzzy });
  if (match.kind !== "matched") return { ok: false, problem: describeRefusal(match, filePath) };
  let after = "";
  let copied = 0;
  for (const { start, end, newText } of match.places) {
    after += text.slice(copied, start) + newText;
    copied = end;
  }
  after += text.slice(copied);
  if (after === text)
    return { ok: false, problem: `Nothing would change in ${filePath}: it reads like newString already.` };
  const firstLine = lineNumberAt(text, match.places[0]?.start ?? 0);
  const { strategy, similarity, places } = match;
  return { ok: true, after, finding: { strategy, similarity, firstLine, places: places.length } };
}

/** Undefined for exact text, of which there is nothing to tell. */
export function describeFinding({ strategy, firstLine, similarity }: Finding): string | undefined {
  if (strategy === "Simple" || strategy === "MultiOccurrence") return undefined;
  const alike = similarity < 1 ? `, ${Math.floor(similarity * 100)} % alike` : "";
  return `oldString was not exact; matched at line ${firstLine} by ${strategy}${alike}.`;
}

const shownLinesMax = 10;

function describeRefusal(match: Exclude<Match, { readonly kind: "matched" }>, filePath: string): string {
  switch (match.kind) {
    case "ambiguous": {
      const { lines, strategy } = match;
      const shown = lines.slice(0, shownLinesMax).join(", ") + (lines.length > shownLinesMax ? ", …" : "");
      const found = `${lines.length} times, at lines ${shown}.`;
      if (strategy === "MultiOccurrence") return `oldString occurs ${found} Add surrounding lines or set replaceAll.`;
      return `oldString is not in ${filePath} exactly and resembles it ${found} Copy the lines meant exactly, with lines around.`;
    }
    case "unclear":
      return `oldString is not in ${filePath} exactly, and ${unclearReasons[match.reason]} Copy it as it is, ${showRegion(match.region)}`;
    case "none": {
      const missing = `oldString was not found in ${filePath}; it must match exactly, including white space.`;
      return match.region === undefined ? missing : `${missing} Most similar, ${showRegion(match.region)}`;
    }
  }
}

const unclearReasons: { readonly [reason in UnclearReason]: string } = {
  differs: "differs from it in lines that newString changes.",
  indentation: "the indentation of newString cannot be determined from it.",
  escapes: "it cannot be determined whether newString is escaped like oldString.",
};

function showRegion({ line, text }: Region): string {
  return `from line ${line}:\n${text}`;
}
