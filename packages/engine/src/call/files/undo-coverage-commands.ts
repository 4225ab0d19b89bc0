/** Commands of git that destroy what no tree holds by itself: ignored files, refs and stash entries. */
import type { ShellAnalysis, TrackOptions } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { type CommandRow, prepareRows, rowsFor } from "../../gates/command-rows.ts";

export type CoverageRow = CommandRow & {
  readonly also?: "all-ignored";
  readonly refs?: NonNullable<TrackOptions["refs"]>;
};

/** Checked by the test of this module. */
export const coverageRows = JSON.parse(
  textBeside(import.meta.url, "./undo-coverage-commands.json"),
) as readonly CoverageRow[];

const rows = prepareRows(coverageRows);

/** What a tree before the commands must hold besides files that git sees. */
export function heldForCommands(analysis: ShellAnalysis, whole: string): Pick<CoverageRow, "also" | "refs"> {
  const found = analysis.commands.flatMap(({ text, otherTexts }) =>
    [text, ...otherTexts].flatMap((spelling) => rowsFor(rows, spelling, whole)),
  );
  const refs = found.some((row) => row.refs === "kept") ? "kept" : found.find((row) => row.refs !== undefined)?.refs;
  return {
    ...(found.some((row) => row.also !== undefined) && { also: "all-ignored" as const }),
    ...(refs !== undefined && { refs }),
  };
}
