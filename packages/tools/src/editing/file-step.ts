/** One step of a change of files: what is written where, in the form in which it can be undone. */
import { byteOrderMark, type TextFile } from "../file-content.ts";

/** Paths are free of symbolic links, texts are without byte order mark. */
export type FileStep =
  | { readonly kind: "create"; readonly path: string; readonly after: string }
  | { readonly kind: "replace"; readonly path: string; readonly before: TextFile; readonly after: string }
  | {
      readonly kind: "move";
      readonly path: string;
      readonly before: TextFile;
      readonly target: string;
      readonly after: string;
    }
  | { readonly kind: "remove"; readonly path: string; readonly before: TextFile };

/** A step that leaves a file behind. */
export type WritingStep = Exclude<FileStep, { kind: "remove" }>;

export function isWriting(step: FileStep): step is WritingStep {
  return step.kind !== "remove";
}

/** Where the file is afterwards. */
export function targetOf(step: WritingStep): string {
  return step.kind === "move" ? step.target : step.path;
}

export function contentOf(step: WritingStep): string {
  return step.kind === "create" ? step.after : withMark(step.before, step.after);
}

export function withMark({ hasByteOrderMark }: TextFile, text: string): string {
  return hasByteOrderMark ? byteOrderMark + text : text;
}
