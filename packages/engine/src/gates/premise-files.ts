/** Premise files: their content decides what an infrastructure command acts on. Which they are, and for which commands. */
import type { AnalysedCommand } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { matchGlob } from "../permission/glob.ts";
import { type CommandRow, prepareRows, rowsFor, shapeOf } from "./command-rows.ts";

type FileRow = {
  readonly families: string;
  /** Only in a folder of this name or path. */
  readonly folders?: string;
  readonly names: string;
  readonly except?: string;
};

type PremiseTable = {
  readonly files: readonly FileRow[];
  readonly home: readonly string[];
  readonly commands: readonly (CommandRow & { readonly family: string })[];
  readonly harmless: string;
};

/** Checked by the test of this module. */
const table = JSON.parse(textBeside(import.meta.url, "./premise-files.json")) as PremiseTable;

const fileRows = table.files.map(({ families, folders, names, except }) => ({
  families: families.split(" "),
  folders: folders?.split(" "),
  names: names.split(" "),
  except: except?.split(" ") ?? [],
}));

const commandRows = prepareRows(table.commands);
/** They look at nothing but the text of the configuration. */
const harmlessWords: ReadonlySet<string> = new Set(table.harmless.split(" "));

/** A walk asks about every file of a workspace; nearly all of them are told apart by this alone. */
const mayBePremise = new RegExp(
  `^(?:${fileRows
    .flatMap(({ names }) => names)
    .map((glob) => glob.replaceAll(".", "\\.").replaceAll("*", ".*"))
    .join("|")})$`,
);

const noFamilies: readonly string[] = [];

/** The families of commands that the file decides for; none for an ordinary file. `folder` has forward slashes. */
export function premiseFamilies(folder: string, name: string): readonly string[] {
  if (!mayBePremise.test(name)) return noFamilies;
  const row = fileRows.find(
    ({ folders, names, except }) =>
      (folders === undefined || folders.some((one) => folder === one || folder.endsWith(`/${one}`))) &&
      names.some((glob) => matchGlob(glob, name)) &&
      !except.some((glob) => matchGlob(glob, name)),
  );
  return row?.families ?? noFamilies;
}

export function familiesOfPath(path: string): readonly string[] {
  const plain = path.replaceAll("\\", "/");
  const slash = plain.lastIndexOf("/");
  return premiseFamilies(plain.slice(0, Math.max(0, slash)), plain.slice(slash + 1));
}

/** Those outside of the workspace that commands read by themselves. */
export function premiseFilesOfHome(home: string): readonly string[] {
  return table.home.map((path) => `${home}/${path}`);
}

/** The families that a command belongs to; none for an ordinary command. */
export function commandFamilies(command: AnalysedCommand, whole: string): readonly string[] {
  const families = new Set<string>();
  for (const text of [command.text, ...command.otherTexts]) {
    const rows = rowsFor(commandRows, text, whole);
    if (rows.length === 0 || harmlessWords.has(shapeOf(text).operands[0] ?? "")) continue;
    for (const { family } of rows) families.add(family);
  }
  return families.size === 0 ? noFamilies : [...families];
}
