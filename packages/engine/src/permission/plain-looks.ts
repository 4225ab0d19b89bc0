/** The short list of commands that may look without being confined: programs whose arguments neither run nor expand to anything. */
import type { AnalysedCommand, ShellAnalysis } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";

// The data file beside this one, whose test reads all of it.
const { files, machine } = JSON.parse(textBeside(import.meta.url, "./plain-looks.json")) as {
  readonly files: readonly string[];
  readonly machine: readonly string[];
};

export const plainLooks: readonly string[] = [...files, ...machine];

/** Which of these beginnings a text has is found by its first words. */
const byProgram: ReadonlyMap<string, readonly string[]> = Map.groupBy(plainLooks, firstWord);

/** What the shell would still expand, or take for the beginning of something else. */
const expanding = /[*?[\]{}$`<>|&;()\\~\n]/;

/**
 * How the commands of a text that look are held. `confined`: in a read-only view. `plain`: all of it is on the short
 * list. `not`: neither, so a person is asked.
 */
export type LookHold = "confined" | "plain" | "not";

/** Text that also acts, and looks at what a confined view has not, run as they are. */
export function holdLooks(
  { readOnly, commands }: ShellAnalysis,
  { confinesLooks, whole = "" }: { readonly confinesLooks: boolean; readonly whole?: string },
): LookHold {
  if (confinesLooks && readOnly && !conditional.test(whole) && commands.every(isSameInside)) return "confined";
  return commands.every((command) => !command.readOnly || command.isTransparent || isPlainLook(command))
    ? "plain"
    : "not";
}

/** Groups have no names in a user namespace. Variables are shown there, and only there without those that are secret. */
function isSameInside({ text, looksAt }: AnalysedCommand): boolean {
  const program = firstWord(text).replace(/^.*\//, "");
  if (program === "env" || program === "printenv") return true;
  if (writability.test(text)) return false;
  return looksAt === undefined && program !== "id" && program !== "groups";
}

/** Nothing can be written in the view, so that whoever asks whether it can gets a wrong answer there. */
const writability = /^(?:\S*\/)?(?:(?:test|\[)(?= ).* -w |(?:g?find|bfs)(?= ).* -writable(?: |$))/s;

/** Of a condition of the shell only the text is there. */
const conditional = /\[\[\s(?:.*\s)?-w\s/s;

/** A filter of jq that shows variables, which only the view has without those that are secret. */
const showsVariables = /^(?:\S*\/)?(?:go)?jq (?:.*[^\w.])?(?:env|ENV)(?!\w)/s;

export function isPlainLook({ text: written, certain, riskyOptions, readsTrees }: AnalysedCommand): boolean {
  // The number with which the last command ended is no other text.
  const text = written.replaceAll(/(?<= )\$\?(?= |$)/g, "0");
  const isUncertain = certain !== undefined && text === written;
  if (readsTrees || isUncertain || riskyOptions.length > 0 || expanding.test(text.replace(/^\[ | \]$/g, "")))
    return false;
  if (showsVariables.test(text)) return false;
  return byProgram.get(firstWord(text))?.some((known) => text === known || text.startsWith(`${known} `)) ?? false;
}

function firstWord(text: string): string {
  return text.split(" ", 1)[0] ?? "";
}
