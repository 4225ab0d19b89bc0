/** Handlers of the commands on prompts and runs: a prompt is stored before anything follows from it. */
import { type CommandAnswer, type CommandOf, type Refused, type RunOptions, runWithoutSteps } from "@kedge/protocol";
import { isInterrupted } from "../closing-facts.ts";
import type { Session } from "../session.ts";
import type { CommandHandlers } from "./command-handler.ts";
import { busyAnswer, mend } from "./make-room.ts";

type PromptCommandType = "prompt.submit" | "prompt.revise" | "prompt.withdraw" | "run.continue" | "turn.interrupt";

export const promptCommands: CommandHandlers<PromptCommandType> = {
  async "prompt.submit"(session, command) {
    await mend(session.journal);
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
    await mend(journal);
    if (!isInterrupted(journal.state)) {
      const message = "Nothing is left to continue: the last run was finished.";
      return { ok: false, failure: { code: "not_found", message, recovery: "Give a new prompt.", retryable: false } };
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
  { text: given, delivery, attachments, options }: CommandOf<"prompt.submit">,
): Promise<CommandAnswer<"prompt.submit">> {
  const { engine, journal, work, steering } = session;
  const ran = await runLocalCommand(session, given, options);
  if (ran?.runId !== undefined) return { ok: true, value: { promptId: "", runId: ran.runId } };
  const text = ran?.prompt ?? given;
  const promptId = engine.newId("prm_");
  if (ran !== undefined) session.moments?.expanded(promptId, ran.command);
  await work.isBusy();
  const underWay = work.runId();
  const runId = underWay !== undefined && delivery === "steer" ? underWay : engine.newId("run_");
  const isRunsOwn = work.giveOptions(runId, options) && Object.keys(options).length > 0;
  await journal.emit({
    type: "prompt.admitted",
    promptId,
    runId,
    delivery,
    text,
    ...(attachments !== undefined && { attachments }),
    ...(isRunsOwn && { options }),
  });
  if (work.runId() === undefined) work.start(runId);
  else if (delivery === "steer") steering.arrived();
  return { ok: true, value: { promptId, runId } };
}

type CommandRun =
  | { readonly runId: string; readonly prompt?: never }
  | {
      readonly runId?: never;
      readonly prompt: string;
      readonly command: { readonly name: string; readonly argument: string };
    };

async function runLocalCommand(session: Session, text: string, options: RunOptions): Promise<CommandRun | undefined> {
  const { engine, journal, work } = session;
  const [name = "", ...rest] = text.slice(1).split(/\s+/);
  const command = text.startsWith("/") ? engine.localCommands.find((known) => known.name === name) : undefined;
  if (command === undefined) return undefined;
  const answer = await command.run(rest.join(" "), journal.state, options);
  if ("prompt" in answer) return { prompt: answer.prompt, command: { name, argument: rest.join(" ") } };
  const { text: output, data } = answer;
  const ran = { type: "command.ran", command: `/${name}`, text: output, ...(data !== undefined && { data }) } as const;
  const runId = engine.newId("run_");
  // Beside a run that is under way the command is only recorded; alone it is a whole run without a model call.
  if (work.runId() !== undefined) await journal.emit(ran);
  else await journal.emit(ran, { type: "run.ended", runId, ...runWithoutSteps("completed", output) });
  return { runId };
}

function isQueued({ journal }: Session, promptId: string): boolean {
  return journal.state.queue.some((prompt) => prompt.promptId === promptId);
}

function notQueued(promptId: string): Refused {
  const message = `Prompt ${promptId} is not waiting any more; the model has already seen it.`;
  return { ok: false, failure: { code: "not_found", message, retryable: false } };
}
