/** Commands that cannot be taken back, and those that change what lies outside of the machine: which they are, and why. */
import type { AnalysedCommand, ShellAnalysis } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { type CommandRow, prepareRows, rowsFor } from "./command-rows.ts";

/** What a person must see of the machine before such a command runs. */
export const shownSubjects = [
  "terraform",
  "pulumi",
  "kubernetes",
  "aws",
  "gcloud",
  "azure",
  "docker",
  "git",
  "files",
  "database",
  "nothing",
] as const;

export type ShownSubject = (typeof shownSubjects)[number];

export type IrreversibleRow = CommandRow & {
  readonly shows: ShownSubject;
  readonly why: string;
  /** Without it the command is irreversible; `changes` is shown with the same evidence, but may be allowed for longer. */
  readonly degree?: "changes";
};

export type GraveCommand = {
  readonly command: AnalysedCommand;
  /** The spelling that the row matched. */
  readonly text: string;
  readonly shows: ShownSubject;
  readonly why: string;
  readonly isIrreversible: boolean;
};

/** Checked by the test of this module. */
export const irreversibleRows = JSON.parse(
  textBeside(import.meta.url, "./irreversible.json"),
) as readonly IrreversibleRow[];

const rows = prepareRows(irreversibleRows);

/** The grave commands of a text, in their order; none for an ordinary one. */
export function graveCommands(analysis: ShellAnalysis, whole: string): readonly GraveCommand[] {
  return analysis.commands.flatMap((command) => graveCommand(command, whole) ?? []);
}

function graveCommand(command: AnalysedCommand, whole: string): GraveCommand | undefined {
  const found = [command.text, ...command.otherTexts].flatMap((text) =>
    rowsFor(rows, text, whole).map((row) => ({ text, row })),
  );
  const worst = found.find(({ row }) => row.degree === undefined) ?? found[0];
  if (worst === undefined) return undefined;
  const { text, row } = worst;
  return { command, text, shows: row.shows, why: row.why, isIrreversible: row.degree === undefined };
}
