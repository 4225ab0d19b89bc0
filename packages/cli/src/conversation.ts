/** Holds one conversation: shows what happens in the session, and gives each line to whoever waits for one. */
import {
  applyRecord,
  type Client,
  type Effort,
  type Event,
  emptySession,
  FailureError,
  type Media,
  type PermissionRequest,
  type Question,
  type RunOptions,
  stripTerminalControls,
} from "@kedge/protocol";
import { runConsoleCommand } from "./console-commands.ts";
import { openConsoleInput } from "./console-input.ts";
import { openConsoleScreen } from "./console-screen.ts";
import { answerHint, factText, questionText } from "./console-view.ts";
import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { failureText } from "./failure-text.ts";
import { parsePermissionAnswer } from "./permission-answer.ts";
import { parseChoice, questionnaireHint, questionnaireText } from "./questionnaire.ts";
import { retryText, stallText } from "./retry-text.ts";

export type ConversationOptions = {
  readonly client: Client;
  readonly sessionId: string;
  readonly model: string;
  /** True when the session's last run was cut off. */
  readonly interrupted: boolean;
  /** Shown once at the start. */
  readonly notice?: string;
  /** Sent first, when not empty. */
  readonly prompt: string;
  /** Go with that prompt, or with the next one. */
  readonly attachments: readonly Media[];
  readonly runOptions: RunOptions;
  readonly environment: { readonly [name: string]: string | undefined };
  /** False for one who may only watch what is asked for permission. */
  readonly mayApprove?: boolean;
  /** Told whenever the next prompt can be given. */
  readonly onReady?: () => void;
};

const watchText = "  you may only watch: your token may not approve\n";

