/** The texts of `kedge --help` and `kedge help <command>`, made from the tables of commands and flags. */
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import { actionsOf, commandTable, findCommand } from "../commands/command-table.ts";
import { helpTexts } from "../texts/help.ts";
import { type Flag, flagTable } from "./flags.ts";

export type CommandHelp = {
  /** What follows the name. */
  readonly words: string;
  readonly summary: string;
  /** By their first names; those that every command takes are not among them. */
  readonly flags: readonly string[];
  readonly examples: readonly string[];
};

export type FlagHelp = {
  /** Where the help of kedge as a whole lists it; absent for what only some commands take. */
  readonly group?: string;
  readonly summary: string;
};

/** By the name of the command, or by command and action. */
export function commandHelps(): { readonly [name: string]: CommandHelp } {
  // The file is ours, and a test compares it with the table of commands.
  return JSON.parse(textBeside(import.meta.url, "../texts/command-help.json")) as {
    readonly [name: string]: CommandHelp;
  };
}

/** By the first name of the flag. */
export function flagHelps(): { readonly [name: string]: FlagHelp } {
  // The file is ours, and a test compares it with the table of flags.
  return JSON.parse(textBeside(import.meta.url, "../texts/flag-help.json")) as { readonly [name: string]: FlagHelp };
}

export function helpText(): string {
  const helps = flagHelps();
  const groups = [...new Set(Object.values(helps).flatMap(({ group = [] }) => group))];
  const flags = groups.map((group) => {
    const members = flagTable.filter(({ names: [first = ""] }) => helps[first]?.group === group);
    return `${group}\n${members.map((flag) => flagLine(flag, helps)).join("\n")}`;
  });
  const commands = commandTable.map(({ name }) => line(`  kedge ${name}`, commandHelps()[name]?.summary ?? ""));
  return fillSlots(textBeside(import.meta.url, "../texts/help.md"), {
    commands: commands.join("\n"),
    flags: flags.join("\n\n"),
  });
}

/** `topic` is a command of the table, and its action if one is meant. */
export function commandHelpText(topic: readonly string[]): string {
  const helps = commandHelps();
  const name = topic.join(" ");
  const [command = ""] = topic;
  const help = helps[name] ?? helps[command];
  if (help === undefined) throw new Error(`no help for ${name}`);
  const title = helps[name] === undefined ? command : name;
  const usage = `kedge ${title}${help.words === "" ? "" : ` ${help.words}`}`;
  const actions = title === command ? actionLines(command, helps) : [];
  const flags = flagTable.filter(({ names: [first = ""] }) => help.flags.includes(first));
  return [
    `${usage}\n  ${help.summary}`,
    ...section(helpTexts.actions, actions),
    ...section(
      helpTexts.flags,
      flags.map((flag) => flagLine(flag, flagHelps())),
    ),
    ...section(
      helpTexts.examples,
      help.examples.map((example) => `  ${example}`),
    ),
    helpTexts.allFlags,
  ].join("\n\n");
}

function actionLines(command: string, helps: { readonly [name: string]: CommandHelp }): readonly string[] {
  const row = findCommand(command);
  return (row === undefined ? [] : actionsOf(row)).flatMap((action) => {
    const help = helps[`${command} ${action}`];
    return help === undefined ? [] : [line(`  ${action} ${help.words}`, help.summary)];
  });
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${title}\n${lines.join("\n")}`];
}

const summaryColumn = 35;

function flagLine(
  { names, takes, isValueOptional, isValueInline, values }: Flag,
  helps: { readonly [name: string]: FlagHelp },
) {
  const [first = "", ...others] = names;
  const short = others.find((name) => !name.startsWith("--"));
  const aliases = others.filter((name) => name.startsWith("--"));
  const value = takes === undefined ? "" : ` <${values === undefined ? takes : "value"}>`;
  const optional = isValueInline ? `[=${takes}]` : ` [${takes}]`;
  const shown = isValueOptional || isValueInline ? optional : value;
  const remarks = [
    ...(values === undefined ? [] : [values.join(", ")]),
    ...(aliases.length === 0 ? [] : [helpTexts.aliases(aliases.join(", "))]),
  ];
  const remark = remarks.length === 0 ? "" : ` (${remarks.join("; ")})`;
  return line(
    `  ${short === undefined ? "    " : `${short}, `}${first}${shown}`,
    `${helps[first]?.summary ?? ""}${remark}`,
  );
}

function line(left: string, right: string): string {
  return left.length < summaryColumn - 1 ? `${left.padEnd(summaryColumn)}${right}` : `${left}  ${right}`;
}
