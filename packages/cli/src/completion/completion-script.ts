/** The scripts that complete kedge in a shell, made from the tables of commands and flags. */
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import { completionTexts } from "../texts/setup.ts";
import { type CompletedFlag, type CompletionWords, completionWords } from "./completion-words.ts";

export const completedShells = ["bash", "zsh", "fish"] as const;

export type CompletedShell = (typeof completedShells)[number];

export function completionScript(shell: CompletedShell): string {
  const words = completionWords();
  switch (shell) {
    case "bash":
      return fillSlots(textBeside(import.meta.url, "./bash.sh"), {
        ...caseSlots(words, (list) => `COMPREPLY=($(compgen -W "${list}" -- "$current"))`),
        commands: words.commands.map(({ name }) => name).join(" "),
        flags: flagCases(words, (list) => `known="$known ${list}"`),
        actions: actionCases(words, (list) => `known="${list}"`),
      });
    case "zsh":
      return fillSlots(textBeside(import.meta.url, "./zsh.sh"), {
        ...caseSlots(words, (list) => `compadd -- ${list}`),
        commands: words.commands.map(({ name, summary }) => `      ${quoted(`${name}:${summary}`)}`).join("\n"),
        flags: flagCases(words, (list) => `known+=(${list})`),
        actions: actionCases(words, (list) => `known=(${list})`),
      });
    case "fish":
      return fishScript(words);
  }
}

type Statement = (list: string) => string;

function caseSlots({ allFlags, mainFlags }: CompletionWords, offer: Statement) {
  const namesWith = (fits: (flag: CompletedFlag) => boolean) => namesOf(allFlags.filter(fits)).join("|");
  const values = allFlags.flatMap(({ names, value }) =>
    typeof value === "string" ? [] : [`    ${names.join("|")}) ${offer(value.join(" "))}; return ;;`],
  );
  return {
    valued: namesWith(({ value }) => value !== "none"),
    files: namesWith(({ value }) => value === "files"),
    values: values.join("\n"),
    main: namesOf(mainFlags).join(" "),
  };
}

/** Matched against command and action; what is for a command is for all of its actions. */
function flagCases({ flagsOf }: CompletionWords, add: Statement): string {
  return flagsOf
    .toSorted((left, right) => right.command.length - left.command.length)
    .map(({ command, flags }) => `      ${quoted(command)}*) ${add(namesOf(flags).join(" "))} ;;`)
    .join("\n");
}

function actionCases({ commands }: CompletionWords, set: Statement): string {
  return commands
    .flatMap(({ name, actions }) => (actions.length === 0 ? [] : [`      ${name}) ${set(actions.join(" "))} ;;`]))
    .join("\n");
}

function fishScript({ commands, mainFlags, flagsOf }: CompletionWords): string {
  const lines = [
    completionTexts.fishHeading,
    ...commands.map(
      ({ name, summary }) => `complete -c kedge -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ),
    ...commands.flatMap(({ name, actions }) =>
      actions.length === 0 ? [] : [`complete -c kedge -n ${seen(name)} -f -a ${quoted(actions.join(" "))}`],
    ),
    ...mainFlags.map((flag) => fishFlag(flag)),
    ...flagsOf.flatMap(({ command, flags }) => flags.map((flag) => fishFlag(flag, command))),
  ];
  return lines.join("\n");
}

function fishFlag({ names, summary, value }: CompletedFlag, command?: string): string {
  const options = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const condition = command === undefined ? "" : ` -n ${seen(command)}`;
  const takes = typeof value === "string" ? fishValue[value] : ` -x -a ${quoted(value.join(" "))}`;
  return `complete -c kedge${condition} ${options.join(" ")}${takes} -d ${quoted(summary)}`;
}

const fishValue = { none: "", files: " -r -F", text: " -x" } as const;

/** True in fish when the command, and the action if there is one, stand on the line. */
function seen(command: string): string {
  return quoted(
    command
      .split(" ")
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join("; and "),
  );
}

function namesOf(flags: readonly CompletedFlag[]): readonly string[] {
  return flags.flatMap(({ names }) => names);
}

/** Good for all three shells, as long as the text has no backslash. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
