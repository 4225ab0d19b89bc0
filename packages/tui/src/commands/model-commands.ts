/** Commands about who answers, how much it thinks, and what it may do without asking. */
import { efforts, nearNames, type PermissionMode, permissionModes } from "@kedge/protocol";
import { answered } from "./brief-memory.ts";
import { type ArgumentContext, type CommandContext, sessionOf } from "./command-context.ts";
import type { SlashCommand } from "./slash-command.ts";

const group = "Model";

/** Bypass is chosen at the start, never by the way. */
const offeredModes = permissionModes.filter((mode) => mode !== "bypass");
const bypassText = "Bypass mode must be enabled at startup: kedge --dangerously-skip-permissions.";

export const modelCommands: readonly SlashCommand[] = [
  {
    name: "model",
    aliases: ["models"],
    summary: "Choose a model, or switch to provider/model",
    argumentHint: "[provider/model]",
    arguments: modelNames,
    group,
    action: "model_list",
    run: changeModel,
  },
  {
    name: "effort",
    aliases: [],
    summary: `Set the reasoning effort: ${efforts.join(", ")}`,
    argumentHint: "<effort>",
    arguments: efforts,
    group,
    run: changeEffort,
  },
  {
    name: "mode",
    aliases: ["modes"],
    summary: `Show or set the permission mode: ${offeredModes.join(", ")}`,
    argumentHint: "[mode]",
    arguments: offeredModes,
    group,
    run: changeMode,
  },
  {
    name: "plan",
    aliases: [],
    summary: "Switch to plan mode (read-only), optionally with a prompt",
    argumentHint: "[prompt]",
    group,
    run: plan,
  },
  {
    name: "agent",
    aliases: [],
    summary: "Switch between the build and plan agents",
    argumentHint: "[agent]",
    arguments: ["build", "plan"],
    group,
    run: changeAgent,
  },
  {
    name: "permissions",
    aliases: ["approvals", "allowed-tools"],
    summary: "Show permission rules",
    group,
    run: (_, { open }) => open("permissions"),
  },
  {
    name: "yolo",
    aliases: [],
    summary: "Show how to start without permission prompts",
    group,
    run: (_, { notice }) => notice("info", bypassText),
  },
  {
    name: "login",
    aliases: ["providers", "connect", "auth"],
    summary: "Sign in to a provider or save an API key",
    group,
    run: (_, { open }) => open("providers"),
  },
];

async function modelNames({ client }: ArgumentContext, signal: AbortSignal): Promise<readonly string[]> {
  const listed = answered(await client.ask<"provider.list">({ type: "provider.list" }, { signal }));
  // Those that can be used now come first; naming another one says what is missing.
  const providers = [...listed.providers].sort((left, right) => Number(right.hasKey) - Number(left.hasKey));
  return providers.flatMap(({ models }) => models.map(({ model }) => model));
}

async function changeModel(argument: string, context: CommandContext): Promise<void> {
  if (argument === "") return context.open("models");
  // Without a session there was no model to begin one with.
  if (context.state().session === undefined) return context.desk.begin(argument);
  return context.desk.changeModel(argument);
}

function changeEffort(argument: string, { desk, notice }: CommandContext): void {
  const effort = efforts.find((each) => each === argument);
  if (effort !== undefined) {
    desk.changeEffort(effort);
    notice("info", `Reasoning effort: ${effort}, from the next prompt.`);
    return;
  }
  const current = desk.effort();
  const told = current === undefined ? "Reasoning effort: model default." : `Reasoning effort: ${current}.`;
  notice(argument === "" ? "info" : "warning", `${told} Set it with /effort ${efforts.join("|")}.`);
}

async function changeMode(argument: string, context: CommandContext): Promise<void> {
  const { notice, open } = context;
  if (argument === "") return open("modes");
  if (argument === "bypass") return notice("warning", bypassText);
  const mode = offeredModes.find((each) => each === argument);
  if (mode === undefined) {
    const nearest = nearNames(argument, offeredModes, { countMax: 1 })[0];
    const hint = nearest === undefined ? `Modes: ${offeredModes.join(", ")}.` : `Did you mean ${nearest}?`;
    return notice("warning", `Unknown mode ${argument}. ${hint}`);
  }
  if (sessionOf(context) !== undefined) await context.desk.changeMode(mode);
}

async function plan(argument: string, context: CommandContext): Promise<void> {
  const session = sessionOf(context);
  if (session === undefined) return;
  const { desk } = context;
  const changed = await desk.send<"mode.change">({ type: "mode.change", sessionId: session.id, mode: "plan" });
  if (!changed.ok || argument === "") return;
  await desk.submit({ text: argument, attachments: [] }, session.isRunning ? "steer" : "follow-up");
}

const agents: ReadonlyMap<string, PermissionMode> = new Map<string, PermissionMode>([
  ["build", "default"],
  ["plan", "plan"],
]);

async function changeAgent(argument: string, context: CommandContext): Promise<void> {
  const mode = agents.get(argument);
  if (mode === undefined) {
    const present = context.state().session?.mode;
    const now = present === undefined ? "" : ` Current: ${present === "plan" ? "plan" : "build"}.`;
    return context.notice(
      argument === "" ? "info" : "warning",
      `Agents: build (all tools) and plan (read-only). Switch with /agent build or /agent plan.${now}`,
    );
  }
  if (sessionOf(context) !== undefined) await context.desk.changeMode(mode);
}
