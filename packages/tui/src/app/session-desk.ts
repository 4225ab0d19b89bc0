/** Everything the user can have done in the session before them: each a command, each failure a sentence on the screen. */
import {
  type Client,
  type CommandAnswer,
  type CommandOf,
  type CommandType,
  type Delivery,
  type Effort,
  type Failure,
  FailureError,
  type Media,
  type PermissionAnswer,
  type PermissionMode,
  type RunOptions,
} from "@kedge/protocol";
import type { ActivityKind, ClientState, Notice } from "../state/client-state.ts";
import type { StateStore } from "../state/state-store.ts";
import { changesText, failureText } from "./told-texts.ts";
import type { TakeUpWish } from "./tui-parts.ts";

export type Submission = { readonly text: string; readonly attachments: readonly Media[] };

export type DeskParts = {
  readonly client: Client;
  readonly store: StateStore<ClientState>;
  readonly notice: (tone: Notice["tone"], text: string) => void;
  /** Puts a text back into the prompt, as after an undo. */
  readonly offerText: (text: string) => void;
  readonly openSession: (sessionId: string) => Promise<void>;
  /** Reads the conversation anew, so that what is told next stands behind it. */
  readonly refresh?: () => Promise<void>;
  /** Files may be otherwise now, without a run that tells of it. */
  readonly onFilesChanged?: () => void;
  readonly runOptions: RunOptions;
};

export type UndoWish = { readonly messageId?: string; readonly isForced?: boolean; readonly only?: "files" };

export interface SessionDesk {
  /** False when it was not taken; then the caller has the words still. */
  submit(submission: Submission, delivery: Delivery): Promise<boolean>;
  continueRun(): Promise<void>;
  /** False when it could not be done, as with every answer of this kind. */
  interrupt(): Promise<boolean>;
  /** The user's own line in the shell. The model reads it with the next prompt, unless it is kept from it. */
  runShell(command: string, options: { readonly isPrivate: boolean }): Promise<void>;
  isShellRunning(): boolean;
  abortShell(): Promise<void>;
  /** Ends the wait before a model is asked again. */
  hasten(): Promise<void>;
  answerPermission(requestId: string, answer: PermissionAnswer): Promise<boolean>;
  answerQuestions(requestId: string, answers: readonly string[]): Promise<boolean>;
  changeMode(mode: PermissionMode): Promise<void>;
  changeModel(model: string): Promise<void>;
  changeEffort(effort: Effort): void;
  effort(): Effort | undefined;
  /** Without a message the last prompt. */
  undo(options?: UndoWish): Promise<boolean>;
  /** Back to before a prompt: what was said, the files, or both. */
  rewind(messageId: string, what: "conversation" | "files" | "both"): Promise<void>;
  redo(options?: { readonly isForced?: boolean }): Promise<boolean>;
  /** Goes on before or after a place of the tree; the text of a prompt comes back into the prompt. */
  moveTo(entryId: string | undefined): Promise<void>;
  compact(instructions: string): Promise<void>;
  rename(title: string): Promise<void>;
  fork(): Promise<void>;
  begin(model?: string): Promise<void>;
  switchTo(sessionId: string, wish?: TakeUpWish): Promise<void>;
  /** Takes back a prompt that waits. */
  withdraw(messageId: string): Promise<boolean>;
  /** Any other command of the session, its failure told. */
  send<Type extends CommandType>(command: CommandOf<Type>): Promise<CommandAnswer<Type>>;
}

