/** Hands the work of a session over: has the document written and opens a new session with it. */
import {
  type CommandAnswer,
  type CommandOf,
  type Cost,
  type Failure,
  type QueuedPrompt,
  type RunOptions,
  sightedPath,
  type TouchedFiles,
  type Usage,
} from "@kedge/protocol";
import type { SessionParts } from "../session/session-parts.ts";
import { touchedFiles } from "../window/touched-files.ts";
import { compactForUser } from "./compact-for-user.ts";
import { handoffDocument } from "./handoff.ts";

/** What a new session begins with. */
export type HandoffRecord = {
  readonly text: string;
  readonly files: TouchedFiles;
  readonly usage: Usage;
  readonly cost: Cost;
};

/** A prompt that is answered in the new session. */
export type MovedPrompt = Omit<CommandOf<"prompt.submit">, "type" | "sessionId">;

export type Successor = {
  readonly sessionId: string;
  /** Has it answered there; false where the new session cannot be opened. */
  readonly submit: (prompt: MovedPrompt) => Promise<boolean>;
};

export type OpenSuccessor = (
  record: HandoffRecord,
) => Promise<{ readonly ok: true; readonly value: Successor } | { readonly ok: false; readonly failure: Failure }>;

export type HandOverWish = {
  /** What the next work is about. */
  readonly focus?: string;
  /** Prompts that have no place any more; what the user says while the document is written moves along. */
  readonly waiting: readonly string[];
  readonly openSuccessor: OpenSuccessor;
  readonly optionsOf: (runId: string) => RunOptions;
};

/** Where the model writes nothing, the conversation is summarised and goes on in its own session. */
export async function handOver(
  session: SessionParts,
  { focus, waiting, openSuccessor, optionsOf }: HandOverWish,
  signal: AbortSignal,
): Promise<CommandAnswer<"session.handoff">> {
  const { engine, journal } = session;
  const { state } = journal;
  const found = await engine.models.find(state.model);
  if (!found.ok) return found;
  const { models, newRequestId, redact } = engine;
  const { system, tools } = session.frameFor(found.model);
  const messages = session.messages.all(state);
  const about = focus === undefined ? {} : { focus };
  const document = await handoffDocument(
    {
      using: found,
      sessionId: state.sessionId,
      ...{ models, newRequestId, redact, system, tools, messages },
      ...about,
    },
    signal,
  );
  if (signal.aborted) return { ok: false, failure: stopped };
  const { usage, cost } = document;
  switch (document.kind) {
    case "failed":
      return { ok: false, failure: document.failure };
    case "empty": {
      await journal.emit({ type: "session.updated", usage, cost });
      const text = "The model wrote no handoff. The conversation was summarized instead.";
      journal.signal({ type: "notice", sessionId: state.sessionId, text });
      const compacted = await compactForUser(session, focus, signal);
      return compacted.ok ? { ok: true, value: { sessionId: state.sessionId } } : compacted;
    }
    case "written": {
      const items = sightedPath(state, state.leaf);
      const files = touchedFiles(state, { root: engine.workspace.root, previous: undefined, items });
      const opened = await openSuccessor({ text: document.text, files, usage, cost });
      if (!opened.ok) return opened;
      await leave(session, waiting);
      await movePrompts(session, opened.value, optionsOf);
      return { ok: true, value: { sessionId: opened.value.sessionId } };
    }
  }
}

/** Each is taken up there before it leaves here, so that a crash in between loses none. */
async function movePrompts({ journal }: SessionParts, { submit }: Successor, optionsOf: HandOverWish["optionsOf"]) {
  for (;;) {
    const prompt = journal.state.queue[0];
    if (prompt === undefined || !(await submit(movedPrompt(prompt, optionsOf(prompt.runId))))) return;
    await journal.emit({ type: "prompt.withdrawn", promptId: prompt.promptId });
  }
}

function movedPrompt({ text, delivery, attachments }: QueuedPrompt, options: RunOptions): MovedPrompt {
  return { text, delivery, options, ...(attachments !== undefined && { attachments }) };
}

/** What runs and what waits belongs to work that goes on elsewhere. */
async function leave({ jobs, journal }: SessionParts, waiting: readonly string[]): Promise<void> {
  const running = jobs.list().filter(({ status }) => status === "running");
  await Promise.all(running.map(({ jobId }) => jobs.kill(jobId)));
  const withdrawn = waiting.map((promptId) => ({ type: "prompt.withdrawn", promptId }) as const);
  if (withdrawn.length > 0) await journal.emit(...withdrawn);
}

const stopped: Failure = {
  code: "aborted",
  message: "Handoff canceled. The conversation is unchanged.",
  retryable: true,
};
