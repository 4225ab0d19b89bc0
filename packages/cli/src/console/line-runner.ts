/** Does what a line asks for that answers no question: a prompt, a note, a command of the console, or one of the user's shell. */
import {
  type Client,
  type Effort,
  isExitWord,
  type Media,
  type RunOptions,
  shellEndText,
  stripTerminalControls,
  userShellText,
} from "@kedge/protocol";
import { failureText } from "../failure-text.ts";
import { talkTexts } from "../texts/console.ts";
import { runConsoleCommand } from "./console-commands.ts";
import type { ConsoleScreen } from "./console-screen.ts";
import type { FollowedSession } from "./followed-session.ts";

export interface LineRunner {
  run(line: string): Promise<void>;
  submit(text: string): Promise<void>;
  /** Takes up another session, such as the one in which the work continues; with `isShown`, what happened there so far is shown. */
  goOverTo(sessionId: string, text: string, isShown?: boolean): Promise<void>;
  /** Ends whatever is under way; false when nothing is. */
  interrupt(): boolean;
  /** Ends what a line still does, but not the run, which whoever closes the session ends. */
  abandon(): void;
}

export type LineRunnerParts = {
  readonly client: Client;
  readonly screen: ConsoleScreen;
  readonly session: FollowedSession;
  /** Go with the next prompt. */
  readonly attachments: readonly Media[];
  readonly runOptions: RunOptions;
  readonly onExit: () => void;
};

export function createLineRunner(parts: LineRunnerParts): LineRunner {
  const { client, screen, session } = parts;
  let { attachments, runOptions } = parts;
  /** The user's own command that is under way. */
  let isShellLineRunning = false;
  /** A command of the console that may take long, such as a summary. */
  let isCommanding = false;

  async function submit(text: string): Promise<void> {
    const isSteer = session.isRunning();
    const sent = await client.send<"prompt.submit">({
      type: "prompt.submit",
      sessionId: session.id,
      text,
      ...(attachments.length > 0 && { attachments }),
      delivery: isSteer ? "steer" : "follow-up",
      options: runOptions,
    });
    attachments = [];
    if (!sent.ok) screen.lines(`${failureText(sent.failure)}\n`);
    else if (!isSteer && session.state.lastRun?.runId !== sent.value.runId) session.awaitRun(sent.value.runId);
  }

  async function handle(line: string): Promise<void> {
    if (line.trim() === "") return;
    if (isExitWord(line)) return parts.onExit();
    if (line.startsWith("!!")) return runShellLine(line.slice(2), { isPrivate: true });
    if (line.startsWith("!")) return runShellLine(line.slice(1), { isPrivate: false });
    if (line.startsWith("#")) return saveNote(line.replace(/^#+/, "").trim());
    if (!line.startsWith("/")) return submit(line);
    isCommanding = true;
    const outcome = await runConsoleCommand(line, client, session.state).finally(() => {
      isCommanding = false;
    });
    if (outcome.kind === "exit") parts.onExit();
    else if (outcome.kind === "continue") await continueRun();
    else if (outcome.kind === "effort") changeEffort(outcome.effort);
    else if (outcome.kind === "shown") screen.lines(outcome.text);
    else if (outcome.kind === "switch") await goOverTo(outcome.sessionId, outcome.text);
    else await submit(outcome.line);
  }

  /** This conversation hears it with the next prompt, later ones find it in memory. */
  async function saveNote(text: string): Promise<void> {
    if (text === "") return;
    const added = await client.send<"message.add">({ type: "message.add", sessionId: session.id, text });
    if (added.ok) return submit(`/memory add ${text}`);
    screen.lines(`${failureText(added.failure)}\n`);
  }

  /** The user's own command: nobody is asked. The model reads it with the next prompt, unless it is private. */
  async function runShellLine(typed: string, { isPrivate }: { readonly isPrivate: boolean }): Promise<void> {
    const command = typed.trim();
    if (command === "") return;
    isShellLineRunning = true;
    const ran = await client.send<"shell.run">({ type: "shell.run", sessionId: session.id, command });
    isShellLineRunning = false;
    if (!ran.ok) {
      screen.lines(`${failureText(ran.failure)}\n`);
      return;
    }
    const { output } = ran.value;
    screen.lines(stripTerminalControls(output === "" || output.endsWith("\n") ? output : `${output}\n`));
    const end = shellEndText(ran.value);
    if (end !== "") screen.lines(`${end}\n`);
    if (isPrivate) return;
    const text = userShellText(command, ran.value);
    const added = await client.send<"message.add">({ type: "message.add", sessionId: session.id, text });
    if (!added.ok) screen.lines(`${failureText(added.failure)}\n`);
  }

  async function continueRun(): Promise<void> {
    const sessionId = session.id;
    const sent = await client.send<"run.continue">({ type: "run.continue", sessionId, options: runOptions });
    if (!sent.ok) screen.lines(`${failureText(sent.failure)}\n`);
    else session.awaitRun(sent.value.runId);
  }

  async function goOverTo(sessionId: string, text: string, isShown = false): Promise<void> {
    const resumed = await client.send<"session.resume">({ type: "session.resume", sessionId });
    if (resumed.ok) await session.goOverTo(sessionId, isShown);
    screen.lines(resumed.ok ? text : `${failureText(resumed.failure)}\n`);
  }

  /** A limit of tokens stays, except the one that forbids all thinking: this wish is the later one. */
  function changeEffort(effort: Effort): void {
    const { tokensMax = 0 } = runOptions.reasoning ?? {};
    runOptions = { ...runOptions, reasoning: { effort, ...(tokensMax > 0 && { tokensMax }) } };
    screen.lines(talkTexts.effortIs(effort));
  }

  /** Whatever is no yes means no, and is then read as the next line. */
  async function answerLimit(line: string): Promise<void> {
    session.passLimit();
    if (!/^y(es)?$/i.test(line.trim())) return /^n(o)?$/i.test(line.trim()) ? undefined : handle(line);
    await continueRun();
  }

  return {
    run: (line) => (session.isAtLimit() && !session.isRunning() ? answerLimit(line) : handle(line)),
    submit,
    goOverTo,
    interrupt() {
      const sessionId = session.id;
      if (isShellLineRunning) void client.send<"shell.abort">({ type: "shell.abort", sessionId });
      else if (isCommanding || session.isRunning()) {
        void client.send<"turn.interrupt">({ type: "turn.interrupt", sessionId });
      } else return false;
      return true;
    },
    abandon() {
      const sessionId = session.id;
      if (isShellLineRunning) void client.send<"shell.abort">({ type: "shell.abort", sessionId });
      if (isCommanding) void client.send<"turn.interrupt">({ type: "turn.interrupt", sessionId });
    },
  };
}
