/** The console's own slash commands; the engine's are sent to it like a prompt. */
import {
  type Client,
  type Effort,
  efforts,
  nearNames,
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
  /** How much the model shall think from now on. */
  | { readonly kind: "effort"; readonly effort: Effort }
  /** Not one of ours: the engine knows it. */
  | { readonly kind: "prompt" };

const ownCommands: readonly (readonly [name: string, summary: string])[] = [
  ["/undo", "takes back what the last prompt changed; /undo force also what you changed in the same files since"],
  ["/redo", "brings it again; /redo force also over what you changed in the same files since"],
  ["/mode", `shows or changes the permission mode: ${permissionModes.filter((mode) => mode !== "bypass").join(", ")}`],
  ["/model", "shows or changes the model, for the next prompt on: provider/model"],
  ["/effort", `says how much the model shall think: ${efforts.join(", ")}`],
  ...[...sessionCommands].map(([name, { summary }]) => [name, summary] as const),
  ["/reload", "reads the settings again, also rules"],
  ["/checkpoint", "discard forgets the place the model wanted to come back to"],
  ["!", "and a command runs it in your shell; the model does not see it"],
  ["#", "and a text saves it in memory; the model reads it with your next prompt"],
  ["/exit", "ends kedge; Ctrl+C interrupts a run"],
];

export async function runConsoleCommand(line: string, client: Client, state: SessionState): Promise<CommandOutcome> {
  const [name = "", argument = ""] = line.trim().split(/\s+/);
  const { sessionId } = state;
  switch (name) {
    case "/exit":
    case "/quit":
      return { kind: "exit" };
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
      return effort === undefined
        ? shown(`Write /effort and one of ${efforts.join(", ")}.\n`)
        : { kind: "effort", effort };
    }
    case "/reload":
      return reloadSettings(client);
    case "/checkpoint": {
      if (argument !== "discard") return shown("Write /checkpoint discard to forget the open checkpoint.\n");
      const discarded = await client.send<"checkpoint.discard">({ type: "checkpoint.discard", sessionId });
      return shown(discarded.ok ? `(forgotten: ${discarded.value.goal})\n` : `${failureText(discarded.failure)}\n`);
    }
    case "/mode":
      return changeMode(argument, client, state);
    default: {
      const command = sessionCommands.get(name);
      if (command !== undefined) {
        const outcome = await command.run(line.trim().slice(name.length).trim(), client, state);
        return typeof outcome === "string" ? shown(outcome) : { kind: "switch", ...outcome };
      }
      if (!/^\/[a-z-]+$/.test(name)) return { kind: "prompt" };
      const known = await commandsOf(client);
      return known.some((each) => `/${each.name}` === name) ? { kind: "prompt" } : shown(unknownText(name, known));
    }
  }
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
  if (mode === undefined) return shown(`There is no mode ${argument}; there are ${permissionModes.join(", ")}.\n`);
  if (mode === "bypass") return shown("The mode bypass needs --dangerously-skip-permissions at the start.\n");
  const changed = await client.send<"mode.change">({ type: "mode.change", sessionId, mode });
  return shown(changed.ok ? "" : `${failureText(changed.failure)}\n`);
}

function helpText(known: readonly NamedCommand[]): string {
  const all = [...known.map(({ name, summary }) => [`/${name}`, summary] as const), ...ownCommands];
  const width = Math.max(...all.map(([name]) => name.length));
  return all.map(([name, summary]) => `${name.padEnd(width)}  ${summary}\n`).join("");
}

function unknownText(name: string, known: readonly NamedCommand[]): string {
  const names = [...known.map((command) => `/${command.name}`), ...ownCommands.map(([own]) => own)];
  const nearest = nearNames(name, names, { countMax: 1 })[0];
  return `There is no command ${name}. ${nearest === undefined ? "/help lists them." : `Did you mean ${nearest}?`}\n`;
}

function shown(text: string): CommandOutcome {
  return { kind: "shown", text };
}
