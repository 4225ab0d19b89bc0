/** The console's own slash commands; the engine's are sent to it like a prompt. */
import {
  type Client,
  type Effort,
  efforts,
  findCommandName,
  permissionModes,
  type SessionState,
  showTerminalControls,
} from "@kedge/protocol";
import { changesText, uncoveredText } from "../commands/undo-command.ts";
import { failureText } from "../failure-text.ts";
import { sessionCommands } from "./console-session-commands.ts";

export type CommandOutcome =
  | { readonly kind: "shown"; readonly text: string }
  /** The conversation goes on in another session. */
  | { readonly kind: "switch"; readonly sessionId: string; readonly text: string }
  | { readonly kind: "exit" }
  /** The interrupted run goes on. */
  | { readonly kind: "continue" }
  /** How much the model shall think from now on. */
  | { readonly kind: "effort"; readonly effort: Effort }
  /** Not one of ours: text, or a command that the engine knows. */
  | { readonly kind: "prompt"; readonly line: string };

const ownCommands: readonly (readonly [name: string, summary: string])[] = [
  ["/continue", "Resume the interrupted run"],
  ["/undo", "Undo the last prompt (force also discards your edits to the same files)"],
  ["/redo", "Redo the last undo (force overwrites your edits to the same files)"],
  ["/mode", `Show or set the permission mode: ${permissionModes.filter((mode) => mode !== "bypass").join(", ")}`],
  ["/model", "Show the model, or switch to provider/model"],
  ["/effort", `Set the reasoning effort: ${efforts.join(", ")}`],
  ...[...sessionCommands].map(([name, { summary }]) => [name, summary] as const),
  ["/reload", "Reload settings and permission rules"],
  ["/checkpoint", "Discard the model's checkpoint: /checkpoint discard"],
  ["!command", "Run a shell command; the model reads its output with your next prompt"],
  ["!!command", "Run a shell command that the model never sees"],
  ["#note", "Save a note to memory; the model reads it with your next prompt"],
  ["/exit", "Exit kedge (also: exit, quit). Ctrl+C interrupts a run"],
];

export async function runConsoleCommand(line: string, client: Client, state: SessionState): Promise<CommandOutcome> {
  const [name = "", argument = ""] = line.trim().split(/\s+/);
  const { sessionId } = state;
  switch (name) {
    case "/exit":
    case "/quit":
      return { kind: "exit" };
    case "/continue":
      return { kind: "continue" };
    case "/help":
      return { kind: "shown", text: helpText(await commandsOf(client)) };
    case "/undo": {
      const evenIfChanged = argument === "force";
      const undone = await client.send<"session.undo">({ type: "session.undo", sessionId, evenIfChanged });
      if (!undone.ok) return shown(`${failureText(undone.failure)}\n`);
      const { files, uncovered } = undone.value;
      return shown(changesText(files) + (uncovered.length > 0 ? `${uncoveredText(uncovered)}\n` : ""));
    }
    case "/redo": {
      const evenIfChanged = argument === "force";
      const redone = await client.send<"session.redo">({ type: "session.redo", sessionId, evenIfChanged });
      return shown(redone.ok ? changesText(redone.value.files) : `${failureText(redone.failure)}\n`);
    }
    case "/model":
      return changeModel(argument, client, state);
    case "/effort": {
      const effort = efforts.find((each) => each === argument);
      return effort === undefined ? shown(`Usage: /effort ${efforts.join("|")}.\n`) : { kind: "effort", effort };
    }
    case "/reload":
      return reloadSettings(client);
    case "/checkpoint": {
      if (argument !== "discard") return shown("Usage: /checkpoint discard.\n");
      const discarded = await client.send<"checkpoint.discard">({ type: "checkpoint.discard", sessionId });
      return shown(
        discarded.ok ? `(checkpoint discarded: ${discarded.value.goal})\n` : `${failureText(discarded.failure)}\n`,
      );
    }
    case "/mode":
      return changeMode(argument, client, state);
    default: {
      const command = sessionCommands.get(name);
      if (command !== undefined) {
        const outcome = await command.run(line.trim().slice(name.length).trim(), client, state);
        return typeof outcome === "string" ? shown(outcome) : { kind: "switch", ...outcome };
      }
      return runNamed(line, client, state);
    }
  }
}

/** Aliases, prefixes of names and what only the engine knows. */
async function runNamed(line: string, client: Client, state: SessionState): Promise<CommandOutcome> {
  const word = /^\s*\/([a-z-]+)(?=\s|$)/.exec(line)?.[1];
  if (word === undefined) return { kind: "prompt", line };
  const theirs = await commandsOf(client);
  const own = [...ownCommands, ["/help"]].flatMap(([name = ""]) =>
    name.startsWith("/") ? [{ name: name.slice(1) }] : [],
  );
  const found = findCommandName(word, [...own, ...theirs]);
  if (found.kind === "none") return shown(`${found.sentence}\n`);
  if (found.kind === "path") return { kind: "prompt", line };
  const { name } = found.command;
  const whole = line.replace(word, name);
  return own.some((each) => each.name === name)
    ? runConsoleCommand(whole, client, state)
    : { kind: "prompt", line: whole };
}

type NamedCommand = { readonly name: string; readonly summary: string };

/** Those that the engine answers itself. */
async function commandsOf(client: Client): Promise<readonly NamedCommand[]> {
  const listed = await client.ask<"command.list">({ type: "command.list" });
  return listed.ok ? listed.value.commands : [];
}

async function reloadSettings(client: Client): Promise<CommandOutcome> {
  const reloaded = await client.send<"config.reload">({ type: "config.reload" });
  if (!reloaded.ok) return shown(`${failureText(reloaded.failure)}\n`);
  const { changed, warnings } = reloaded.value;
  const told = changed.length === 0 ? "No setting changed." : `Changed: ${changed.join(", ")}.`;
  const lines = [told, ...warnings.map((warning) => `${warning}.`)].map((line) => `${showTerminalControls(line)}\n`);
  return shown(lines.join(""));
}

async function changeModel(argument: string, client: Client, state: SessionState): Promise<CommandOutcome> {
  if (argument === "") return shown(`(model: ${state.model})\n`);
  const { sessionId } = state;
  const changed = await client.send<"model.change">({ type: "model.change", sessionId, model: argument });
  return shown(changed.ok ? "" : `${failureText(changed.failure)}\n`);
}

async function changeMode(argument: string, client: Client, state: SessionState): Promise<CommandOutcome> {
  const { sessionId } = state;
  if (argument === "") return shown(`(mode: ${state.mode})\n`);
  const mode = permissionModes.find((each) => each === argument);
  if (mode === undefined) return shown(`Unknown mode ${argument}. Modes: ${permissionModes.join(", ")}.\n`);
  if (mode === "bypass")
    return shown("Bypass mode must be enabled at startup: kedge --dangerously-skip-permissions.\n");
  const changed = await client.send<"mode.change">({ type: "mode.change", sessionId, mode });
  return shown(changed.ok ? "" : `${failureText(changed.failure)}\n`);
}

function helpText(known: readonly NamedCommand[]): string {
  const all = [...known.map(({ name, summary }) => [`/${name}`, summary] as const), ...ownCommands];
  const width = Math.max(...all.map(([name]) => name.length));
  return all.map(([name, summary]) => `${name.padEnd(width)}  ${summary}\n`).join("");
}

function shown(text: string): CommandOutcome {
  return { kind: "shown", text };
}
