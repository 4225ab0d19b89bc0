/** Cuts the hunks of a diff into test code and other code, by the language of the file. */
import { type DiffFile, type DiffHunk, type DiffLine, readUnifiedDiff } from "@kedge/protocol";
import { type LanguagePatterns, languagePatterns } from "./language-patterns.ts";
import { isTest } from "./path-kinds.ts";

export type ChangedSide = "added" | "removed";

export type HunkCode = {
  readonly path: string;
  readonly language: LanguagePatterns;
  readonly isNewFile: boolean;
  readonly tests: readonly DiffLine[];
  readonly implementation: readonly DiffLine[];
};

/** More of one call's change is not looked at. */
const diffCharactersMax = 64 * 1024;
/** Longer lines are written by programs; patterns see their beginning. */
const lineCharactersMax = 1_000;

export function readChange(diff: string): readonly DiffFile[] {
  return readUnifiedDiff(diff.slice(0, diffCharactersMax)).files.map((file) => ({
    ...file,
    hunks: file.hunks.map((hunk) => ({
      ...hunk,
      lines: hunk.lines.map((line) => ({ ...line, text: line.text.slice(0, lineCharactersMax) })),
    })),
  }));
}

export function hunksOf(file: DiffFile): readonly HunkCode[] {
  const path = pathOf(file);
  const language = languageOf(path);
  if (language === undefined) return [];
  return file.hunks.map((hunk) => ({
    path,
    language,
    isNewFile: file.oldPath === undefined,
    ...splitLines(hunk, language, { isTestFile: isTest(file.oldPath ?? path) }),
  }));
}

export function pathOf(file: DiffFile): string {
  return file.newPath ?? file.oldPath ?? "";
}

export function languageOf(path: string): LanguagePatterns | undefined {
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  return languagePatterns.find(({ extensions }) => extensions.includes(extension));
}

/** Some languages keep tests below the code in the same file: from the first sign of a test, the rest of a hunk is one. */
function splitLines(hunk: DiffHunk, language: LanguagePatterns, { isTestFile }: { readonly isTestFile: boolean }) {
  const lines = hunk.lines.filter(({ text }) => !language.comment.test(text));
  if (isTestFile || language.testCode.test(hunk.heading)) return { tests: lines, implementation: [] };
  const start = lines.findIndex(({ text }) => language.testCode.test(text));
  if (start < 0) return { tests: [], implementation: lines };
  return { tests: lines.slice(start), implementation: lines.slice(0, start) };
}

export function countLines(lines: readonly DiffLine[], kind: ChangedSide, pattern: RegExp): number {
  return lines.filter((line) => line.kind === kind && pattern.test(line.text)).length;
}

/** Lines of one side as a text, for patterns that span several. */
export function sideText(lines: readonly DiffLine[], kind: ChangedSide): string {
  return lines
    .filter((line) => line.kind === kind)
    .map(({ text }) => text)
    .join("\n");
}
