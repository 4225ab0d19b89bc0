/** Commands that show something of the session, or change how the screen shows it. */

import { nearNames } from "@kedge/protocol";
import { failureText } from "../app/told-texts.ts";
import { anyCommandTexts, viewNoticeTexts } from "../texts/commands.ts";
import { argumentTexts, groupTexts, viewCommandTexts } from "../texts/palette.ts";
import { type CommandContext, sessionOf } from "./command-context.ts";
import type { SlashCommand } from "./slash-command.ts";

const group = groupTexts.view;

export const viewCommands: readonly SlashCommand[] = [
  {
    name: "help",
    aliases: ["commands"],
    summary: viewCommandTexts.help,
    group,
    action: "help",
    run: (_, { open }) => open("help"),
  },
  {
    name: "keys",
    aliases: ["keybinds", "shortcuts", "hotkeys"],
    summary: viewCommandTexts.keys,
    group,
    run: (_, { open }) => open("help", "keys"),
  },
  {
    name: "status",
    aliases: [],
    summary: viewCommandTexts.status,
    group,
    action: "status",
    run: (_, { open }) => open("status"),
  },
  {
    name: "cost",
    aliases: ["usage"],
    summary: viewCommandTexts.cost,
    group,
    run: (_, { open }) => open("cost"),
  },
  {
    name: "context",
    aliases: ["tokens"],
    summary: viewCommandTexts.context,
    group,
    run: (_, { open }) => open("context"),
  },
  {
    name: "stats",
    aliases: [],
    summary: viewCommandTexts.stats,
    group,
    run: (_, { open }) => open("stats"),
  },
  {
    name: "tasks",
    aliases: ["jobs", "bashes"],
    summary: viewCommandTexts.tasks,
    group,
    action: "tasks",
    run: (_, { open }) => open("tasks"),
  },
  {
    name: "diff",
    aliases: ["changes"],
    summary: viewCommandTexts.diff,
    group,
    run: (_, context) => showDiff(context),
  },
  {
    name: "copy",
    aliases: [],
    summary: viewCommandTexts.copy,
    group,
    action: "copy_answer",
    run: (_, context) => copyAnswer(context),
  },
  {
    name: "thinking",
    aliases: [],
    summary: viewCommandTexts.thinking,
    argumentHint: argumentTexts.onOff,
    arguments: ["on", "off"],
    group,
    action: "thinking",
    run: (argument, { notice, setThinking }) => switchOver(argument, { name: "thinking", notice, set: setThinking }),
  },
  {
    name: "theme",
    aliases: ["themes"],
    summary: viewCommandTexts.theme,
    argumentHint: argumentTexts.theme,
    arguments: async ({ themeNames }) => themeNames(),
    group,
    action: "theme_list",
    run: changeTheme,
  },
  {
    name: "vim",
    aliases: [],
    summary: viewCommandTexts.vim,
    argumentHint: argumentTexts.onOff,
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
  else notice("warning", anyCommandTexts.usageOfSwitch(name));
}

function changeTheme(argument: string, { notice, open, setTheme, themeNames }: CommandContext): void {
  const names = themeNames();
  const nearest = nearNames(argument, names, { countMax: 1 })[0];
  const hint = nearest === undefined ? viewNoticeTexts.listThemes : anyCommandTexts.didYouMean(nearest);
  if (argument === "") open("themes");
  else if (names.includes(argument)) setTheme(argument);
  else notice("warning", viewNoticeTexts.unknownTheme({ theme: argument, hint }));
}

function copyAnswer({ copy, lastAnswer, notice }: CommandContext): void {
  const answer = lastAnswer();
  if (answer === "") {
    notice("warning", viewNoticeTexts.noAnswer);
    return;
  }
  copy(answer);
  notice("success", viewNoticeTexts.answerCopied);
}

async function showDiff(context: CommandContext): Promise<void> {
  const { client, notice, open } = context;
  const session = sessionOf(context);
  if (session === undefined) return;
  const answer = await client.ask<"session.diff">({ type: "session.diff", sessionId: session.id });
  if (!answer.ok) return notice("error", failureText(answer.failure));
  const { files } = answer.value;
  if (files.length === 0) return notice("info", viewNoticeTexts.noFilesChanged);
  open("diff", files.map(({ patch }) => patch.trimEnd()).join("\n"));
}
