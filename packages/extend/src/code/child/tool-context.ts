/** What a tool of others is given when it runs: where it runs, the signal, ways to report and to ask. */
import type { Json, JsonObject } from "@kedge/protocol";
import type { CallSurroundings } from "../code-messages.ts";
import type { ChildActions, Pushed } from "./pending-actions.ts";
import type { RunProgram } from "./run-program.ts";

export type Wish = (name: string, value: JsonObject) => Promise<Json>;

export type ContextParts = {
  readonly given: CallSurroundings;
  readonly signal: AbortSignal;
  readonly exec: RunProgram;
  readonly hasUI: boolean;
  readonly progress: (text: string) => void;
  readonly wish: Wish;
  readonly actions: ChildActions;
};

/** What the call has said about itself by `metadata`, beside what it returns. */
export type Reported = { title?: string; metadata?: JsonObject; pending?: readonly Pushed[] };

export function createToolContext(parts: ContextParts, reported: Reported): object {
  const { given, signal, exec, hasUI, progress, wish, actions } = parts;
  const { sessionId, callId, cwd, root, model, mode, autoApprove, hasQueuedMessages } = given;
  const ui = createUi(hasUI, wish, progress);
  return {
    ...{ sessionId, callId, cwd, root, model, mode, autoApprove, signal, exec, hasUI, ui },
    setUI: ui.setUI,
    onUpdate: (update: unknown) => progress(textOf(update)),
    progress: (text: unknown) => progress(textOf(text)),
    history: () => wish("history", {}),
    catalogue: () => wish("catalogue", {}),
    // A tool runs inside of a run.
    isIdle: () => false,
    hasQueuedMessages: () => hasQueuedMessages,
    abortRun: () => wish("abort", {}),
    // The names of OpenCode, where `abort` is the signal.
    ...{ sessionID: sessionId, callID: callId, messageID: callId, agent: "main", directory: cwd, worktree: root },
    abort: signal,
    pushPendingAction(action: unknown) {
      reported.pending = [...(reported.pending ?? []), actions.push(action)];
    },
    metadata(value: Reported) {
      if (typeof value?.title === "string") reported.title = value.title;
      if (typeof value?.metadata === "object") reported.metadata = value.metadata;
    },
    // kedge has asked before the tool ran.
    ask: async () => undefined,
  };
}

/** Answers with nothing where nobody looks. */
export function createUi(hasUI: boolean, wish: Wish, show: (text: string) => void = () => undefined) {
  const shown = (text: unknown) => {
    const lines = Array.isArray(text) ? text.map(String).join("\n") : String(text ?? "");
    if (lines !== "") show(`${lines}\n`);
  };
  const ask = async (value: JsonObject) => (hasUI ? wish("ask", value) : undefined);
  const ui = {
    notify: (text: unknown) => wish("notify", { text: String(text) }),
    confirm: async (question: unknown, detail: unknown = "") => {
      const options = [
        { label: "Yes", description: String(detail) },
        { label: "No", description: "" },
      ];
      return (await ask({ question: String(question), options })) === "Yes";
    },
    select: (question: unknown, labels: readonly unknown[]) =>
      ask({
        question: String(question),
        options: labels.map((label) => ({ label: String(label), description: "" })),
      }),
    input: (question: unknown) => ask({ question: String(question), options: [] }),
    // What other agents draw is shown as text beside the call; kedge draws its screen itself.
    setStatus: (_key: unknown, text: unknown) => shown(text),
    setWidget: (_key: unknown, lines: unknown) => shown(lines),
    setTitle: () => undefined,
    // Whether anybody can answer is decided when kedge starts; whoever attaches later sees the same questions.
    setUI(listener: unknown) {
      if (typeof listener === "function") listener(ui, hasUI);
    },
  };
  return ui;
}

function textOf(update: unknown): string {
  if (typeof update === "string") return update;
  const content = typeof update === "object" && update !== null && "content" in update ? update.content : update;
  if (!Array.isArray(content)) return `${JSON.stringify(update)}\n`;
  return content.map((part) => (typeof part?.text === "string" ? part.text : "")).join("");
}
