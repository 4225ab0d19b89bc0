/** ACP agents as models: what one says is the answer of a step, and what it asks for are the calls of it. */
import {
  type FoundModel,
  type Message,
  type Model,
  type ModelEvent,
  type ModelRequest,
  type Models,
  noUsage,
  type Provider,
  type StopReason,
} from "@kedge/protocol";
import { acpToolNames, callInputOf, type PendingRequests } from "./acp-calls.ts";
import type { AcpNews } from "./acp-news.ts";
import { type AcpProcess, type AcpWorker, openAcpWorker } from "./acp-worker.ts";

export const acpProvider = "acp";

export type AcpModelsParts = {
  /** Names of the agents that are configured. */
  readonly names: () => readonly string[];
  /** A sentence where it cannot be started. */
  readonly start: (name: string) => Promise<AcpProcess | { readonly problem: string }>;
  readonly cwd: string;
  readonly kedgeVersion: string;
  readonly pending: PendingRequests;
};

export type AcpModels = {
  /** The models of the user, and the agents as `acp/<name>`. */
  beside(models: Models): Models;
  close(): void;
};

/** One process for each session. */
type Conversation = { readonly worker: AcpWorker; calls: number; isPrompted: boolean };

export function createAcpModels(parts: AcpModelsParts): AcpModels {
  const conversations = new Map<string, Conversation>();

  async function conversationOf(name: string, id: string): Promise<Conversation | { readonly problem: string }> {
    const known = conversations.get(id);
    if (known !== undefined && !known.worker.isGone()) return known;
    const process = await parts.start(name);
    if ("problem" in process) return process;
    try {
      const worker = await openAcpWorker(process, parts);
      const opened: Conversation = { worker, calls: 0, isPrompted: false };
      conversations.set(id, opened);
      return opened;
    } catch (error) {
      process.kill();
      return { problem: error instanceof Error ? error.message : String(error) };
    }
  }

  async function* stream(name: string, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const { conversationId, messages } = request;
    const conversation = await conversationOf(name, conversationId);
    if ("problem" in conversation) {
      yield failedBecause(name, conversation.problem);
      return;
    }
    const { worker } = conversation;
    refuseDenied(parts.pending, messages);
    if (!conversation.isPrompted) {
      conversation.isPrompted = true;
      worker.prompt(promptOf(messages));
    }
    const cancel = () => worker.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      yield* follow(name, conversation, conversationId);
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  }

  /** Until it asks for something, is done or fails. */
  async function* follow(name: string, conversation: Conversation, id: string): AsyncGenerator<ModelEvent> {
    for (;;) {
      const news: AcpNews = await conversation.worker.next();
      switch (news.type) {
        case "text":
          yield { type: "text-delta", text: news.text };
          break;
        case "thought":
          yield { type: "reasoning-delta", text: news.text };
          break;
        case "request": {
          conversation.calls += 1;
          const callId = `acp-${id.slice(-8)}-${conversation.calls}`;
          parts.pending.set(callId, news.request);
          const tool = acpToolNames[news.request.kind];
          const inputText = JSON.stringify(callInputOf(news.request));
          yield { type: "tool-call", call: { type: "tool-call", callId, tool, inputText } };
          yield { type: "end", stopReason: "tool-calls", usage: noUsage };
          return;
        }
        case "ended":
          conversation.isPrompted = false;
          yield { type: "end", stopReason: stopReasons[news.reason] ?? "other", usage: noUsage };
          return;
        case "failed":
          conversation.isPrompted = false;
          yield failedBecause(name, news.problem);
          return;
      }
    }
  }

  return {
    beside: (models) => ({
      cost: (model, usage) =>
        model.provider === acpProvider ? { usd: 0, estimated: false } : models.cost(model, usage),
      async find(ref, beside): Promise<FoundModel> {
        if (!ref.startsWith(`${acpProvider}/`)) return models.find(ref, beside);
        const name = ref.slice(acpProvider.length + 1);
        if (!parts.names().includes(name)) return models.find(ref, beside);
        const provider: Provider = { stream: (request, signal) => stream(name, request, signal) };
        return { ok: true, model: modelOf(name, ref), provider };
      },
    }),
    close() {
      for (const { worker } of conversations.values()) worker.close();
    },
  };
}

/** The window is the agent's own business. */
function modelOf(name: string, ref: string): Model {
  return {
    ...{ ref, provider: acpProvider, id: name, name: `ACP agent ${name}` },
    ...{ contextTokens: 100_000_000, outputTokensMax: 1_000_000, prices: { input: 0, output: 0 } },
  };
}

const stopReasons: { readonly [reason: string]: StopReason } = {
  end_turn: "end",
  max_tokens: "output-limit",
  refusal: "refused",
};

/** What was said since its last answer: with the first prompt everything. */
function promptOf(messages: readonly Message[]): string {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  return messages
    .slice(last + 1)
    .flatMap((message) => (message.role === "user" && !isReminder(message.text) ? [message.text] : []))
    .join("\n\n");
}

/** What kedge tells its own models about tools and rules is none of its business. */
function isReminder(text: string): boolean {
  return /^<system-reminder\b/.test(text.trimStart());
}

/** Calls that did not run never answered the agent. */
function refuseDenied(pending: PendingRequests, messages: readonly Message[]): void {
  for (const message of messages.slice(messages.findLastIndex(({ role }) => role === "assistant"))) {
    if (message.role !== "tool") continue;
    const request = pending.get(message.callId);
    // One that ran has its answer already; a second one changes nothing.
    if (message.isError) request?.refuse(message.output);
    pending.delete(message.callId);
  }
}

function failedBecause(name: string, problem: string): ModelEvent {
  const message = `The ACP agent ${name} failed: ${problem.replace(/\.$/, "")}.`;
  return { type: "failed", failure: { code: "unknown", message, retryable: false } };
}
