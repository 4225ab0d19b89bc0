/** Handlers of the commands on prompts and runs: a prompt is stored before anything follows from it. */
import {
  type CommandAnswer,
  type CommandOf,
  type Fact,
  type Refused,
  type RunOptions,
  runWithoutSteps,
} from "@kedge/protocol";
import type { EngineParts, LocalAnswer, LocalCommand, LocalServices } from "../../parts.ts";
import type { RunTerms } from "../../run/run-terms.ts";
import { handOverIfDue } from "../automatic-handoff.ts";
import { isInterrupted } from "../closing-facts.ts";
import { lookOnce } from "../look-once.ts";
import type { Session } from "../session.ts";
import type { CommandHandlers } from "./command-handler.ts";
import { busyAnswer, repair } from "./make-room.ts";

type PromptCommandType = "prompt.submit" | "prompt.revise" | "prompt.withdraw" | "run.continue" | "turn.interrupt";

export const promptCommands: CommandHandlers<PromptCommandType> = {
  async "prompt.submit"(session, command) {
    await repair(session.journal);
    if (command.onlyIfIdle !== true) return admit(session, command);
    return (await session.work.admitIfIdle(() => admit(session, command))) ?? busyAnswer();
  },
  async "prompt.revise"(session, { promptId, text }) {
    if (!isQueued(session, promptId)) return notQueued(promptId);
    await session.journal.emit({ type: "prompt.revised", promptId, text });
    return { ok: true, value: {} };
  },
  async "prompt.withdraw"(session, { promptId }) {
    if (!isQueued(session, promptId)) return notQueued(promptId);
    await session.journal.emit({ type: "prompt.withdrawn", promptId });
    return { ok: true, value: {} };
  },
  async "run.continue"({ engine, journal, work }, { options }) {
    if (await work.isBusy()) return busyAnswer();
    await repair(journal);
    if (!isInterrupted(journal.state)) {
      const message = "Nothing to resume: the last run finished.";
      return { ok: false, failure: { code: "not_found", message, recovery: "Send a new prompt.", retryable: false } };
    }
    const runId = journal.state.queue[0]?.runId ?? engine.newId("run_");
    work.replaceOptions(runId, options);
    work.start(runId);
    return { ok: true, value: { runId } };
  },
  "turn.interrupt"({ work }) {
    work.stop();
    return { ok: true, value: {} };
  },
};

async function admit(
  session: Session,
  { text: given, from, delivery: wished, attachments, subtasks: wanted, options: asked }: CommandOf<"prompt.submit">,
): Promise<CommandAnswer<"prompt.submit">> {
  const { engine, journal, work, steering } = session;
  // What a guest writes reaches the model and nothing else.
  const ran = from === undefined ? await runLocalCommand(session, given, asked) : undefined;
  if (ran?.runId !== undefined) return { ok: true, value: { promptId: "", runId: ran.runId } };
  const text = ran?.prompt ?? given;
  const options = ran?.options === undefined ? asked : { ...asked, ...ran.options };
  const terms = ran?.terms;
  const subtasks = ran?.subtasks ?? (from === undefined ? wanted : undefined);
  // What a command allows or forbids is for the run that it begins, not for one that is under way.
  const delivery = terms === undefined ? wished : "follow-up";
  const promptId = engine.newId("prm_");
  if (ran !== undefined) session.moments?.expanded(promptId, ran.command);
  // A conversation that is large by now is handed over first, and the prompt moves along.
  if (!(await work.isBusy()) && hasAnswered(session)) handOverIfDue(session, work, session.openSuccessor);
  const underWay = work.runId();
  const joined = underWay !== undefined && delivery === "steer" ? underWay : joinedRun(session, options, terms);
  const runId = joined ?? engine.newId("run_");
  const isRunsOwn = work.giveOptions(runId, options, terms) && Object.keys(options).length > 0;
  await journal.emit({
    type: "prompt.admitted",
    promptId,
    runId,
    delivery,
    text,
    ...(from !== undefined && { from }),
    ...(attachments !== undefined && { attachments }),
    ...(subtasks !== undefined && subtasks.length > 0 && { subtasks }),
    ...(isRunsOwn && { options }),
  });
  if (work.runId() === undefined) work.start(runId);
  else if (delivery === "steer") steering.arrived();
  return { ok: true, value: { promptId, runId } };
}

/** A prompt for later may share the run of one that waits already. */
function joinedRun({ engine, work }: Session, options: RunOptions, terms: RunTerms | undefined): string | undefined {
  if (engine.conversation?.followUpMode !== "all" || terms !== undefined) return undefined;
  return work.waitingRun(options);
}

function hasAnswered({ journal }: Session): boolean {
  return journal.state.lastRun !== undefined && !isInterrupted(journal.state);
}

type CommandRun =
  | {
      readonly runId: string;
      readonly prompt?: never;
      readonly options?: never;
      readonly terms?: never;
      readonly subtasks?: never;
    }
  | (Extract<LocalAnswer, { readonly prompt: string }> & {
      readonly runId?: never;
      readonly command: { readonly name: string; readonly argument: string };
    });

async function runLocalCommand(session: Session, text: string, options: RunOptions): Promise<CommandRun | undefined> {
  const { engine, journal, work } = session;
  const found = await findCommand(engine, text);
  if (found === undefined) return undefined;
  const { command, argument } = found;
  const services: LocalServices = { look: (call, allow) => lookOnce(session, call, allow) };
  const answer = await command.run(argument, journal.state, options, services);
  if ("prompt" in answer) return { ...answer, command: { name: command.name, argument } };
  const { text: output, data, style } = answer;
  const told = {
    type: "command.ran",
    command: `/${command.name}`,
    text: output,
    ...(data !== undefined && { data }),
  } as const;
  const ran: readonly Fact[] = style === undefined ? [told] : [{ type: "style.changed", ...style }, told];
  const runId = engine.newId("run_");
  // Beside a run that is under way the command is only recorded; alone it is a whole run without a model call.
  if (work.runId() !== undefined) await journal.emit(...ran);
  else await journal.emit(...ran, { type: "run.ended", runId, ...runWithoutSteps("completed", output) });
  return { runId };
}

type FoundCommand = { readonly command: LocalCommand; readonly argument: string };

/** No phrase is longer, so that a prompt is looked at only where it may be one. */
const phraseCharactersMax = 40;

async function findCommand(engine: EngineParts, text: string): Promise<FoundCommand | undefined> {
  const { localCommands, addedCommands } = engine;
  if (!text.startsWith("/")) {
    if (text.length > phraseCharactersMax) return undefined;
    const phrase = text.trim().toLowerCase().replace(/[.!]$/, "");
    const command = localCommands.find(({ phrases }) => phrases !== undefined && Object.hasOwn(phrases, phrase));
    return command && { command, argument: command.phrases?.[phrase] ?? "" };
  }
  const [, name = "", argument = ""] = /^\/(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  const isNamed = (known: LocalCommand) => known.name === name;
  const own = localCommands.find(isNamed);
  const added = own === undefined || own.yields ? (await addedCommands?.())?.find(isNamed) : undefined;
  const command = added ?? own;
  return command && { command, argument: argument.trimEnd() };
}

function isQueued({ journal }: Session, promptId: string): boolean {
  return journal.state.queue.some((prompt) => prompt.promptId === promptId);
}

function notQueued(promptId: string): Refused {
  const message = `Prompt ${promptId} is no longer queued: the model has already seen it.`;
  return { ok: false, failure: { code: "not_found", message, retryable: false } };
}
