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
    summary: "begins a new session; the old one stays in /sessions",
    group,
    action: "session_new",
    run: (_, context) => begin(context),
  },
  {
    name: "sessions",
    aliases: ["resume", "session", "history"],
    summary: "lists sessions, or goes on with the one that is named",
    argumentHint: "[title or id]",
    arguments: sessionTitles,
    group,
    action: "session_list",
    run: resumeSession,
  },
  {
    name: "continue",
    aliases: [],
    summary: "goes on with a run that was cut off",
    group,
    isHiddenWhileBusy: true,
    run: async (_, context) => {
      if (sessionOf(context) !== undefined) await context.desk.continueRun();
    },
  },
  {
    name: "undo",
    aliases: [],
    summary: "takes back what the last prompt changed; /undo force also what you changed in the same files since",
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
    summary: "brings it again; /redo force also over what you changed in the same files since",
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
    summary: "goes back to before an earlier prompt: conversation, files or both",
    group,
    action: "rewind",
    isHiddenWhileBusy: true,
    run: (_, { open }) => open("rewind"),
  },
  {
    name: "checkpoint",
    aliases: ["checkpoints"],
    summary: "opens /rewind; /checkpoint discard forgets the place the model wanted to come back to",
    argumentHint: "[discard]",
    arguments: ["discard"],
    group,
    run: checkpoint,
  },
  {
    name: "tree",
    aliases: [],
    summary: "shows the places of the session; /tree and a number goes there, and words find",
    argumentHint: "[number [summary] or words]",
    arguments: treeWords,
    group,
    action: "tree",
    isHiddenWhileBusy: true,
    run: showOrMove,
  },
  {
    name: "label",
    aliases: [],
    summary: "gives this place in the tree a name, or takes it away",
    argumentHint: "[name]",
    group,
    run: labelPlace,
  },
  {
    name: "fork",
    aliases: ["branch"],
    summary: "copies the conversation into a session of its own",
    group,
    run: async (_, context) => {
      if (sessionOf(context) !== undefined) await context.desk.fork();
    },
  },
  {
    name: "rename",
    aliases: ["title"],
    summary: "gives the session a title",
    argumentHint: "<title>",
    group,
    run: rename,
  },
  {
    name: "compact",
    aliases: ["compress", "summarize"],
    summary: "has the older part of the conversation summarised, with your instructions",
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
    summary: "moves long results out of the model's sight; /shake images only pictures",
    argumentHint: "[images]",
    arguments: ["images"],
    group,
    isHiddenWhileBusy: true,
    run: shake,
  },
  {
    name: "handoff",
    aliases: [],
    summary: "goes on in a new session with what matters of this one, and your focus",
    argumentHint: "[focus]",
    group,
    run: handOff,
  },
  {
    name: "export",
    aliases: ["save"],
    summary: "writes the session to a file, without secrets: md, html, json or jsonl",
    argumentHint: "[file] [format]",
    arguments: exportFormats,
    group,
    action: "export",
    run: exportSession,
  },
  {
    name: "dump",
    aliases: [],
    summary: "copies the whole conversation as Markdown, without secrets",
    group,
    run: dump,
  },
  {
    name: "bug",
    aliases: ["feedback"],
    summary: "writes the session to a file for a report, without secrets; nothing is sent",
    group,
    run: bug,
  },
];

async function begin(context: CommandContext): Promise<void> {
  const before = context.state().session?.id;
  await context.desk.begin();
  const after = context.state().session?.id;
  if (before !== undefined && after !== before) context.notice("info", "A new session; the old one is in /sessions.");
}

async function takeBack(name: "undo" | "redo", argument: string, context: CommandContext): Promise<void> {
  if (argument !== "" && argument !== "force") {
    context.notice("warning", `Write /${name}, or /${name} force where you changed the same files since.`);
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
    notice("warning", "Write /checkpoint discard to forget the open checkpoint, or /rewind to go back.");
    return;
  }
  const session = sessionOf(context);
  if (session === undefined) return;
  const command = { type: "checkpoint.discard", sessionId: session.id } as const;
  const discarded = await context.desk.send<"checkpoint.discard">(command);
  if (discarded.ok) notice("info", `The checkpoint is forgotten: ${discarded.value.goal}`);
}

async function rename(argument: string, context: CommandContext): Promise<void> {
  const session = sessionOf(context);
  if (session === undefined) return;
  if (argument !== "") return context.desk.rename(argument);
  const title = session.title === "" ? "The session has no title yet" : `The session is called ${session.title}`;
  context.notice("info", `${title}; /rename and words change it.`);
}

async function shake(argument: string, context: CommandContext): Promise<void> {
  if (argument !== "" && argument !== "images") {
    context.notice("warning", "Write /shake, or /shake images for pictures only.");
    return;
  }
  const session = sessionOf(context);
  if (session === undefined) return;
  const images = argument === "images";
  const done = await context.desk.send<"context.shake">({ type: "context.shake", sessionId: session.id, images });
  if (!done.ok) return;
  const { resultCount, tokensFreed } = done.value;
  const what = resultCount === 1 ? "1 result" : `${resultCount} results`;
  if (resultCount === 0) context.notice("info", "There was nothing to move.");
  else context.notice("success", `${what} moved out of the model's sight, about ${countText(tokensFreed)} tokens.`);
}

async function handOff(argument: string, context: CommandContext): Promise<void> {
  const session = sessionOf(context);
  if (session === undefined) return;
  const { desk, notice } = context;
  const focus = argument === "" ? {} : { focus: argument };
  const handed = await desk.send<"session.handoff">({ type: "session.handoff", sessionId: session.id, ...focus });
  if (!handed.ok) return;
  if (handed.value.sessionId === session.id) {
    notice("info", "Nothing was handed over; the conversation was summarised instead.");
    return;
  }
  await desk.switchTo(handed.value.sessionId);
  if (context.state().session?.id === handed.value.sessionId)
    notice("success", "The work goes on in this new session; the old one is in /sessions.");
}
