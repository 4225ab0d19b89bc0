/** Commands that show something of the session, or change how the screen shows it. */
import { nearNames } from "@kedge/protocol";
import { failureText } from "../app/told-texts.ts";
import { type CommandContext, sessionOf } from "./command-context.ts";
import type { SlashCommand } from "./slash-command.ts";

const group = "View";

export const viewCommands: readonly SlashCommand[] = [
  {
    name: "help",
    aliases: ["commands"],
    summary: "Show commands and keys",
    group,
    action: "help",
    run: (_, { open }) => open("help"),
  },
  {
    name: "keys",
    aliases: ["keybinds", "shortcuts", "hotkeys"],
    summary: "Show key bindings",
    group,
    run: (_, { open }) => open("help", "keys"),
  },
  {
    name: "status",
    aliases: [],
    summary: "Show session, model, mode and directory",
    group,
    action: "status",
    run: (_, { open }) => open("status"),
  },
  {
    name: "cost",
    aliases: ["usage"],
    summary: "Show token usage and cost of this session",
    group,
    run: (_, { open }) => open("cost"),
  },
  {
    name: "context",
    aliases: ["tokens"],
    summary: "Show what is in the model's context",
    group,
    run: (_, { open }) => open("context"),
  },
  {
    name: "stats",
    aliases: [],
    summary: "Show usage statistics",
    group,
    run: (_, { open }) => open("stats"),
  },
  {
    name: "tasks",
    aliases: ["jobs", "bashes"],
    summary: "Show background tasks",
    group,
    action: "tasks",
    run: (_, { open }) => open("tasks"),
  },
  {
    name: "diff",
    aliases: ["changes"],
    summary: "Show files changed in this session",
    group,
    run: (_, context) => showDiff(context),
  },
  {
    name: "copy",
    aliases: [],
    summary: "Copy the last answer",
    group,
    action: "copy_answer",
    run: (_, context) => copyAnswer(context),
  },
  {
    name: "thinking",
    aliases: [],
    summary: "Show or hide reasoning",
    argumentHint: "[on|off]",
    arguments: ["on", "off"],
    group,
    action: "thinking",
    run: (argument, { notice, setThinking }) => switchOver(argument, { name: "thinking", notice, set: setThinking }),
  },
  {
    name: "theme",
    aliases: ["themes"],
    summary: "Choose a color theme",
    argumentHint: "[name]",
    arguments: async ({ themeNames }) => themeNames(),
    group,
    action: "theme_list",
    run: changeTheme,
  },
  {
    name: "vim",
    aliases: [],
    summary: "Turn vim mode on or off",
    argumentHint: "[on|off]",
    arguments: ["on", "off"],
    group,
    action: "vim_toggle",
    run: (argument, { notice, setVim }) => switchOver(argument, { name: "vim", notice, set: setVim }),
  },
];

type Switch = Pick<CommandContext, "notice"> & {
  readonly name: string;
  readonly set: (isOn?: boolean) => void;
};

function switchOver(argument: string, { name, notice, set }: Switch): void {
  if (argument === "") set();
  else if (argument === "on" || argument === "off") set(argument === "on");
  else notice("warning", `Usage: /${name} [on|off].`);
}

function changeTheme(argument: string, { notice, open, setTheme, themeNames }: CommandContext): void {
  const names = themeNames();
  const nearest = nearNames(argument, names, { countMax: 1 })[0];
  const hint = nearest === undefined ? "/theme lists them." : `Did you mean ${nearest}?`;
  if (argument === "") open("themes");
  else if (names.includes(argument)) setTheme(argument);
  else notice("warning", `No theme named ${argument}. ${hint}`);
}

function copyAnswer({ copy, lastAnswer, notice }: CommandContext): void {
  const answer = lastAnswer();
  if (answer === "") {
    notice("warning", "No answer to copy yet.");
    return;
  }
  copy(answer);
  notice("success", "Last answer copied.");
}

async function showDiff(context: CommandContext): Promise<void> {
  const { client, notice, open } = context;
  const session = sessionOf(context);
  if (session === undefined) return;
  const answer = await client.ask<"session.diff">({ type: "session.diff", sessionId: session.id });
  if (!answer.ok) return notice("error", failureText(answer.failure));
  const { files } = answer.value;
  if (files.length === 0) return notice("info", "No files changed in this session.");
  open("diff", files.map(({ patch }) => patch.trimEnd()).join("\n"));
}
