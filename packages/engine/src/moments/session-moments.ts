/** The moments of one session: when they are asked, what they added for the next step, and what they stopped. */
import { type EndedCalls, fenceText, type QueuedPrompt, type StoppingRun, type SubmittedPrompt } from "@kedge/protocol";
import { errorText } from "../call/attempt.ts";
import { notify } from "../call/call-services.ts";
import { boundOutput } from "../call/text/bound-output.ts";
import { renderBlock } from "../context/render-block.ts";
import { harmless, stopAskedReminder } from "../prompt-texts.ts";
import { hearMoments, type MomentParts, placeOf } from "./hear-moments.ts";
import { readAddedContext, readCallsAnswer, readPromptAnswer, readStopAnswer } from "./moment-answers.ts";

/** What one text of a moment may add to the conversation. */
const contextCharactersMax = 10_000;

export interface SessionMoments {
  /** The session is open and its first fact stored. The next step waits for what is answered. */
  opened(source: "create" | "resume"): void;
  /** A slash command wrote this prompt. */
  expanded(promptId: string, command: NonNullable<SubmittedPrompt["command"]>): void;
  /** Asks about what the next step would tell the model; the sentence says why a prompt was refused. */
  beforeStep(said: readonly QueuedPrompt[], signal: AbortSignal): Promise<string | undefined>;
  /** What was added since the last step. */
  takeContext(): readonly string[];
  /** The sentence says why the run shall end. */
  callsEnded(callIds: EndedCalls["callIds"], signal: AbortSignal): Promise<string | undefined>;
  /** What the model is told when the run continues. */
  runStopping(
    run: Pick<StoppingRun, "runId" | "text" | "continuations">,
    signal: AbortSignal,
  ): Promise<string | undefined>;
  closed(): Promise<void>;
}

/** Undefined where nobody wants to be asked, so that nothing waits for anybody. */
export function createSessionMoments(parts: MomentParts): SessionMoments | undefined {
  const { engine, journal } = parts;
  if ((engine.sessionMoments ?? []).length === 0) return undefined;
  const { state } = journal;
  const lifetime = new AbortController();
  const context: string[] = [];
  /** Prompts that were asked about. */
  const asked = new Set<string>();
  const commands = new Map<string, NonNullable<SubmittedPrompt["command"]>>();
  let opening = Promise.resolve();
  let shownCompaction = compactionId();

  function compactionId(): string | undefined {
    const [first] = state.items;
    return first?.type === "compaction" ? first.id : undefined;
  }

  const neutralise = engine.neutralise ?? harmless;
  const bounded = (text: string) => boundOutput(engine.resultRedactor.redact(text), contextCharactersMax);

  function addContext(by: string, texts: readonly string[] = []): void {
    const nonce = engine.fenceNonce === undefined ? {} : { nonce: () => engine.fenceNonce?.(state.sessionId) ?? "" };
    for (const text of texts) {
      const block = { text: bounded(text), origin: by };
      context.push(renderBlock({ name: "hook", kind: "data" }, block, { role: "user", neutralise, ...nonce }));
    }
  }

  async function start(source: "create" | "resume" | "compact", signal: AbortSignal): Promise<void> {
    const answers = hearMoments(parts, signal, {
      ask: (moment) => moment.sessionStarted && (() => moment.sessionStarted?.({ ...placeOf(parts), source }, signal)),
      read: readAddedContext,
    });
    for await (const heard of answers) if ("answer" in heard) addContext(heard.by, heard.answer.context);
  }

  /** The sentence says why it was refused. */
  async function ask({ promptId, runId, text: written }: QueuedPrompt, signal: AbortSignal) {
    let text = written;
    const command = commands.get(promptId);
    commands.delete(promptId);
    const submitted = () => ({ ...placeOf(parts), promptId, runId, text, ...(command !== undefined && { command }) });
    const answers = hearMoments(parts, signal, {
      ask: (moment) => moment.promptSubmitted && (() => moment.promptSubmitted?.(submitted(), signal)),
      read: readPromptAnswer,
    });
    for await (const heard of answers) {
      const by = errorText(heard.by, engine.redact);
      const refusal =
        "refusal" in heard ? heard.refusal : heard.answer.decision === "refuse" ? heard.answer.text : undefined;
      if (refusal !== undefined) {
        await journal.emit({ type: "prompt.withdrawn", promptId, by });
        return errorText(`${by}: ${refusal}`, engine.redact);
      }
      if (!("answer" in heard) || heard.answer.decision !== "pass") continue;
      addContext(by, heard.answer.context);
      if (heard.answer.text === undefined || heard.answer.text === text) continue;
      text = heard.answer.text;
      await journal.emit({ type: "prompt.revised", promptId, text, by });
    }
    return undefined;
  }

  return {
    opened(source) {
      opening = start(source, lifetime.signal);
    },
    expanded: (promptId, command) => void commands.set(promptId, command),
    async beforeStep(said, signal) {
      await opening;
      const compaction = compactionId();
      if (compaction !== shownCompaction) {
        shownCompaction = compaction;
        if (compaction !== undefined) await start("compact", signal);
      }
      const refusals: string[] = [];
      for (const prompt of said) {
        if (asked.has(prompt.promptId)) continue;
        const refusal = await ask(prompt, signal);
        // One that an interruption kept from being judged is asked about again.
        if (!signal.aborted) asked.add(prompt.promptId);
        if (refusal === undefined) continue;
        refusals.push(refusal);
        notify(parts, refusal);
      }
      return refusals.length === 0 ? undefined : refusals.join("\n");
    },
    takeContext: () => context.splice(0),
    async callsEnded(callIds, signal) {
      const answers = hearMoments(parts, signal, {
        ask: (moment) => moment.callsEnded && (() => moment.callsEnded?.({ ...placeOf(parts), callIds }, signal)),
        read: readCallsAnswer,
      });
      let endRun: string | undefined;
      for await (const heard of answers) {
        if (!("answer" in heard)) continue;
        addContext(heard.by, heard.answer.context);
        if (heard.answer.endRun !== undefined) endRun ??= errorText(heard.answer.endRun, engine.redact);
      }
      return endRun;
    },
    async runStopping(run, signal) {
      const reasons: string[] = [];
      const answers = hearMoments(parts, signal, {
        ask: (moment) => moment.runStopping && (() => moment.runStopping?.({ ...placeOf(parts), ...run }, signal)),
        read: readStopAnswer,
      });
      for await (const heard of answers) {
        if (!("answer" in heard)) continue;
        const text = neutralise(bounded(heard.answer.text), "memory");
        reasons.push(fenceText(text, { source: "hook", origin: heard.by }, engine.fenceNonce?.(state.sessionId)));
      }
      return reasons.length === 0 ? undefined : stopAskedReminder(reasons.join("\n"));
    },
    async closed() {
      lifetime.abort();
      await opening;
      const answers = hearMoments(parts, new AbortController().signal, {
        ask: (moment) =>
          moment.sessionEnded && (() => moment.sessionEnded?.(placeOf(parts), new AbortController().signal)),
        read: () => undefined,
      });
      for await (const _ of answers);
    },
  };
}