export async function converse(options: ConversationOptions): Promise<number> {
  const { client, mayApprove = true } = options;
  const screen = openConsoleScreen();
  /** Another one once the user has gone over to a copy or a successor. */
  let { sessionId } = options;
  let state = emptySession(sessionId);
  /** Runs that were asked for and whose end has not been seen: the command's answer may come before its facts. */
  const awaitedRuns = new Set<string>();
  const answered = new Set<string>();
  let runOptions = options.runOptions;
  let attachments = options.attachments;
  /** The run stopped at a limit of cost or tokens, and the user has not said yet whether to go on. */
  let atLimit = false;
  /** Answers to the questions of the model that are open, as far as they were given. */
  let choices: readonly string[] = [];
  let shownChoice: Question | undefined;
  let unrecordedRun: string | undefined;
  /** The user's own command that is under way. */
  let isShellLineRunning = false;
  /** A command of the console that may take long, such as a summary. */
  let isCommanding = false;
  let streamedStep = "";
  let exitCode: number | undefined;
  /** Thrown once the console is as it was before. */
  let bug: { readonly error: unknown } | undefined;
  let wake = () => {};

  const isRunning = () => awaitedRuns.size > 0 || (state.runId !== undefined && state.runId !== unrecordedRun);
  const openQuestion = (): PermissionRequest | undefined =>
    mayApprove && isRunning()
      ? [...state.permissionRequests.values()].find(({ requestId }) => !answered.has(requestId))
      : undefined;

  function show(event: Event): void {
    if (event.kind === "signal") {
      const { signal } = event;
      if (signal.type === "text.delta") {
        streamedStep = signal.stepId;
        screen.stream(signal.text);
      } else if (signal.type === "notice") screen.lines(`(${stripTerminalControls(signal.text)})\n`);
      else if (signal.type === "step.retrying") screen.lines(`(${retryText(signal)})\n`);
      else if (signal.type === "step.stalling") screen.lines(`(${stallText(signal)})\n`);
      else if (signal.type === "run.unrecorded") {
        unrecordedRun = signal.runId;
        awaitedRuns.delete(signal.runId);
        screen.lines(`${failureText(signal.failure)}\n`);
      }
      return;
    }
    const { fact } = event.record;
    applyRecord(state, event.record);
    if (fact.type === "run.ended") {
      awaitedRuns.delete(fact.runId);
      atLimit = fact.reason === "error_max_budget";
    }
    if (fact.type === "permission.asked") screen.lines(`${questionText(fact)}${mayApprove ? "" : watchText}`);
    else if (fact.type === "step.ended" && fact.stepId === streamedStep) {
      screen.endLine();
      if (fact.outcome === "failed") screen.lines("(that answer broke off and does not count)\n");
    } else screen.lines(factText(fact));
  }

  async function submit(text: string): Promise<void> {
    const isSteer = isRunning();
    const delivery = isSteer ? "steer" : "follow-up";
    const sent = await client.send<"prompt.submit">({
      type: "prompt.submit",
      sessionId,
      text,
      ...(attachments.length > 0 && { attachments }),
      delivery,
      options: runOptions,
    });
    attachments = [];
    if (!sent.ok) screen.lines(`${failureText(sent.failure)}\n`);
    else if (!isSteer && state.lastRun?.runId !== sent.value.runId) awaitedRuns.add(sent.value.runId);
  }

  async function handle(line: string): Promise<void> {
    if (line.trim() === "") return;
    if (line.startsWith("!")) return runShellLine(line.slice(1));
    if (!line.startsWith("/")) return submit(line);
    isCommanding = true;
    const outcome = await runConsoleCommand(line, client, state).finally(() => {
      isCommanding = false;
    });
    if (outcome.kind === "exit") exitCode = exitCodes.success;
    else if (outcome.kind === "effort") changeEffort(outcome.effort);
    else if (outcome.kind === "shown") screen.lines(outcome.text);
    else if (outcome.kind === "switch") await goOverTo(outcome.sessionId, outcome.text);
    else await submit(line);
  }

  /** The user's own command: nobody is asked, and the model does not see it. Ctrl+C ends it. */
  async function runShellLine(command: string): Promise<void> {
    if (command.trim() === "") return;
    isShellLineRunning = true;
    const ran = await client.send<"shell.run">({ type: "shell.run", sessionId, command });
    isShellLineRunning = false;
    if (!ran.ok) {
      screen.lines(`${failureText(ran.failure)}\n`);
      return;
    }
    const { output, exitCode: code, signal } = ran.value;
    screen.lines(stripTerminalControls(output === "" || output.endsWith("\n") ? output : `${output}\n`));
    if (code === undefined) screen.lines(`(ended by ${signal})\n`);
    else if (code !== 0) screen.lines(`(exit code ${code})\n`);
  }

  /** The session that was left is free for others from then on. */
  async function goOverTo(next: string, text: string): Promise<void> {
    const resumed = await client.send<"session.resume">({ type: "session.resume", sessionId: next });
    if (!resumed.ok) {
      screen.lines(`${failureText(resumed.failure)}\n`);
      return;
    }
    following.abort();
    await watching;
    await client.send<"session.close">({ type: "session.close", sessionId });
    sessionId = next;
    state = emptySession(next);
    for await (const record of client.facts(next)) applyRecord(state, record);
    following = new AbortController();
    watching = watch(following.signal);
    screen.lines(text);
  }

  /** A limit of tokens stays, except the one that forbids all thinking: this wish is the later one. */
  function changeEffort(effort: Effort): void {
    const { tokensMax = 0 } = runOptions.reasoning ?? {};
    runOptions = { ...runOptions, reasoning: { effort, ...(tokensMax > 0 && { tokensMax }) } };
    screen.lines(`(effort: ${effort})\n`);
  }

  /** Whatever is no yes means no, and is then read as the next line. */
  async function answerLimit(line: string): Promise<void> {
    atLimit = false;
    if (!/^y(es)?$/i.test(line.trim())) return /^n(o)?$/i.test(line.trim()) ? undefined : handle(line);
    const sent = await client.send<"run.continue">({ type: "run.continue", sessionId, options: runOptions });
    if (!sent.ok) screen.lines(`${failureText(sent.failure)}\n`);
    else awaitedRuns.add(sent.value.runId);
  }

  /** The first question that has no answer yet; the answers go out together when all are there. */
  function openChoice(): { readonly requestId: string; readonly question: Question } | undefined {
    const open = isRunning() ? [...state.questions].find(([id]) => !answered.has(id)) : undefined;
    const [requestId, questions] = open ?? [];
    const question = questions?.[choices.length];
    return requestId === undefined || question === undefined ? undefined : { requestId, question };
  }

  async function answerChoice(line: string, requestId: string, question: Question): Promise<void> {
    const choice = parseChoice(line, question);
    if (choice === undefined) return;
    choices = [...choices, choice];
    if (openChoice() !== undefined) return;
    const answers = choices;
    choices = [];
    answered.add(requestId);
    const sent = await client.send<"question.answer">({ type: "question.answer", sessionId, requestId, answers });
    if (!sent.ok) screen.lines(`${failureText(sent.failure)}\n`);
  }

  async function answer(line: string, request: PermissionRequest): Promise<void> {
    const parsed = parsePermissionAnswer(line, request);
    if (parsed === undefined) return;
    const { requestId } = request;
    answered.add(requestId);
    const sent = await client.send<"permission.answer">({ type: "permission.answer", sessionId, requestId, ...parsed });
    if (sent.ok) return;
    screen.lines(`${failureText(sent.failure)}\n`);
    // An answer that could not be taken leaves the question open, but not for one who may not answer at all.
    if (sent.failure.code !== "not_found" && sent.failure.code !== "auth_error") answered.delete(requestId);
  }

  /** Does the one thing that is due; false when nothing is, and a line or an event must come first. */
  async function advance(): Promise<boolean> {
    const question = openQuestion();
    const choice = question === undefined ? openChoice() : undefined;
    if (choice !== undefined) {
      if (input.ended()) {
        // Nobody is left to choose; the run would wait for ever.
        await client.send<"turn.interrupt">({ type: "turn.interrupt", sessionId });
        return false;
      }
      screen.endLine();
      if (shownChoice !== choice.question) screen.lines(questionnaireText(choice.question));
      shownChoice = choice.question;
      input.invite(questionnaireHint(choice.question));
    } else if (question !== undefined) {
      if (input.ended()) {
        // Nobody is left to answer, and silence never means yes.
        await answer("n", question);
        return true;
      }
      screen.endLine();
      input.invite(answerHint(question));
    } else if (isRunning()) {
      if (!input.isTyped) return false;
    } else {
      if (input.ended()) {
        exitCode ??= input.isTyped || state.lastRun === undefined ? exitCodes.success : codeOfLastRun();
        return false;
      }
      screen.endLine();
      if (atLimit) input.invite("Go on, with as much again? y/n ");
      else input.invite(state.mode === "default" ? "> " : `[${state.mode}] > `);
      options.onReady?.();
    }
    const line = input.take();
    if (line === undefined) return false;
    if (choice !== undefined) await answerChoice(line, choice.requestId, choice.question);
    else if (question !== undefined) await answer(line, question);
    else await (atLimit && !isRunning() ? answerLimit(line) : handle(line));
    return exitCode === undefined;
  }

  function codeOfLastRun(): number {
    return state.lastRun === undefined ? exitCodes.success : exitCodeOf(state.lastRun, { failOnDeny: false });
  }

  const input = openConsoleInput(options.environment, {
    onChange: () => wake(),
    onInterrupt: () => {
      if (isShellLineRunning) void client.send<"shell.abort">({ type: "shell.abort", sessionId });
      else if (isCommanding || isRunning()) void client.send<"turn.interrupt">({ type: "turn.interrupt", sessionId });
      else {
        exitCode = exitCodes.interrupted;
        wake();
      }
    },
  });
  let following = new AbortController();
  screen.lines(
    `kedge, ${stripTerminalControls(options.model)}. /help lists commands, Ctrl+C interrupts, /exit ends.\n`,
  );
  if (options.notice !== undefined) screen.lines(`(${stripTerminalControls(options.notice)})\n`);
  let watching = Promise.resolve();
  /** Throws nothing: nobody waits for it before the end. */
  async function watch(signal: AbortSignal): Promise<void> {
    try {
      for await (const event of client.events(sessionId, state.lastSeq, signal)) {
        show(event);
        wake();
      }
    } catch (error) {
      if (!(error instanceof FailureError)) bug = { error };
      else if (signal.aborted) return;
      else screen.lines(`${failureText(error.failure)}\n`);
      exitCode ??= exitCodes.error;
      wake();
    }
  }
  try {
    for await (const record of client.facts(sessionId)) {
      if (record.fact.type === "prompt.admitted") screen.lines(`> ${stripTerminalControls(record.fact.text)}\n`);
      show({ kind: "fact", record });
    }
    if (options.interrupted) screen.lines("(the last run was cut off; kedge -p --continue goes on with it)\n");
    watching = watch(following.signal);
    if (options.prompt !== "") await submit(options.prompt);
    while (exitCode === undefined) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      while (await advance()) {}
      if (exitCode === undefined) await changed;
    }
    if (bug !== undefined) throw bug.error;
    return exitCode;
  } finally {
    following.abort();
    await watching;
    input.close();
    screen.endLine();
  }
}
