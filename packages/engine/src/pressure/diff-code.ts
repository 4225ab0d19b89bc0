/** Cuts the hunks of a diff into test code and other code, by the language of the file. */
import { type LanguagePatterns, languagePatterns } from "./language-patterns.ts";
import { isTest } from "./path-kinds.ts";
import type { DiffFile, DiffHunk, DiffLine } from "./unified-diff.ts";

export type HunkCode = {
  readonly path: string;
  readonly language: LanguagePatterns;
  readonly isNewFile: boolean;
  readonly tests: readonly DiffLine[];
  readonly implementation: readonly DiffLine[];
};

export function hunksOf(file: DiffFile): readonly HunkCode[] {
  const path = pathOf(file);
  const language = languageOf(path);
  if (language === undefined) return [];
  return file.hunks.map((hunk) => ({
    path,
    language,
    isNewFile: file.before === undefined,
    ...splitLines(hunk, language, { isTestFile: isTest(file.before ?? path) }),
  }));
}

export function pathOf(file: DiffFile): string {
  return file.after ?? file.before ?? "";
}

export function languageOf(path: string): LanguagePatterns | undefined {
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  return languagePatterns.find(({ extensions }) => extensions.includes(extension));
}

/** Some languages keep tests below the code in the same file: from the first sign of a test, the rest of a hunk is one. */
function splitLines(hunk: DiffHunk, language: LanguagePatterns, { isTestFile }: { readonly isTestFile: boolean }) {
  const lines = hunk.lines.filter(({ text }) => !language.comment.test(text));
  if (isTestFile || language.testCode.test(hunk.header)) return { tests: lines, implementation: [] };
  const start = lines.findIndex(({ text }) => language.testCode.test(text));
  if (start < 0) return { tests: [], implementation: lines };
  return { tests: lines.slice(start), implementation: lines.slice(0, start) };
}

export function countLines(lines: readonly DiffLine[], sign: "+" | "-", pattern: RegExp): number {
  return lines.filter((line) => line.sign === sign && pattern.test(line.text)).length;
}

/** Lines of one side as a text, for patterns that span several. */
export function sideText(lines: readonly DiffLine[], sign: "+" | "-"): string {
  return lines
    .filter((line) => line.sign === sign)
    .map(({ text }) => text)
    .join("\n");
}
