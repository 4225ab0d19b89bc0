/** Reads a line that begins with a slash: one of our commands, one of the engine's, a slip of the fingers, or just text. */
import { nearNames } from "@kedge/protocol";
import type { Parameter } from "./missing-parameters.ts";
import { findCommand, type SlashCommand } from "./slash-command.ts";

const candidatesMax = 8;

export type EngineCommand = {
  readonly name: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
};

export type ParsedLine =
  | { readonly kind: "command"; readonly command: SlashCommand; readonly argument: string }
  /** The engine knows it by itself. */
  | { readonly kind: "engine"; readonly command: EngineCommand; readonly argument: string }
  | { readonly kind: "unknown"; readonly name: string; readonly sentence: string }
  /** For the model, as it is. */
  | { readonly kind: "prompt" };

export type KnownCommands = {
  readonly commands: readonly SlashCommand[];
  readonly engineCommands: readonly EngineCommand[];
};

/**
 * Anything else that begins with a slash, such as a path or a comment, is text. The engine is sent it and finds a command
 * of an unusual name, such as `/v2`, by itself.
 */
const commandWord = /^\/([a-z-]+(?::[\w:.-]+)?)(?:\s|$)/;

export function parseCommand(line: string, { commands, engineCommands }: KnownCommands): ParsedLine {
  const text = line.trim();
  const name = commandWord.exec(text)?.[1];
  if (name === undefined) return { kind: "prompt" };
  const argument = text.slice(name.length + 1).trim();
  const command = findCommand(commands, name);
  if (command !== undefined) return { kind: "command", command, argument };
  const engineCommand = engineCommands.find((known) => known.name === name);
  if (engineCommand !== undefined) return { kind: "engine", command: engineCommand, argument };
  return begun(name, argument, { commands, engineCommands });
}

/** The beginning of one name only stands for it. */
function begun(name: string, argument: string, known: KnownCommands): ParsedLine {
  const command = known.commands.filter((each) => each.name.startsWith(name));
  const engine = known.engineCommands.filter((each) => each.name.startsWith(name));
  const names = [...new Set([...command, ...engine].map((each) => each.name))];
  const [first] = names;
  if (first === undefined) return { kind: "unknown", name, sentence: unknownText(name, known) };
  if (names.length > 1) {
    const listed = names.slice(0, candidatesMax).map((each) => `/${each}`);
    const more = names.length > candidatesMax ? ` and ${names.length - candidatesMax} more` : "";
    return { kind: "unknown", name, sentence: `/${name} may be ${listed.join(", ")}${more}.` };
  }
  const [own] = command;
  if (own !== undefined) return { kind: "command", command: own, argument };
  const [theirs = { name: first, summary: "" }] = engine;
  return { kind: "engine", command: theirs, argument };
}

function unknownText(name: string, { commands, engineCommands }: KnownCommands): string {
  const own = commands.flatMap((command) => [command.name, ...command.aliases]);
  const known = [...own, ...engineCommands.map((command) => command.name)];
  const nearest = nearNames(name, [...new Set(known)], { countMax: 1 })[0];
  return `Unknown command /${name}. ${nearest === undefined ? "List commands with /help." : `Did you mean /${nearest}?`}`;
}
