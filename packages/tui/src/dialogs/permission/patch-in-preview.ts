/** The patch in what a person is shown of a call, and the words around it. */
import { type DiffFile, readUnifiedDiff } from "@kedge/protocol";

export type PreviewPatch = {
  readonly patch: string;
  readonly files: readonly DiffFile[];
  readonly path: string;
  readonly beside: string;
};

const patchBegin = /^(?:--- |diff )/m;
const patchLine = /^[-+ @\\]/;

/** Undefined where there is none, and for a patch with a line that would not be drawn. */
export function patchInPreview(preview = ""): PreviewPatch | undefined {
  const at = preview.search(patchBegin);
  if (at < 0 || !/^@@ /m.test(preview)) return undefined;
  const lines = preview.slice(at).trimEnd().split("\n");
  const end = lines.findLastIndex((line) => patchLine.test(line)) + 1;
  const patch = lines.slice(0, end).join("\n");
  const { files, isWhole } = readUnifiedDiff(patch);
  if (!isWhole) return undefined;
  const beside = [preview.slice(0, at).trimEnd(), ...lines.slice(end)].filter((text) => text !== "").join("\n");
  return { patch: `${patch}\n`, files, path: files[0]?.newPath ?? files[0]?.oldPath ?? "", beside };
}
