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
import { consoleTexts } from "../texts/console.ts";
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
  ["/continue", consoleTexts.continue],
  ["/undo", consoleTexts.undo],
  ["/redo", consoleTexts.redo],
  ["/mode", consoleTexts.mode(permissionModes.filter((mode) => mode !== "bypass").join(", "))],
  ["/model", consoleTexts.model],
  ["/effort", consoleTexts.effort(efforts.join(", "))],
  ...[...sessionCommands].map(([name, { summary }]) => [name, summary] as const),
  ["/reload", consoleTexts.reload],
  ["/checkpoint", consoleTexts.checkpoint],
  ["!command", consoleTexts.shell],
  ["!!command", consoleTexts.hiddenShell],
  ["#note", consoleTexts.note],
  ["/exit", consoleTexts.exit],
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
      return effort === undefined ? shown(consoleTexts.effortUsage(efforts.join("|"))) : { kind: "effort", effort };
    }
    case "/reload":
      return reloadSettings(client);
    case "/checkpoint": {
      if (argument !== "discard") return shown(consoleTexts.checkpointUsage);
      const discarded = await client.send<"checkpoint.discard">({ type: "checkpoint.discard", sessionId });
      return shown(
        discarded.ok ? consoleTexts.checkpointDiscarded(discarded.value.goal) : `${failureText(discarded.failure)}\n`,
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
  const told = changed.length === 0 ? consoleTexts.noSettingChanged : consoleTexts.settingsChanged(changed.join(", "));
  const lines = [told, ...warnings.map((warning) => `${warning}.`)].map((line) => `${showTerminalControls(line)}\n`);
  return shown(lines.join(""));
}

async function changeModel(argument: string, client: Client, state: SessionState): Promise<CommandOutcome> {
  if (argument === "") return shown(consoleTexts.modelIs(state.model));
  const { sessionId } = state;
  const changed = await client.send<"model.change">({ type: "model.change", sessionId, model: argument });
  return shown(changed.ok ? "" : `${failureText(changed.failure)}\n`);
}

async function changeMode(argument: string, client: Client, state: SessionState): Promise<CommandOutcome> {
  const { sessionId } = state;
  if (argument === "") return shown(consoleTexts.modeIs(state.mode));
  const mode = permissionModes.find((each) => each === argument);
  if (mode === undefined) return shown(consoleTexts.unknownMode(argument, permissionModes.join(", ")));
  if (mode === "bypass") return shown(consoleTexts.bypassAtStartup);
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
