/** Reads a line that begins with a slash: one of our commands, one of the engine's, a slip of the fingers, or just text. */
import { findCommandName } from "@kedge/protocol";
import type { Parameter } from "./missing-parameters.ts";
import type { SlashCommand } from "./slash-command.ts";

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
  const own = commands.map((command) => ({ ...namesOf(command), kind: "command" as const, command }));
  const theirs = engineCommands.map((command) => ({ name: command.name, kind: "engine" as const, command }));
  const found = findCommandName(name, [...own, ...theirs]);
  if (found.kind === "path") return { kind: "prompt" };
  if (found.kind === "none") return { kind: "unknown", name, sentence: found.sentence };
  const { command: named } = found;
  return named.kind === "command"
    ? { kind: "command", command: named.command, argument }
    : { kind: "engine", command: named.command, argument };
}

function namesOf({ name, aliases }: SlashCommand) {
  return { name, aliases };
}
