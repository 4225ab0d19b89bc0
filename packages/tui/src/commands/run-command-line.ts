/** Carries out a line of the prompt that begins with a slash, or says that it is a prompt after all. */
import { type Client, FailureError } from "@kedge/protocol";
import { failureText } from "../app/told-texts.ts";
import { type CommandContext, type DialogName, sessionOf } from "./command-context.ts";
import { missingParameters, questionsFor, withAnswers } from "./missing-parameters.ts";
import { type EngineCommand, type ParsedLine, parseCommand } from "./parse-command.ts";
import type { SlashCommand } from "./slash-command.ts";

export type CommandLineParts = { readonly commands: readonly SlashCommand[]; readonly context: CommandContext };

/** `prompt`: nothing was done, the line is for the model. Everything else was carried out or told here. */
export async function runCommandLine(line: string, parts: CommandLineParts): Promise<"done" | "prompt"> {
  try {
    return await carryOut(await parsed(line, parts), parts.context);
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    parts.context.notice("error", failureText(error.failure));
    return "done";
  }
}

/** The engine is asked only about what we do not know. */
async function parsed(line: string, { commands, context }: CommandLineParts): Promise<ParsedLine> {
  const own = parseCommand(line, { commands, engineCommands: [] });
  const isWhole = own.kind === "prompt" || (own.kind === "command" && isTypedWhole(line, own.command));
  if (isWhole) return own;
  return parseCommand(line, { commands, engineCommands: await engineCommandsOf(context.client) });
}

function isTypedWhole(line: string, { name, aliases }: SlashCommand): boolean {
  const typed = /^\s*\/(\S*)/.exec(line)?.[1] ?? "";
  return typed === name || aliases.includes(typed);
}

/** Without an answer there are none that we could name. */
async function engineCommandsOf(client: Client): Promise<readonly EngineCommand[]> {
  const listed = await client.ask<"command.list">({ type: "command.list" });
  return listed.ok ? listed.value.commands : [];
}

async function carryOut(line: ParsedLine, context: CommandContext): Promise<"done" | "prompt"> {
  switch (line.kind) {
    case "prompt":
      return "prompt";
    case "unknown":
      context.notice("warning", line.sentence);
      return "done";
    case "engine":
      if (opensDialog(line.command, line.argument, context)) return "done";
      await runInEngine(line.command, line.argument, context);
      return "done";
    case "command":
      await line.command.run(line.argument, context);
      return "done";
  }
}

/** Commands whose answer is a list to act on: the screen shows a dialog, other views the text. */
const dialogsOfCommands: ReadonlyMap<string, DialogName> = new Map([["memory inbox", "memory-inbox"]]);

function opensDialog({ name }: EngineCommand, argument: string, { open }: CommandContext): boolean {
  const dialog = dialogsOfCommands.get(`${name} ${argument.trim()}`);
  if (dialog !== undefined) open(dialog);
  return dialog !== undefined;
}

/** Whoever leaves out what is required is asked for it; whoever leaves the question has run nothing. */
async function runInEngine(command: EngineCommand, typed: string, context: CommandContext): Promise<void> {
  const { name, parameters = [] } = command;
  const session = sessionOf(context);
  if (session === undefined) return;
  const missing = missingParameters(parameters, typed);
  const answers = missing.length === 0 ? [] : await context.askQuestions(questionsFor(missing));
  if (answers === undefined) return;
  const argument = withAnswers(typed, missing, answers);
  await context.desk.send<"command.run">({
    type: "command.run",
    sessionId: session.id,
    name,
    ...(argument !== "" && { arguments: argument }),
  });
}
