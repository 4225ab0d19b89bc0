/** Commands about kedge itself: its settings, its health, and its end. */

import { failureText } from "../app/told-texts.ts";
import { checkText } from "../dialogs/report/check-text.ts";
import { kedgeNoticeTexts } from "../texts/commands.ts";
import { argumentTexts, groupTexts, kedgeCommandTexts } from "../texts/palette.ts";
import { type CommandContext, sessionOf } from "./command-context.ts";
import type { SlashCommand } from "./slash-command.ts";

const group = groupTexts.kedge;

export const kedgeCommands: readonly SlashCommand[] = [
  {
    name: "config",
    aliases: ["settings"],
    summary: kedgeCommandTexts.config,
    group,
    run: (_, context) => showConfig(context),
  },
  {
    name: "reload",
    aliases: [],
    summary: kedgeCommandTexts.reload,
    group,
    run: (_, context) => reload(context),
  },
  {
    name: "agents",
    aliases: ["hub"],
    summary: kedgeCommandTexts.agents,
    group,
    argumentHint: argumentTexts.agents,
    run: (argument, context) => showOrRun("agents", argument, context),
  },
  {
    name: "mcp",
    aliases: [],
    summary: kedgeCommandTexts.mcp,
    group,
    argumentHint: argumentTexts.mcp,
    run: (argument, context) => showOrRun("mcp", argument, context),
  },
  {
    name: "doctor",
    aliases: [],
    summary: kedgeCommandTexts.doctor,
    group,
    run: (_, context) => doctor(context),
  },
  {
    name: "exit",
    aliases: ["quit", "q"],
    summary: kedgeCommandTexts.exit,
    group,
    action: "exit",
    run: (_, { exit }) => exit(),
  },
];

/** Without words it is a dialog; with them, the command of the engine. */
async function showOrRun(name: "agents" | "mcp", argument: string, context: CommandContext): Promise<void> {
  if (argument === "") return context.open(name === "mcp" ? "servers" : "agents");
  const session = sessionOf(context);
  if (session === undefined) return;
  const wish = { type: "command.run", sessionId: session.id, name, arguments: argument } as const;
  await context.desk.send<"command.run">(wish);
}

async function readConfig({ client, notice }: CommandContext) {
  const answer = await client.ask<"config.read">({ type: "config.read" });
  if (answer.ok) return answer.value;
  notice("error", failureText(answer.failure));
  return undefined;
}

async function showConfig(context: CommandContext): Promise<void> {
  const config = await readConfig(context);
  if (config === undefined) return;
  const { entries, warnings } = config;
  const files = new Map(entries.flatMap(({ file, layer }) => (file === undefined ? [] : [[file, layer] as const])));
  const told =
    files.size === 0 ? [kedgeNoticeTexts.allDefaults] : [kedgeNoticeTexts.settingsFiles, ...[...files].map(fileLine)];
  context.notice(warnings.length === 0 ? "info" : "warning", [...told, ...warnings.map(warningLine)].join("\n"));
}

function fileLine([file, layer]: readonly [string, string]): string {
  return kedgeNoticeTexts.settingsFile({ layer, file });
}

/** They come without a full stop, so that others can go on behind them. */
function warningLine(warning: string): string {
  return warning.endsWith(".") ? warning : `${warning}.`;
}

async function doctor(context: CommandContext): Promise<void> {
  const answer = await context.client.ask<"doctor.run">({ type: "doctor.run" });
  if (!answer.ok) return context.notice("error", failureText(answer.failure));
  const config = await readConfig(context);
  if (config === undefined) return;
  const { checks } = answer.value;
  const found = checks.filter(({ state }) => state !== "ok");
  const lines = [
    ...found.map((check) => kedgeNoticeTexts.check({ name: check.name, result: checkText(check) })),
    ...config.warnings.map((warning) => kedgeNoticeTexts.settingsWarning(warningLine(warning))),
  ];
  if (lines.length === 0)
    return context.notice("success", kedgeNoticeTexts.noProblems(checks.map(({ name }) => name).join(", ")));
  context.notice(found.some(({ state }) => state === "error") ? "error" : "warning", lines.join("\n"));
}

async function reload({ desk, notice, reloadSettings }: CommandContext): Promise<void> {
  const reloaded = await desk.send<"config.reload">({ type: "config.reload" });
  if (reloaded.ok) {
    const { changed, warnings } = reloaded.value;
    const told =
      changed.length === 0 ? kedgeNoticeTexts.noSettingChanged : kedgeNoticeTexts.settingsChanged(changed.join(", "));
    notice(warnings.length === 0 ? "info" : "warning", [told, ...warnings.map(warningLine)].join("\n"));
  }
  await reloadSettings();
}
