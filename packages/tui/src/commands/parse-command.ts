/** Reads a line that begins with a slash: one of our commands, one of the engine's, a slip of the fingers, or just text. */
import { nearNames } from "@kedge/protocol";
import { findCommand, type SlashCommand } from "./slash-command.ts";

export type EngineCommand = { readonly name: string; readonly summary: string };

export type ParsedLine =
  | { readonly kind: "command"; readonly command: SlashCommand; readonly argument: string }
  /** The engine knows it by itself. */
  | { readonly kind: "engine"; readonly name: string; readonly argument: string }
  | { readonly kind: "unknown"; readonly name: string; readonly sentence: string }
  /** For the model, as it is. */
  | { readonly kind: "prompt" };

export type KnownCommands = {
  readonly commands: readonly SlashCommand[];
  readonly engineCommands: readonly EngineCommand[];
};

/** Anything else that begins with a slash, such as a path or a comment, is text. */
const commandWord = /^\/([a-z-]+)(?:\s|$)/;

export function parseCommand(line: string, { commands, engineCommands }: KnownCommands): ParsedLine {
  const text = line.trim();
  const name = commandWord.exec(text)?.[1];
  if (name === undefined) return { kind: "prompt" };
  const argument = text.slice(name.length + 1).trim();
  const command = findCommand(commands, name);
  if (command !== undefined) return { kind: "command", command, argument };
  if (engineCommands.some((known) => known.name === name)) return { kind: "engine", name, argument };
  return { kind: "unknown", name, sentence: unknownText(name, { commands, engineCommands }) };
}

function unknownText(name: string, { commands, engineCommands }: KnownCommands): string {
  const own = commands.flatMap((command) => [command.name, ...command.aliases]);
  const known = [...own, ...engineCommands.map((command) => command.name)];
  const nearest = nearNames(name, [...new Set(known)], { countMax: 1 })[0];
  return `There is no command /${name}. ${nearest === undefined ? "/help lists them." : `Did you mean /${nearest}?`}`;
}
