/** One session that an editor has open: it follows what happens, passes it on, and takes prompts and choices. */
import type {
  AgentContext,
  ClientCapabilities,
  ContentBlock,
  PromptResponse,
  SessionConfigOption,
  SessionModeState,
  SessionUpdate,
} from "@agentclientprotocol/sdk";
import type { Client, Event, PermissionMode } from "@kedge/protocol";
import type { AcpPlace } from "./acp-place.ts";
import { readPromptContent } from "./prompt-content.ts";
import { failureError, requestError } from "./request-error.ts";
import { createRunEnds } from "./run-ends.ts";
import { createSessionChoices } from "./session-choices.ts";
import { availableCommands, runSessionCommand } from "./session-commands.ts";
import { createSessionDialogue } from "./session-dialogue.ts";
import { createSessionUpdates } from "./session-updates.ts";
import { promptEndOf } from "./stop-reason.ts";
import { unsavedTexts } from "./unsaved-files.ts";

export type AcpSessionParts = {
  readonly sessionId: string;
  readonly place: AcpPlace;
  readonly mode: PermissionMode;
  readonly model: string;
  /** The last fact that the editor knows of. */
  readonly lastSeq: number;
  readonly editor: Pick<AgentContext, "request" | "notify">;
  readonly capabilities: ClientCapabilities;
  readonly onNotice: (sentence: string) => void;
  readonly onProblem: (error: unknown) => void;
};

export interface AcpSession {
  readonly place: AcpPlace;
  /** Answers when the turn is over and all that happened in it was sent. */
  prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse>;
  cancel(): Promise<void>;
  choices(): Promise<{ modes: SessionModeState; configOptions: SessionConfigOption[] }>;
  changeMode(modeId: string): Promise<void>;
  changeOption(configId: string, value: unknown): Promise<SessionConfigOption[]>;
  tellCommands(): Promise<void>;
  send(update: SessionUpdate): Promise<void>;
  /** Stops what runs and gives the session free. */
  close(): Promise<void>;
  /** Nothing is sent any more; the session stays as it is. */
  leave(): void;
}

type Turn = { isCancelled: boolean; isRejected: boolean; readonly over: Promise<void> };

