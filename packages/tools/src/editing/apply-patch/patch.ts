/** What a patch says, whatever form it was written in. */

export type HunkLine = {
  readonly kind: "keep" | "remove" | "add";
  readonly text: string;
  /** The patch says that this is the last line of its file and that no line ending follows. */
  readonly endsFile?: true;
};

export type Hunk = {
  /** As it was written; empty if the hunk began without one. */
  readonly header: string;
  /** Lines above the hunk that say where it belongs, the outermost first. */
  readonly anchors: readonly string[];
  /** Where the hunk says it begins, counted from 1. A hint: models count badly. */
  readonly statedLine?: number;
  readonly lines: readonly HunkLine[];
  /** The hunk says that it reaches the end of the file. */
  readonly atEnd: boolean;
};

export type FilePatch =
  | { readonly kind: "add"; readonly path: string; readonly text: string }
  | { readonly kind: "update"; readonly path: string; readonly moveTo?: string; readonly hunks: readonly Hunk[] }
  /** Where there are hunks they must take away everything that is in the file. */
  | { readonly kind: "delete"; readonly path: string; readonly hunks: readonly Hunk[] };

/** The problem is a sentence for the model. */
export type ParsedPatch =
  | { readonly ok: true; readonly files: readonly FilePatch[] }
  | { readonly ok: false; readonly problem: string };

export function refusePatch(lineIndex: number, problem: string): ParsedPatch {
  return { ok: false, problem: `Line ${lineIndex + 1} of the patch: ${problem}` };
}

const quotedCharactersMax = 80;

export function quoteLine(line: string): string {
  return line.length > quotedCharactersMax ? `"${line.slice(0, quotedCharactersMax)}…"` : `"${line}"`;
}

/** How errors name a hunk, counted from 1 in its file. */
export function nameHunk(path: string, index: number, { header }: { readonly header: string }): string {
  return header === "" ? `Hunk ${index + 1} of ${path}` : `Hunk ${index + 1} of ${path} (${quoteLine(header)})`;
}
