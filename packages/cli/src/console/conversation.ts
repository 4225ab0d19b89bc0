/** Holds one conversation: shows what happens in the session, and gives each line to whoever waits for one. */
import { setImmediate } from "node:timers/promises";
import {
  type Client,
  type Event,
  FailureError,
  type Media,
  type RunOptions,
  stripTerminalControls,
} from "@kedge/protocol";
import { onEndSignal } from "../end-signals.ts";
import { exitCodeOf, exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { talkTexts } from "../texts/console.ts";
import { openConsoleInput } from "./console-input.ts";
import { type ConsoleScreen, openConsoleScreen } from "./console-screen.ts";
import { factText, questionText } from "./console-view.ts";
import { createFollowedSession } from "./followed-session.ts";
import { createLineRunner } from "./line-runner.ts";
import { createOpenQuestions } from "./open-questions.ts";
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

const watchText = talkTexts.viewOnly;

export async function converse(options: ConversationOptions): Promise<number> {
  const { client, mayApprove = true } = options;
  // The work has no purpose when nobody reads any more.
  const screen = openConsoleScreen({ onReaderGone: () => leave(exitCodes.success) });
  const print = eventPrinter(screen, { mayApprove });
  let exitCode: number | undefined;
  /** Thrown once the console is as it was before. */
  let bug: { readonly error: unknown } | undefined;
  let wake = () => {};
  /** Where the work continues, until the console has followed. */
  let movedTo: string | undefined;

  const session = createFollowedSession({
    client,
    sessionId: options.sessionId,
    onEvent(event) {
      print(event);
      if (event.kind === "signal" && event.signal.type === "session.moved") movedTo = event.signal.toSessionId;
      wake();
    },
    onBroken(error) {
      if (error instanceof FailureError) screen.lines(`${failureText(error.failure)}\n`);
      else bug = { error };
      exitCode ??= exitCodes.error;
      wake();
    },
  });
  const { attachments, runOptions } = options;
  const onExit = () => {
    exitCode = exitCodes.success;
  };
  const lines = createLineRunner({ client, screen, session, attachments, runOptions, onExit });
  const openQuestion = createOpenQuestions({ client, screen, session, mayApprove });
  const input = openConsoleInput(options.environment, {
    onChange: () => wake(),
    onInterrupt() {
      if (lines.interrupt()) return;
      exitCode = exitCodes.interrupted;
      wake();
    },
  });

  function leave(code: number): void {
    exitCode = code;
    lines.abandon();
    wake();
  }
  // Ctrl+C has a meaning of its own here, and comes with the input.
  using _signals = onEndSignal(() => leave(exitCodes.interrupted), { signals: ["SIGTERM", "SIGHUP", "SIGQUIT"] });

  /** Does the one thing that is due; false when nothing is, and a line or an event must come first. */
  async function advance(): Promise<boolean> {
    if (movedTo !== undefined) {
      const next = movedTo;
      movedTo = undefined;
      await lines.goOverTo(next, "", true);
      return true;
    }
    const question = openQuestion();
    if (question !== undefined) {
      if (input.ended()) return question.giveUp();
      screen.endLine();
      question.show();
      input.invite(question.hint);
    } else if (session.isRunning()) {
      if (!input.isTyped) return false;
    } else {
      if (input.ended()) {
        exitCode ??= input.isTyped ? exitCodes.success : codeOfLastRun();
        return false;
      }
      screen.endLine();
      const { mode } = session.state;
      if (session.isAtLimit()) input.invite(talkTexts.continueAfterLimit);
      else input.invite(mode === "default" ? "> " : `[${mode}] > `);
      options.onReady?.();
    }
    const line = input.take();
    if (line === undefined) return false;
    await (question === undefined ? lines.run(line) : question.answer(line));
    // Facts are delivered a moment after the answer to their command; the next line must see them.
    await setImmediate();
    return exitCode === undefined;
  }

  function codeOfLastRun(): number {
    const { lastRun } = session.state;
    return lastRun === undefined ? exitCodes.success : exitCodeOf(lastRun, { failOnDeny: false });
  }

  screen.lines(talkTexts.greeting(stripTerminalControls(options.model)));
  if (options.notice !== undefined) screen.lines(`(${stripTerminalControls(options.notice)})\n`);
  try {
    for await (const record of client.facts(session.id)) {
      if (record.fact.type === "prompt.admitted") screen.lines(`> ${stripTerminalControls(record.fact.text)}\n`);
      session.take({ kind: "fact", record });
    }
    if (options.interrupted) screen.lines(talkTexts.wasInterrupted);
    session.follow();
    if (options.prompt !== "") await lines.submit(options.prompt);
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
    await session.stop();
    input.close();
    screen.endLine();
  }
}

/** A streamed answer is on the screen already when its step ends. */
function eventPrinter(screen: ConsoleScreen, { mayApprove }: { readonly mayApprove: boolean }) {
  let streamedStep = "";
  return (event: Event): void => {
    if (event.kind === "signal") {
      const { signal } = event;
      if (signal.type === "text.delta") {
        streamedStep = signal.stepId;
        screen.stream(signal.text);
      } else if (signal.type === "notice") screen.lines(`(${stripTerminalControls(signal.text)})\n`);
      else if (signal.type === "step.retrying") screen.lines(`(${retryText(signal)})\n`);
      else if (signal.type === "step.stalling") screen.lines(`(${stallText(signal)})\n`);
      else if (signal.type === "run.unrecorded") screen.lines(`${failureText(signal.failure)}\n`);
      return;
    }
    const { fact } = event.record;
    if (fact.type === "permission.asked") screen.lines(`${questionText(fact)}${mayApprove ? "" : watchText}`);
    else if (fact.type === "step.ended" && fact.stepId === streamedStep) {
      screen.endLine();
      if (fact.outcome === "failed") screen.lines(talkTexts.discarded);
    } else screen.lines(factText(fact));
  };
}
