/** Says what an edit by line numbers did: fresh headers and a short diff for the model, whole diffs for people and clients. */
import type { JsonObject, ToolOutput } from "@kedge/protocol";
import { diffTexts } from "../file-diff.ts";
import { warningLines } from "../report-change-set.ts";
import { renderCompactDiff } from "./compact-diff.ts";
import { describeNoop, describeRecovery, describeRecoveryAhead, describeWarning } from "./guidance.ts";
import { linesOf, normaliseText } from "./lines.ts";
import type { PreparedFile } from "./prepare-edit.ts";
import { tagHeader } from "./render-tagged.ts";
import type { VersionStore } from "./versions.ts";

export function titleOf(files: readonly PreparedFile[]): string {
  return files.map(({ name }) => name).join(", ");
}

/** Records the new versions, whose tags the model needs for its next edit. */
export async function reportEdit(
  files: readonly PreparedFile[],
  warnings: readonly string[],
  versions: VersionStore,
): Promise<ToolOutput> {
  const changed = files.filter(hasEffect);
  const reports = await Promise.all(changed.map((file) => reportFile(file, versions)));
  const unchanged = files.filter((file) => !hasEffect(file));
  const allWarnings = [
    ...warnings,
    ...files.flatMap((file) => file.warnings),
    ...unchanged.map(({ name }) => describeWarning("unchanged", { path: name })),
  ];
  const results = reports.map(({ result }) => result);
  const [first] = results;
  return {
    output: [...reports.map(({ text }) => text), ...warningLines(allWarnings)].join("\n"),
    title: titleOf(files),
    metadata: {
      ...first,
      diff: reports.map(({ diff }) => diff).join("\n"),
      ...(results.length > 1 && { perFileResults: results }),
    },
  };
}

export function hasEffect({ before, after }: PreparedFile): boolean {
  return before.text !== after;
}

type FileReport = { readonly text: string; readonly diff: string; readonly result: JsonObject };

async function reportFile(file: PreparedFile, versions: VersionStore): Promise<FileReport> {
  const { path, name, before, after, changes, recovery, echoes } = file;
  const version = versions.recordEdit(path, { before: before.text, after, changes });
  const diff = await diffTexts(name, before.text, after);
  const rows = [
    version === undefined ? name : tagHeader(name, version.tag),
    ...(recovery === undefined || version === undefined
      ? []
      : [describeRecovery(recovery, { old: file.tag, tag: version.tag })]),
    ...echoes,
    renderCompactDiff(linesOf(normaliseText(before.text)), changes),
  ];
  return {
    text: rows.filter((row) => row !== "").join("\n"),
    diff: diff.text,
    result: {
      path: name,
      diff: diff.text,
      additions: diff.additions,
      deletions: diff.deletions,
      firstChangedLine: (changes[0]?.index ?? 0) + 1,
      op: "update",
      meta: { ...(version !== undefined && { tag: version.tag }), ...(recovery !== undefined && { recovery }) },
    },
  };
}

/** The same edit without effect this many times running ends in an error. */
const noopsMax = 3;

/** For a call that changes no file at all. */
export function reportNoop(files: readonly PreparedFile[], versions: VersionStore): ToolOutput {
  const counts = files.map(({ path, payload }) => versions.countNoop(path, payload));
  const isStuck = counts.some((count) => count >= noopsMax);
  const sentences = files.map(({ name }, index) => {
    const count = counts[index] ?? 0;
    return describeNoop(count < noopsMax ? "first" : "stop", { path: name, count: `${count}` });
  });
  return { output: sentences.join("\n"), title: titleOf(files), ...(isStuck && { isError: true as const }) };
}

/** For the person who is asked: what the files would become, and why it is not what the model saw. */
export async function previewEdit(files: readonly PreparedFile[]): Promise<string> {
  const parts = await Promise.all(
    files.map(async ({ name, tag, before, after, recovery }) => {
      const note = recovery === undefined ? [] : [describeRecoveryAhead(recovery, { path: name, old: tag })];
      return [...note, (await diffTexts(name, before.text, after)).text].join("\n");
    }),
  );
  return parts.join("\n");
}
