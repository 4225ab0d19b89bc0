/** Everything the user can have done in the session before them: each a command, each failure a sentence on the screen. */

import type {
  Client,
  CommandAnswer,
  CommandOf,
  CommandType,
  Delivery,
  Effort,
  Failure,
  Media,
  PermissionAnswer,
  PermissionMode,
  RunOptions,
} from "@kedge/protocol";
import type { ActivityKind, ClientState } from "../../state/client-state.ts";
import type { StateStore } from "../../state/state-store.ts";
import { noticeTexts } from "../../texts/conversation.ts";
import type { TellNotice } from "../notices.ts";
import { failureText } from "../told-texts.ts";
import type { DeskSending, SendCommand } from "./desk-sending.ts";
import { createSessionSwitch, type SessionSwitch } from "./session-switch.ts";
import { createUndoing, type Undoing } from "./undoing.ts";
import { createUserShell, type UserShell } from "./user-shell.ts";

export type Submission = { readonly text: string; readonly attachments: readonly Media[] };

export type DeskParts = {
  readonly client: Client;
  readonly store: StateStore<ClientState>;
  readonly notice: TellNotice;
  /** Puts a text back into the prompt, as after an undo. */
  readonly offerText: (text: string) => void;
  readonly openSession: (sessionId: string) => Promise<void>;
  /** Reads the conversation again, so that what is told next stands behind it. */
  readonly refresh?: () => Promise<void>;
  /** Files may be otherwise now, without a run that tells of it. */
  readonly onFilesChanged?: () => void;
  readonly runOptions: RunOptions;
};

export interface SessionDesk extends Undoing, SessionSwitch, UserShell {
  /** False when it was not taken; then the caller has the words still. */
  submit(submission: Submission, delivery: Delivery): Promise<boolean>;
  continueRun(): Promise<void>;
  /** False when it could not be done, as with every answer of this kind. */
  interrupt(): Promise<boolean>;
  /** Ends the wait before a model is asked again. */
  hasten(): Promise<void>;
  answerPermission(requestId: string, answer: PermissionAnswer): Promise<boolean>;
  answerQuestions(requestId: string, answers: readonly string[]): Promise<boolean>;
  /** False when it was refused, which was said. */
  changeMode(mode: PermissionMode): Promise<boolean>;
  changeModel(model: string): Promise<void>;
  changeEffort(effort: Effort): void;
  effort(): Effort | undefined;
  compact(instructions: string): Promise<void>;
  rename(title: string): Promise<void>;
  /** Takes back a prompt that waits. */
  withdraw(messageId: string): Promise<boolean>;
  /** Any other command of the session, its failure told. */
  readonly send: SendCommand;
}

export function createSessionDesk(parts: DeskParts): SessionDesk {
  const { client, store, notice } = parts;
  let runOptions = parts.runOptions;

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

  const sending: DeskSending = { send, sessionId, notice, tellFailure };
  return {
    send,
    ...createUndoing({ ...parts, ...sending }),
    ...createSessionSwitch({ ...parts, ...sending }),
    ...createUserShell({ ...parts, ...sending }),
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
      return (await send<"mode.change">({ type: "mode.change", sessionId: sessionId(), mode })).ok;
    },
    async changeModel(model) {
      const changed = await send<"model.change">({ type: "model.change", sessionId: sessionId(), model });
      if (changed.ok) notice("info", noticeTexts.modelChanged(changed.value.model));
    },
    changeEffort(effort) {
      // A limit of tokens stays, except the one that forbids all thinking: this wish is the later one.
      const { tokensMax = 0 } = runOptions.reasoning ?? {};
      runOptions = { ...runOptions, reasoning: { effort, ...(tokensMax > 0 && { tokensMax }) } };
      store.update((state) => ({ ...state, effort }));
    },
    effort: () => runOptions.reasoning?.effort,
    async compact(instructions) {
      changeActivity("idle", "compacting");
      const wish = instructions === "" ? {} : { instructions };
      // The conversation has a mark where the summary stands, which tells the result.
      await send<"context.compact">({ type: "context.compact", sessionId: sessionId(), ...wish });
      changeActivity("compacting", "idle");
    },
    async rename(title) {
      const done = await send<"session.update">({ type: "session.update", sessionId: sessionId(), title });
      if (done.ok) notice("info", noticeTexts.sessionRenamed(title));
    },
    async withdraw(messageId) {
      const done = await send<"message.remove">({ type: "message.remove", sessionId: sessionId(), messageId });
      return done.ok;
    },
  };
}
