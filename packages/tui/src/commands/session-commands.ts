/** Commands about the conversation: its beginning, its end, what is taken back, and what the model still sees of it. */
import { countText } from "../status/short-figures.ts";
import { type CommandContext, sessionOf } from "./command-context.ts";
import { bug, dump, exportFormats, exportSession } from "./export-session.ts";
import { resumeSession, sessionTitles } from "./resume-session.ts";
import type { SlashCommand } from "./slash-command.ts";
import { labelPlace, showOrMove, treeWords } from "./tree-commands.ts";

const group = "Session";

export const sessionCommands: readonly SlashCommand[] = [
  {
    name: "clear",
    aliases: ["new", "reset"],
    summary: "Start a new session (the current one stays in /sessions)",
    group,
    action: "session_new",
    run: (_, context) => begin(context),
  },
  {
    name: "sessions",
    aliases: ["resume", "session", "history"],
    summary: "List sessions, or resume one by title or id",
    argumentHint: "[session]",
    arguments: sessionTitles,
    group,
    action: "session_list",
    run: resumeSession,
  },
  {
    name: "continue",
    aliases: [],
    summary: "Resume the interrupted run",
    group,
    isHiddenWhileBusy: true,
    run: async (_, context) => {
      if (sessionOf(context) !== undefined) await context.desk.continueRun();
    },
  },
  {
    name: "undo",
    aliases: [],
    summary: "Undo the last prompt (force also discards your edits to the same files)",
    argumentHint: "[force]",
    arguments: ["force"],
    group,
    action: "undo",
    isHiddenWhileBusy: true,
    run: (argument, context) => takeBack("undo", argument, context),
  },
  {
    name: "redo",
    aliases: [],
    summary: "Redo the last undo (force overwrites your edits to the same files)",
    argumentHint: "[force]",
    arguments: ["force"],
    group,
    action: "redo",
    isHiddenWhileBusy: true,
    run: (argument, context) => takeBack("redo", argument, context),
  },
  {
    name: "rewind",
    aliases: [],
    summary: "Rewind conversation, files or both to an earlier prompt",
    group,
    action: "rewind",
    isHiddenWhileBusy: true,
    run: (_, { open }) => open("rewind"),
  },
  {
    name: "checkpoint",
    aliases: ["checkpoints"],
    summary: "Open rewind, or discard the model's checkpoint",
    argumentHint: "[discard]",
    arguments: ["discard"],
    group,
    run: checkpoint,
  },
  {
    name: "tree",
    aliases: [],
    summary: "Show the session tree; jump by number or search",
    argumentHint: "[number or words]",
    arguments: treeWords,
    group,
    action: "tree",
    isHiddenWhileBusy: true,
    run: showOrMove,
  },
  {
    name: "label",
    aliases: [],
    summary: "Label this point in the tree, or remove its label",
    argumentHint: "[name]",
    group,
    run: labelPlace,
  },
  {
    name: "fork",
    aliases: ["branch"],
    summary: "Fork the conversation into a new session",
    group,
    run: async (_, context) => {
      if (sessionOf(context) !== undefined) await context.desk.fork();
    },
  },
  {
    name: "rename",
    aliases: ["title"],
    summary: "Rename the session",
    argumentHint: "<title>",
    group,
    run: rename,
  },
  {
    name: "compact",
    aliases: ["compress", "summarize"],
    summary: "Summarize older messages to free context, with optional instructions",
    argumentHint: "[instructions]",
    group,
    action: "compact",
    run: async (argument, context) => {
      if (sessionOf(context) !== undefined) await context.desk.compact(argument);
    },
  },
  {
    name: "shake",
    aliases: [],
    summary: "Drop long tool output from the context (images: only images)",
    argumentHint: "[images]",
    arguments: ["images"],
    group,
    isHiddenWhileBusy: true,
    run: shake,
  },
  {
    name: "handoff",
    aliases: [],
    summary: "Summarize into a new session, with an optional focus",
    argumentHint: "[focus]",
    group,
    run: handOff,
  },
  {
    name: "export",
    aliases: ["save"],
    summary: "Export the session to a file, secrets redacted: md, html, json or jsonl",
    argumentHint: "[file] [format]",
    arguments: exportFormats,
    group,
    action: "export",
    run: exportSession,
  },
  {
    name: "dump",
    aliases: [],
    summary: "Copy the conversation as Markdown, secrets redacted",
    group,
    run: dump,
  },
  {
    name: "bug",
    aliases: ["feedback"],
    summary: "Save the session for a bug report, secrets redacted; nothing is sent",
    group,
    run: bug,
  },
];

async function begin(context: CommandContext): Promise<void> {
  const before = context.state().session?.id;
  await context.desk.begin();
  const after = context.state().session?.id;
  if (before !== undefined && after !== before)
    context.notice("info", "New session. The previous one is in /sessions.");
}

async function takeBack(name: "undo" | "redo", argument: string, context: CommandContext): Promise<void> {
  if (argument !== "" && argument !== "force") {
    context.notice("warning", `Usage: /${name} [force]. With force, your own edits to the same files are overwritten.`);
    return;
  }
  if (sessionOf(context) === undefined) return;
  const isForced = argument === "force";
  await (name === "undo" ? context.desk.undo({ isForced }) : context.desk.redo({ isForced }));
}

async function checkpoint(argument: string, context: CommandContext): Promise<void> {
  const { notice, open } = context;
  if (argument === "") return open("rewind");
  if (argument !== "discard") {
    notice("warning", "Usage: /checkpoint discard, or /rewind to go back.");
    return;
  }
  const session = sessionOf(context);
  if (session === undefined) return;
  const command = { type: "checkpoint.discard", sessionId: session.id } as const;
  const discarded = await context.desk.send<"checkpoint.discard">(command);
  if (discarded.ok) notice("info", `Checkpoint discarded: ${discarded.value.goal}`);
}

async function rename(argument: string, context: CommandContext): Promise<void> {
  const session = sessionOf(context);
  if (session === undefined) return;
  if (argument !== "") return context.desk.rename(argument);
  const title = session.title === "" ? "The session has no title yet" : `Title: ${session.title}`;
  context.notice("info", `${title}. Change it with /rename <title>.`);
}

async function shake(argument: string, context: CommandContext): Promise<void> {
  if (argument !== "" && argument !== "images") {
    context.notice("warning", "Usage: /shake, or /shake images for images only.");
    return;
  }
  const session = sessionOf(context);
  if (session === undefined) return;
  const images = argument === "images";
  const done = await context.desk.send<"context.shake">({ type: "context.shake", sessionId: session.id, images });
  if (!done.ok) return;
  const { resultCount, tokensFreed } = done.value;
  const what = resultCount === 1 ? "1 result" : `${resultCount} results`;
  if (resultCount === 0) context.notice("info", "Nothing to drop.");
  else context.notice("success", `${what} dropped from the context, about ${countText(tokensFreed)} tokens freed.`);
}

async function handOff(argument: string, context: CommandContext): Promise<void> {
  const session = sessionOf(context);
  if (session === undefined) return;
  const { desk, notice } = context;
  const focus = argument === "" ? {} : { focus: argument };
  const handed = await desk.send<"session.handoff">({ type: "session.handoff", sessionId: session.id, ...focus });
  if (!handed.ok) return;
  if (handed.value.sessionId === session.id) {
    notice("info", "No handoff was possible. The conversation was summarized instead.");
    return;
  }
  await desk.switchTo(handed.value.sessionId);
  if (context.state().session?.id === handed.value.sessionId)
    notice("success", "Continuing in a new session. The previous one is in /sessions.");
}
