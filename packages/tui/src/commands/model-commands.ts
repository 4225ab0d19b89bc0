/** Commands about who answers, how much it thinks, and what it may do without asking. */

import { efforts, nearNames, type PermissionMode, permissionModes } from "@kedge/protocol";
import { anyCommandTexts, modelNoticeTexts } from "../texts/commands.ts";
import { argumentTexts, groupTexts, modelCommandTexts } from "../texts/palette.ts";
import { answered } from "./brief-memory.ts";
import { type ArgumentContext, type CommandContext, sessionOf } from "./command-context.ts";
import type { SlashCommand } from "./slash-command.ts";

const group = groupTexts.model;

/** Bypass is chosen at the start, never by the way. */
const offeredModes = permissionModes.filter((mode) => mode !== "bypass");
const bypassText = modelNoticeTexts.bypass;

export const modelCommands: readonly SlashCommand[] = [
  {
    name: "model",
    aliases: ["models"],
    summary: modelCommandTexts.model,
    argumentHint: argumentTexts.model,
    arguments: modelNames,
    group,
    action: "model_list",
    run: changeModel,
  },
  {
    name: "effort",
    aliases: [],
    summary: modelCommandTexts.effort(efforts.join(", ")),
    argumentHint: argumentTexts.effort,
    arguments: efforts,
    group,
    run: changeEffort,
  },
  {
    name: "mode",
    aliases: ["modes"],
    summary: modelCommandTexts.mode(offeredModes.join(", ")),
    argumentHint: argumentTexts.mode,
    arguments: offeredModes,
    group,
    run: changeMode,
  },
  {
    name: "plan",
    aliases: [],
    summary: modelCommandTexts.plan,
    argumentHint: argumentTexts.plan,
    group,
    run: plan,
  },
  {
    name: "agent",
    aliases: [],
    summary: modelCommandTexts.agent,
    argumentHint: argumentTexts.agent,
    arguments: ["build", "plan"],
    group,
    run: changeAgent,
  },
  {
    name: "permissions",
    aliases: ["approvals", "allowed-tools"],
    summary: modelCommandTexts.permissions,
    group,
    run: (_, { open }) => open("permissions"),
  },
  {
    name: "yolo",
    aliases: [],
    summary: modelCommandTexts.yolo,
    group,
    run: (_, { notice }) => notice("info", bypassText),
  },
  {
    name: "login",
    aliases: ["providers", "connect", "auth"],
    summary: modelCommandTexts.login,
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
    notice("info", modelNoticeTexts.effortSet(effort));
    return;
  }
  const current = desk.effort();
  const told = { effort: current ?? modelNoticeTexts.effortOfModel, efforts: efforts.join("|") };
  notice(argument === "" ? "info" : "warning", modelNoticeTexts.effort(told));
}

async function changeMode(argument: string, context: CommandContext): Promise<void> {
  const { notice, open } = context;
  if (argument === "") return open("modes");
  if (argument === "bypass") return notice("warning", bypassText);
  const mode = offeredModes.find((each) => each === argument);
  if (mode === undefined) {
    const nearest = nearNames(argument, offeredModes, { countMax: 1 })[0];
    const hint =
      nearest === undefined ? modelNoticeTexts.modes(offeredModes.join(", ")) : anyCommandTexts.didYouMean(nearest);
    return notice("warning", modelNoticeTexts.unknownMode({ mode: argument, hint }));
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
    const now = present === undefined ? "" : ` ${modelNoticeTexts.currentAgent(present === "plan" ? "plan" : "build")}`;
    return context.notice(argument === "" ? "info" : "warning", `${modelNoticeTexts.agents}${now}`);
  }
  if (sessionOf(context) !== undefined) await context.desk.changeMode(mode);
}