export function openAcpSession(parts: AcpSessionParts): AcpSession {
  const { sessionId, place, mode, model, editor, capabilities, onProblem } = parts;
  const { client, cwd } = place;
  let turn: Turn | undefined;
  const choices = createSessionChoices({ sessionId, client, modes: place.modes, mode, model });
  const left = new AbortController();
  const updates = createSessionUpdates({ cwd, capabilities, onNotice: parts.onNotice });
  const runs = createRunEnds();
  const dialogue = createSessionDialogue({
    ...{ client, editor, sessionId, cwd, onProblem, onNotice: parts.onNotice },
    hasForms: capabilities.elicitation?.form != null,
    call: updates.call,
    onCalledOff: cancel,
  });

  async function send(update: SessionUpdate): Promise<void> {
    if (!left.signal.aborted) await editor.notify("session/update", { sessionId, update });
  }

  async function cancel(): Promise<void> {
    if (turn !== undefined) turn.isCancelled = true;
    await client.send<"turn.interrupt">({ type: "turn.interrupt", sessionId });
  }

  async function follow(): Promise<void> {
    for await (const event of client.events(sessionId, parts.lastSeq, left.signal)) {
      for (const update of updates.of(event)) await send(update);
      if (event.kind === "fact") await observe(event);
      runs.observe(event);
    }
  }

  async function observe({ record }: Extract<Event, { kind: "fact" }>): Promise<void> {
    const { fact } = record;
    dialogue.observe(fact);
    if (fact.type === "permission.answered" && fact.reply === "reject" && turn !== undefined) turn.isRejected = true;
    if (!choices.observe(fact)) return;
    await send({ sessionUpdate: "config_option_update", configOptions: await choices.options() });
  }

  async function runTurn(blocks: readonly ContentBlock[], course: Turn): Promise<PromptResponse> {
    const { text, attachments } = await readPrompt(parts, blocks);
    const said = await runSessionCommand(client, sessionId, text);
    if (said !== undefined) {
      await send({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: said } });
      return { stopReason: course.isCancelled ? "cancelled" : "end_turn" };
    }
    const submitted = await client.send<"prompt.submit">({
      type: "prompt.submit",
      sessionId,
      text,
      ...(attachments.length > 0 && { attachments }),
      delivery: "follow-up",
      options: choices.runOptions(place.runOptions),
    });
    if (!submitted.ok) throw failureError(submitted.failure);
    // What was cancelled before there was a run has interrupted nothing yet.
    if (course.isCancelled) await cancel();
    const end = await runs.over(submitted.value.runId);
    if (!end.ok) {
      if (course.isCancelled) return { stopReason: "cancelled" };
      throw failureError(end.failure);
    }
    const usage = await usageOf(client, sessionId);
    if (usage !== undefined) await send(usage);
    const told = promptEndOf(end.result, course);
    if (told.ok) return { stopReason: told.stopReason };
    throw failureError(told.failure);
  }

  function leave(): void {
    left.abort();
    dialogue.close();
    runs.close();
  }

  follow().catch((error: unknown) => {
    if (!left.signal.aborted) onProblem(error);
    runs.close();
  });

  return {
    ...{ place, send, cancel, leave, changeMode: choices.changeMode },
    async prompt(blocks, signal) {
      if (turn !== undefined) {
        throw requestError("invalidRequest", "A prompt is running in this session. Cancel it or wait until it ends.");
      }
      const { promise: over, resolve: end } = Promise.withResolvers<void>();
      const course: Turn = { isCancelled: false, isRejected: false, over };
      turn = course;
      const onAbort = () => void cancel();
      signal.addEventListener("abort", onAbort, { once: true });
      try {
        return await runTurn(blocks, course);
      } finally {
        signal.removeEventListener("abort", onAbort);
        turn = undefined;
        end();
      }
    },
    choices: async () => ({ modes: choices.modeState(), configOptions: await choices.options() }),
    async changeOption(configId, value) {
      await choices.change(configId, String(value));
      return choices.options();
    },
    async tellCommands() {
      await send({ sessionUpdate: "available_commands_update", availableCommands: await availableCommands(client) });
    },
    async close() {
      await cancel();
      await turn?.over;
      const closed = await client.send<"session.close">({ type: "session.close", sessionId });
      if (!closed.ok) throw failureError(closed.failure);
      leave();
    },
  };
}

/** What the user says, with the texts of mentioned files that the editor has not saved. */
async function readPrompt({ editor, sessionId, capabilities }: AcpSessionParts, blocks: readonly ContentBlock[]) {
  const given = readPromptContent(blocks);
  if (!given.ok) throw requestError("invalidParams", given.sentence);
  const { attachments, mentions: paths } = given;
  const canReadFiles = capabilities.fs?.readTextFile === true;
  const unsaved = canReadFiles ? await unsavedTexts({ editor, sessionId, paths }) : [];
  return { text: [given.text, ...unsaved].join("\n\n"), attachments };
}

/** How much of the window is used; an editor that is not told shows nothing, so a failure is none of the turn's. */
async function usageOf(client: Client, sessionId: string): Promise<SessionUpdate | undefined> {
  const cost = await client.ask<"session.cost">({ type: "session.cost", sessionId });
  const amount = cost.ok ? cost.value.total.usd : 0;
  const inspected = await client.send<"context.inspect">({ type: "context.inspect", sessionId });
  if (!inspected.ok) return undefined;
  const { tokens: used, windowTokens: size } = inspected.value;
  return { sessionUpdate: "usage_update", used, size, cost: { amount, currency: "USD" } };
}
