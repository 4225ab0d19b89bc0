/** Commands about the conversation: its beginning, its end, what is taken back, and what the model still sees of it. */

import { countText } from "../status/short-figures.ts";
import { sessionNoticeTexts } from "../texts/commands.ts";
import { argumentTexts, groupTexts, sessionCommandTexts } from "../texts/palette.ts";
import { type CommandContext, sessionOf } from "./command-context.ts";
import { bug, dump, exportFormats, exportSession } from "./export-session.ts";
import { resumeSession, sessionTitles } from "./resume-session.ts";
import type { SlashCommand } from "./slash-command.ts";
import { labelPlace, showOrMove, treeWords } from "./tree-commands.ts";

const group = groupTexts.session;

export const sessionCommands: readonly SlashCommand[] = [
  {
    name: "clear",
    aliases: ["new", "reset"],
    summary: sessionCommandTexts.clear,
    group,
    action: "session_new",
    run: (_, context) => begin(context),
  },
  {
    name: "sessions",
    aliases: ["resume", "session", "history"],
    summary: sessionCommandTexts.sessions,
    argumentHint: argumentTexts.sessions,
    arguments: sessionTitles,
    group,
    action: "session_list",
    run: resumeSession,
  },
  {
    name: "continue",
    aliases: [],
    summary: sessionCommandTexts.continue,
    group,
    isHiddenWhileBusy: true,
    run: async (_, context) => {
      if (sessionOf(context) !== undefined) await context.desk.continueRun();
    },
  },
  {
    name: "undo",
    aliases: [],
    summary: sessionCommandTexts.undo,
    argumentHint: argumentTexts.force,
    arguments: ["force"],
    group,
    action: "undo",
    isHiddenWhileBusy: true,
    run: (argument, context) => takeBack("undo", argument, context),
  },
  {
    name: "redo",
    aliases: [],
    summary: sessionCommandTexts.redo,
    argumentHint: argumentTexts.force,
    arguments: ["force"],
    group,
    action: "redo",
    isHiddenWhileBusy: true,
    run: (argument, context) => takeBack("redo", argument, context),
  },
  {
    name: "rewind",
    aliases: [],
    summary: sessionCommandTexts.rewind,
    group,
    action: "rewind",
    isHiddenWhileBusy: true,
    run: (_, { open }) => open("rewind"),
  },
  {
    name: "checkpoint",
    aliases: ["checkpoints"],
    summary: sessionCommandTexts.checkpoint,
    argumentHint: argumentTexts.checkpoint,
    arguments: ["discard"],
    group,
    run: checkpoint,
  },
  {
    name: "tree",
    aliases: [],
    summary: sessionCommandTexts.tree,
    argumentHint: argumentTexts.tree,
    arguments: treeWords,
    group,
    action: "tree",
    isHiddenWhileBusy: true,
    run: showOrMove,
  },
  {
    name: "label",
    aliases: [],
    summary: sessionCommandTexts.label,
    argumentHint: argumentTexts.label,
    group,
    run: labelPlace,
  },
  {
    name: "fork",
    aliases: ["branch"],
    summary: sessionCommandTexts.fork,
    group,
    run: async (_, context) => {
      if (sessionOf(context) !== undefined) await context.desk.fork();
    },
  },
  {
    name: "rename",
    aliases: ["title"],
    summary: sessionCommandTexts.rename,
    argumentHint: argumentTexts.rename,
    group,
    run: rename,
  },
  {
    name: "compact",
    aliases: ["compress", "summarize"],
    summary: sessionCommandTexts.compact,
    argumentHint: argumentTexts.compact,
    group,
    action: "compact",
    run: async (argument, context) => {
      if (sessionOf(context) !== undefined) await context.desk.compact(argument);
    },
  },
  {
    name: "shake",
    aliases: [],
    summary: sessionCommandTexts.shake,
    argumentHint: argumentTexts.shake,
    arguments: ["images"],
    group,
    isHiddenWhileBusy: true,
    run: shake,
  },
  {
    name: "handoff",
    aliases: [],
    summary: sessionCommandTexts.handoff,
    argumentHint: argumentTexts.handoff,
    group,
    run: handOff,
  },
  {
    name: "export",
    aliases: ["save"],
    summary: sessionCommandTexts.export,
    argumentHint: argumentTexts.export,
    arguments: exportFormats,
    group,
    action: "export",
    run: exportSession,
  },
  {
    name: "dump",
    aliases: [],
    summary: sessionCommandTexts.dump,
    group,
    run: dump,
  },
  {
    name: "bug",
    aliases: ["feedback"],
    summary: sessionCommandTexts.bug,
    group,
    run: bug,
  },
];

async function begin(context: CommandContext): Promise<void> {
  const before = context.state().session?.id;
  await context.desk.begin();
  const after = context.state().session?.id;
  if (before !== undefined && after !== before) context.notice("info", sessionNoticeTexts.begun);
}

async function takeBack(name: "undo" | "redo", argument: string, context: CommandContext): Promise<void> {
  if (argument !== "" && argument !== "force") {
    context.notice("warning", sessionNoticeTexts.usageOfUndo(name));
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
    notice("warning", sessionNoticeTexts.usageOfCheckpoint);
    return;
  }
  const session = sessionOf(context);
  if (session === undefined) return;
  const command = { type: "checkpoint.discard", sessionId: session.id } as const;
  const discarded = await context.desk.send<"checkpoint.discard">(command);
  if (discarded.ok) notice("info", sessionNoticeTexts.checkpointDiscarded(discarded.value.goal));
}

async function rename(argument: string, context: CommandContext): Promise<void> {
  const session = sessionOf(context);
  if (session === undefined) return;
  if (argument !== "") return context.desk.rename(argument);
  const { title } = session;
  context.notice("info", title === "" ? sessionNoticeTexts.noTitle : sessionNoticeTexts.title(title));
}

async function shake(argument: string, context: CommandContext): Promise<void> {
  if (argument !== "" && argument !== "images") {
    context.notice("warning", sessionNoticeTexts.usageOfShake);
    return;
  }
  const session = sessionOf(context);
  if (session === undefined) return;
  const images = argument === "images";
  const done = await context.desk.send<"context.shake">({ type: "context.shake", sessionId: session.id, images });
  if (!done.ok) return;
  const { resultCount, tokensFreed } = done.value;
  if (resultCount === 0) context.notice("info", sessionNoticeTexts.nothingToDrop);
  else context.notice("success", sessionNoticeTexts.dropped({ count: resultCount, tokens: countText(tokensFreed) }));
}

async function handOff(argument: string, context: CommandContext): Promise<void> {
  const session = sessionOf(context);
  if (session === undefined) return;
  const { desk, notice } = context;
  const focus = argument === "" ? {} : { focus: argument };
  const handed = await desk.send<"session.handoff">({ type: "session.handoff", sessionId: session.id, ...focus });
  if (!handed.ok) return;
  if (handed.value.sessionId === session.id) {
    notice("info", sessionNoticeTexts.noHandoff);
    return;
  }
  await desk.switchTo(handed.value.sessionId);
  if (context.state().session?.id === handed.value.sessionId) notice("success", sessionNoticeTexts.handedOff);
}
