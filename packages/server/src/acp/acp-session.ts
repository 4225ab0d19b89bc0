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
import { type Effort, type Event, efforts, type PermissionMode } from "@kedge/protocol";
import type { AcpPlace } from "./acp-place.ts";
import { readPromptContent } from "./prompt-content.ts";
import { failureError, requestError } from "./request-error.ts";
import { createRunEnds } from "./run-ends.ts";
import { configIds, configOptions, effortUnset, modeState } from "./session-choices.ts";
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
  const { sessionId, place, editor, capabilities, onProblem } = parts;
  const { client, cwd } = place;
  let { mode, model } = parts;
  let effort: Effort | undefined;
  let turn: Turn | undefined;
  const canReadFiles = capabilities.fs?.readTextFile === true;
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
    if (fact.type === "mode.changed") mode = fact.mode;
    else if (fact.type === "model.changed") model = fact.model;
    else return;
    await send({ sessionUpdate: "config_option_update", configOptions: await options() });
  }

  function options(): Promise<SessionConfigOption[]> {
    return configOptions({ mode, model, effort }, place);
  }

  /** How much of the window is used; an editor that is not told shows nothing, so a failure is none of the turn's. */
  async function tellUsage(usd: number): Promise<void> {
    const inspected = await client.send<"context.inspect">({ type: "context.inspect", sessionId });
    if (!inspected.ok) return;
    const { tokens: used, windowTokens: size } = inspected.value;
    await send({ sessionUpdate: "usage_update", used, size, cost: { amount: usd, currency: "USD" } });
  }

  async function sessionCost(): Promise<number> {
    const cost = await client.ask<"session.cost">({ type: "session.cost", sessionId });
    return cost.ok ? cost.value.total.usd : 0;
  }

  async function runTurn(blocks: readonly ContentBlock[], course: Turn): Promise<PromptResponse> {
    const given = readPromptContent(blocks);
    if (!given.ok) throw requestError("invalidParams", given.sentence);
    const { attachments, mentions } = given;
    const unsaved = canReadFiles ? await unsavedTexts({ editor, sessionId, paths: mentions }) : [];
    const text = [given.text, ...unsaved].join("\n\n");
    const said = await runSessionCommand(client, sessionId, text);
    if (said !== undefined) {
      await send({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: said } });
      return { stopReason: course.isCancelled ? "cancelled" : "end_turn" };
    }
    const { runOptions } = place;
    const reasoning = effort === undefined ? {} : { reasoning: { ...runOptions.reasoning, effort } };
    const submitted = await client.send<"prompt.submit">({
      type: "prompt.submit",
      sessionId,
      text,
      ...(attachments.length > 0 && { attachments }),
      delivery: "follow-up",
      options: { ...runOptions, ...reasoning },
    });
    if (!submitted.ok) throw failureError(submitted.failure);
    // What was cancelled before there was a run has interrupted nothing yet.
    if (course.isCancelled) await cancel();
    const end = await runs.over(submitted.value.runId);
    if (!end.ok) {
      if (course.isCancelled) return { stopReason: "cancelled" };
      throw failureError(end.failure);
    }
    await tellUsage(await sessionCost());
    const told = promptEndOf(end.result, course);
    if (!told.ok) throw failureError(told.failure);
    return { stopReason: told.stopReason };
  }

  async function changeMode(modeId: string): Promise<void> {
    const wanted = place.modes.find((each) => each === modeId);
    if (wanted === undefined) {
      throw requestError(
        "invalidParams",
        `The mode ${modeId} is not offered. Choose one of ${place.modes.join(", ")}.`,
      );
    }
    const changed = await client.send<"mode.change">({ type: "mode.change", sessionId, mode: wanted });
    if (!changed.ok) throw failureError(changed.failure);
    mode = wanted;
  }

  async function changeModel(ref: string): Promise<void> {
    const changed = await client.send<"model.change">({ type: "model.change", sessionId, model: ref });
    if (!changed.ok) throw failureError(changed.failure);
    model = changed.value.model;
  }

  function changeEffort(value: string): void {
    const wanted = efforts.find((each) => each === value);
    if (wanted === undefined && value !== effortUnset) {
      throw requestError("invalidParams", `Thinking is one of ${[effortUnset, ...efforts].join(", ")}.`);
    }
    effort = wanted;
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
    place,
    send,
    cancel,
    leave,
    changeMode,
    async prompt(blocks, signal) {
      if (turn !== undefined) {
        throw requestError("invalidRequest", "A prompt is under way in this session. Cancel it or wait for its end.");
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
    choices: async () => ({ modes: modeState(mode, place.modes), configOptions: await options() }),
    async changeOption(configId, value) {
      const wanted = String(value);
      if (configId === configIds.mode) await changeMode(wanted);
      else if (configId === configIds.model) await changeModel(wanted);
      else if (configId === configIds.effort) changeEffort(wanted);
      else throw requestError("invalidParams", `There is no option ${configId}.`);
      return options();
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