export function createSessionDesk(parts: DeskParts): SessionDesk {
  const { client, store, notice } = parts;
  let runOptions = parts.runOptions;
  let shellSession: string | undefined;

  function sessionId(): string {
    return store.get().session?.id ?? "";
  }

  async function send<Type extends CommandType>(command: CommandOf<Type>): Promise<CommandAnswer<Type>> {
    const answer = await client.send<Type>(command);
    if (!answer.ok) tellFailure(answer.failure);
    return answer;
  }

  function tellFailure(failure: Failure): void {
    notice("error", failureText(failure));
  }

  /** A run that goes on beside it has its own activity, which is left as it is. */
  function changeActivity(from: ActivityKind, to: ActivityKind): void {
    store.update((state) =>
      state.activity.kind === from ? { ...state, activity: { ...state.activity, kind: to } } : state,
    );
  }

  async function moveTo(entryId: string | undefined): Promise<void> {
    const place = entryId === undefined ? {} : { entryId };
    const moved = await send<"leaf.move">({ type: "leaf.move", sessionId: sessionId(), ...place });
    if (moved.ok && moved.value.promptText !== undefined) parts.offerText(moved.value.promptText);
  }

  async function undo(wish: UndoWish = {}): Promise<boolean> {
    const promptText = await takeBack(wish);
    if (promptText !== undefined) parts.offerText(promptText);
    return promptText !== undefined;
  }

  /** Gives back the text of the prompt that was undone, if it could be. */
  async function takeBack({ messageId, isForced = false, only }: UndoWish): Promise<string | undefined> {
    const wish = { sessionId: sessionId(), evenIfChanged: isForced, ...(only !== undefined && { only }) };
    const undone =
      messageId === undefined
        ? await send<"session.undo">({ type: "session.undo", ...wish })
        : await send<"session.revert">({ type: "session.revert", messageId, ...wish });
    if (!undone.ok) return undefined;
    parts.onFilesChanged?.();
    await parts.refresh?.();
    const { files, uncovered, promptText } = undone.value;
    const gap = uncovered.length === 0 ? "" : `\nNo snapshot covers ${uncovered.join(", ")}.`;
    notice(uncovered.length === 0 ? "success" : "warning", `Undone. ${changesText(files)}${gap}`);
    return promptText;
  }

  async function switchTo(next: string, { isForked, ...wish }: TakeUpWish = {}): Promise<void> {
    if (next === sessionId()) return;
    if (isForked) await goOverToCopy(next, wish);
    else await resume(next, wish);
  }

  async function goOverToCopy(of: string, wish: TakeUpWish = {}): Promise<void> {
    const forked = await send<"session.fork">({ type: "session.fork", sessionId: of });
    if (!forked.ok || !(await resume(forked.value.sessionId, wish))) return;
    notice("info", "This is a copy of the conversation; the other one stays as it was.");
  }

  async function resume(next: string, wish: TakeUpWish): Promise<boolean> {
    const resumed = await send<"session.resume">({ type: "session.resume", sessionId: next, ...wish });
    if (!resumed.ok || !(await goOver(next))) return false;
    if (resumed.value.notice !== undefined) notice("info", resumed.value.notice);
    if (resumed.value.interrupted) notice("warning", "The last run was cut off. /continue goes on with it.");
    return true;
  }

  return {
    send,
    moveTo,
    undo,
    async rewind(messageId, what) {
      if (what === "conversation") return moveTo(messageId);
      if (what === "both") return void (await undo({ messageId }));
      await takeBack({ messageId, only: what });
    },
    async submit({ text, attachments }, delivery) {
      const sent = await send<"prompt.submit">({
        type: "prompt.submit",
        sessionId: sessionId(),
        text,
        ...(attachments.length > 0 && { attachments }),
        delivery,
        options: runOptions,
      });
      return sent.ok;
    },
    async continueRun() {
      await send<"run.continue">({ type: "run.continue", sessionId: sessionId(), options: runOptions });
    },
    async interrupt() {
      return (await send<"turn.interrupt">({ type: "turn.interrupt", sessionId: sessionId() })).ok;
    },
    async runShell(command, { isPrivate }) {
      // Where it was said, wherever the user is when it ends.
      const where = sessionId();
      shellSession = where;
      const ran = await send<"shell.run">({ type: "shell.run", sessionId: where, command });
      shellSession = undefined;
      if (!ran.ok) return;
      parts.onFilesChanged?.();
      const { output, exitCode, signal } = ran.value;
      const end = exitCode === 0 ? "" : exitCode === undefined ? `(ended by ${signal})` : `(exit code ${exitCode})`;
      const text = [`$ ${command}`, output.trimEnd(), end].filter(Boolean).join("\n");
      if (isPrivate) notice(exitCode === 0 ? "info" : "warning", text);
      else await send<"message.add">({ type: "message.add", sessionId: where, text: shortened(text) });
    },
    isShellRunning: () => shellSession !== undefined,
    async abortShell() {
      if (shellSession !== undefined) await send<"shell.abort">({ type: "shell.abort", sessionId: shellSession });
    },
    async hasten() {
      await send<"retry.hasten">({ type: "retry.hasten", sessionId: sessionId() });
    },
    async answerPermission(requestId, answer) {
      const named = { sessionId: sessionId(), requestId };
      return (await send<"permission.answer">({ type: "permission.answer", ...named, ...answer })).ok;
    },
    async answerQuestions(requestId, answers) {
      const named = { sessionId: sessionId(), requestId };
      return (await send<"question.answer">({ type: "question.answer", ...named, answers })).ok;
    },
    async changeMode(mode) {
      await send<"mode.change">({ type: "mode.change", sessionId: sessionId(), mode });
    },
    async changeModel(model) {
      const changed = await send<"model.change">({ type: "model.change", sessionId: sessionId(), model });
      if (changed.ok)
        notice(
          "info",
          `The model is ${changed.value.model} from the next prompt on. kedge config set model keeps it for new sessions.`,
        );
    },
    changeEffort(effort) {
      // A limit of tokens stays, except the one that forbids all thinking: this wish is the later one.
      const { tokensMax = 0 } = runOptions.reasoning ?? {};
      runOptions = { ...runOptions, reasoning: { effort, ...(tokensMax > 0 && { tokensMax }) } };
      store.update((state) => ({ ...state, effort }));
    },
    effort: () => runOptions.reasoning?.effort,
    async redo({ isForced = false } = {}) {
      const redone = await send<"session.redo">({
        type: "session.redo",
        sessionId: sessionId(),
        evenIfChanged: isForced,
      });
      if (!redone.ok) return false;
      parts.onFilesChanged?.();
      await parts.refresh?.();
      notice("success", `Done again. ${changesText(redone.value.files)}`);
      return true;
    },
    async compact(instructions) {
      changeActivity("idle", "compacting");
      const wish = instructions === "" ? {} : { instructions };
      // The conversation has a mark where the summary stands, which tells the result.
      await send<"context.compact">({ type: "context.compact", sessionId: sessionId(), ...wish });
      changeActivity("compacting", "idle");
    },
    async rename(title) {
      const done = await send<"session.update">({ type: "session.update", sessionId: sessionId(), title });
      if (done.ok) notice("info", `The session is called ${title} now.`);
    },
    fork: () => goOverToCopy(sessionId()),
    async begin(model) {
      const { session } = store.get();
      const chosen = model ?? session?.model;
      const created = await send<"session.create">({
        type: "session.create",
        ...(session !== undefined && { mode: session.mode }),
        ...(chosen !== undefined && { model: chosen }),
      });
      if (created.ok) await goOver(created.value.sessionId);
    },
    switchTo,
    async withdraw(messageId) {
      const done = await send<"message.remove">({ type: "message.remove", sessionId: sessionId(), messageId });
      return done.ok;
    },
  };

  /** The session that is left is free for others from then on, unless it still works. False when the other cannot be read. */
  async function goOver(next: string): Promise<boolean> {
    const left = sessionId();
    try {
      await parts.openSession(next);
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      tellFailure(error.failure);
      return false;
    }
    if (left !== "") await client.send<"session.close">({ type: "session.close", sessionId: left });
    return true;
  }
}

const toldCharactersMax = 16_000;

/** The end of a long output says most; what is left out is said. */
function shortened(text: string): string {
  const left = text.length - toldCharactersMax;
  return left <= 0 ? text : `(${left} characters left out)\n${text.slice(left)}`;
}
