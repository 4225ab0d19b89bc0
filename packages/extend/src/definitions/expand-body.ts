/**
 * Makes the text that a definition stands for: arguments, variables, files and the output of commands in their places.
 *
 * The body is read once. What is put into it is never read again, so that no argument becomes a command.
 */
import type { Definition } from "./definition.ts";
import { textField } from "./field-values.ts";
import type { Arguments } from "./fill-arguments.ts";
import { quoteWord } from "./split-words.ts";

export type ShellText =
  | { readonly ran: true; readonly output: string }
  /** A sentence part for the model. */
  | { readonly ran: false; readonly why: string };

export type BodyParts = {
  readonly arguments: Arguments;
  /** By name without the prefix: `SESSION_ID`, `SKILL_DIR`, `PROJECT_DIR`, `EFFORT`. */
  readonly variables: { readonly [name: string]: string };
  /** Called at most once, with all commands in their order; gives as many texts. */
  readonly runShell: (commands: readonly string[]) => Promise<readonly ShellText[]>;
  /** The text of a file that the body names; undefined where it cannot be shown. None are looked for without it. */
  readonly readFile?: (path: string) => string | undefined;
};

const outputCharactersMax = 30_000;

const shellForm = /!`([^`\n]+)`/;
const shellBlockForm = /^[ \t]*```!\w*[ \t]*\n([\s\S]*?)\n[ \t]*```[ \t]*$/;
const variableForm = /\$\{(?:(?:KEDGE|CLAUDE)_([A-Z_]+)|workspaceFolder)\}/;
const argumentForm =
  /\\\$(?=\d|ARGUMENTS\b)|\$@|\$ARGUMENTS(?:\[(\d{1,2})\])?|\$(\d{1,2})(?![\d.,]*\d)|\$([A-Za-z][\w-]*)|\$\{input:([\w-]+)[^}]*\}/;
/** Before a digit it is a price, and no argument. */
const escapedDollar = "\\$";
const fileForm = /(?<=^|[\s("'])@([\w.~-][\w./~-]*[\w/])/;

const parts = [shellForm, shellBlockForm, variableForm, argumentForm, fileForm];
const dollarPair = "$$";
const anyForm = ({ hasDollarPairs }: Arguments) =>
  new RegExp([...(hasDollarPairs === true ? [/\$\$/] : []), ...parts].map(({ source }) => source).join("|"), "gm");

export async function expandBody(definition: Pick<Definition, "body" | "fields">, given: BodyParts): Promise<string> {
  const { body, fields } = definition;
  const { arguments: values, variables, readFile } = given;
  const shell = textField(fields, "shell");
  const files = new Map<string, string>();
  const commands: string[] = [];
  /** The text, cut where the output of a command belongs. */
  const pieces: string[] = [];
  let usesArguments = false;
  let text = "";
  let end = 0;
  for (const match of body.matchAll(anyForm(values))) {
    const [whole, inline, block, variable, index, number, plain, input, path] = match;
    text += body.slice(end, match.index);
    end = match.index + whole.length;
    const command = inline ?? block;
    if (command !== undefined) {
      const filled = withArguments(command, given);
      usesArguments ||= filled.usesArguments;
      commands.push(filled.text);
      pieces.push(text);
      text = "";
    } else if (whole === escapedDollar || whole === dollarPair) text += "$";
    else if (whole.startsWith("${") && !whole.startsWith("${input:"))
      text += variables[variable ?? "PROJECT_DIR"] ?? whole;
    else if (path !== undefined) {
      const content = files.get(path) ?? readFile?.(path);
      if (content !== undefined) files.set(path, content);
      text += whole;
    } else {
      const value = argumentAt({ whole, index, number, name: plain ?? input }, values);
      usesArguments ||= value !== undefined;
      text += value ?? whole;
    }
  }
  text += body.slice(end);
  if (!usesArguments && values.whole !== "") text += `\n\nArguments: ${values.whole}`;
  const outputs = commands.length === 0 ? [] : await shellOutputs(commands, shell, given);
  const whole = pieces.map((piece, index) => `${piece}${outputs[index] ?? ""}`).join("") + text;
  const shown = [...files].map(([path, content]) => `<file path=${JSON.stringify(path)}>\n${content}\n</file>`);
  return [whole, ...shown].join("\n\n");
}

type Placeholder = {
  readonly whole: string;
  readonly index: string | undefined;
  readonly number: string | undefined;
  readonly name: string | undefined;
};

/** Undefined for a text that only looks like a placeholder. */
function argumentAt({ whole, index, number, name }: Placeholder, values: Arguments): string | undefined {
  if (name !== undefined) return values.named.get(name);
  if (index !== undefined) return values.words[Number(index)] ?? "";
  if (whole === "$@") return values.hasAllSign ? values.whole : undefined;
  if (whole.startsWith("$ARGUMENTS")) return values.whole;
  const at = Number(number) - (values.isFromZero ? 0 : 1);
  return at < 0 ? undefined : (values.words[at] ?? "");
}

/** A word that was typed stays one word of the command. */
function withArguments(command: string, { arguments: values, variables }: BodyParts) {
  const quoted: Arguments = {
    ...values,
    whole: values.words.map(quoteWord).join(" "),
    words: values.words.map(quoteWord),
    named: new Map([...values.named].map(([name, value]) => [name, quoteWord(value)])),
  };
  let usesArguments = false;
  const text = command
    .replace(new RegExp(`${variableForm.source}|${argumentForm.source}`, "g"), (...match) => {
      const [whole, variable, index, number, plain, input]: (string | undefined)[] = match;
      if (whole === escapedDollar) return whole;
      if (whole?.startsWith("${") === true && !whole.startsWith("${input:")) {
        const known = variables[variable ?? "PROJECT_DIR"];
        return known === undefined ? whole : quoteWord(known);
      }
      const value = argumentAt({ whole: whole ?? "", index, number, name: plain ?? input }, quoted);
      usesArguments ||= value !== undefined;
      return value ?? whole ?? "";
    })
    .trim();
  return { text, usesArguments };
}

async function shellOutputs(
  commands: readonly string[],
  shell: string | undefined,
  { runShell }: BodyParts,
): Promise<readonly string[]> {
  const isOther = shell !== undefined && shell !== "bash" && shell !== "sh";
  const results = isOther ? [] : await runShell(commands);
  return commands.map((command, index) => {
    const result = results[index] ?? { ran: false, why: `it is for ${shell}` };
    if (!result.ran) return `[Not run: ${command} (${result.why}). If you need its output, run it with bash.]`;
    const output = result.output.trimEnd();
    if (output.length <= outputCharactersMax) return output;
    return `${output.slice(0, outputCharactersMax)}\n[${output.length - outputCharactersMax} more characters]`;
  });
}

/** Those of the place where the definition lies, beside what the caller knows. */
export function placeVariables({ directory, place }: Pick<Definition, "directory" | "place">): BodyParts["variables"] {
  const { plugin } = place;
  return {
    SKILL_DIR: directory,
    ...(plugin !== undefined && { PLUGIN_ROOT: plugin.root, PLUGIN_DATA: plugin.data }),
  };
}

export function hasShell({ body }: Pick<Definition, "body">): boolean {
  return shellForm.test(body) || new RegExp(shellBlockForm.source, "m").test(body);
}
