/** Commands about kedge itself: its settings, its health, and its end. */
import { failureText } from "../app/told-texts.ts";
import { checkText } from "../dialogs/report/check-text.ts";
import { type CommandContext, sessionOf } from "./command-context.ts";
import type { SlashCommand } from "./slash-command.ts";

const group = "kedge";

export const kedgeCommands: readonly SlashCommand[] = [
  {
    name: "config",
    aliases: ["settings"],
    summary: "Show settings files and their problems",
    group,
    run: (_, context) => showConfig(context),
  },
  {
    name: "reload",
    aliases: [],
    summary: "Reload settings and permission rules",
    group,
    run: (_, context) => reload(context),
  },
  {
    name: "agents",
    aliases: ["hub"],
    summary: "Show this session's agents, follow them live and direct them",
    group,
    argumentHint: "[definitions|show|message|interrupt|kill|revive <agent>]",
    run: (argument, context) => showOrRun("agents", argument, context),
  },
  {
    name: "mcp",
    aliases: [],
    summary: "Show MCP servers with their state, tools and logs",
    group,
    argumentHint: "[show|connect|disconnect|approve|accept|auth|logs <name>]",
    run: (argument, context) => showOrRun("mcp", argument, context),
  },
  {
    name: "doctor",
    aliases: [],
    summary: "Check the setup and suggest fixes",
    group,
    run: (_, context) => doctor(context),
  },
  {
    name: "exit",
    aliases: ["quit", "q"],
    summary: "Exit kedge",
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
    files.size === 0
      ? ["All settings are at their defaults. Run kedge config path to see where settings files go."]
      : ["Settings files in use (kedge config list shows every setting):", ...[...files].map(fileLine)];
  context.notice(warnings.length === 0 ? "info" : "warning", [...told, ...warnings.map(warningLine)].join("\n"));
}

function fileLine([file, layer]: readonly [string, string]): string {
  return `${layer}: ${file}`;
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
    ...found.map((check) => `${check.name}: ${checkText(check)}`),
    ...config.warnings.map((warning) => `settings: ${warningLine(warning)}`),
  ];
  if (lines.length === 0)
    return context.notice("success", `No problems found. Checked: ${checks.map(({ name }) => name).join(", ")}.`);
  context.notice(found.some(({ state }) => state === "error") ? "error" : "warning", lines.join("\n"));
}

async function reload({ desk, notice, reloadSettings }: CommandContext): Promise<void> {
  const reloaded = await desk.send<"config.reload">({ type: "config.reload" });
  if (reloaded.ok) {
    const { changed, warnings } = reloaded.value;
    const told = changed.length === 0 ? "No setting changed." : `Changed: ${changed.join(", ")}.`;
    notice(warnings.length === 0 ? "info" : "warning", [told, ...warnings.map(warningLine)].join("\n"));
  }
  await reloadSettings();
}
