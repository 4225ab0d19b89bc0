/** One question to a model beside the conversation: text in, text out, in time, and counted. */
import {
  type Cost,
  type Message,
  type Model,
  type ModelEvent,
  type ModelRequest,
  type Models,
  noUsage,
  type QuerySource,
  type StopReason,
  type ToolSchema,
  type Usage,
} from "@kedge/protocol";

export type SideQueryParts = { readonly models: Models; readonly newRequestId: () => string };

export type SideQuestion = {
  /** `provider/model`, or with `beside` any name for a model. */
  readonly model: string;
  /** The model of the session. */
  readonly beside?: string;
  readonly source: QuerySource;
  readonly system: string;
  readonly messages: readonly Message[];
  /** Depends on the model where one cannot be kept from thinking. */
  readonly outputTokensMax: number | ((model: Model) => number);
  readonly temperature?: number;
  /** The answer is wanted as the input of this tool. A model may answer in words all the same. */
  readonly answerTool?: ToolSchema;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

/** `model` is the one that was asked, as `provider/model`. */
export type SideAnswer = { readonly model: string; readonly usage: Usage; readonly cost: Cost } & (
  | {
      readonly ok: true;
      readonly text: string;
      /** The input of the wanted tool, as the model wrote it. */
      readonly called?: string;
      readonly stopReason: StopReason;
    }
  | { readonly ok: false; readonly problem: string }
);

const nothingSpent = { usage: noUsage, cost: { usd: 0, estimated: false } } as const;

/** Never throws for reasons of the model, and comes back in time even if the provider does not. */
export async function askAside(parts: SideQueryParts, question: SideQuestion): Promise<SideAnswer> {
  const found = await parts.models.find(question.model, question.beside);
  if (!found.ok) return { ok: false, problem: found.failure.message, model: question.model, ...nothingSpent };
  const { signal, timeoutMs } = question;
  const deadline = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, deadline]);
  const events = found.provider.stream(requestOf(parts, question, found.model), either);
  const read = await Promise.race([readAnswer(events, question.answerTool), stopped(either)]);
  const spent = { model: found.model.ref, usage: read.usage, cost: parts.models.cost(found.model, read.usage) };
  if (read.ok) {
    const { text, called, stopReason } = read;
    return { ok: true, text, ...(called !== undefined && { called }), stopReason, ...spent };
  }
  if (signal.aborted) return { ok: false, problem: "the request was canceled", ...spent };
  const problem = deadline.aborted ? `no answer within ${timeoutMs / 1000} s` : read.problem;
  return { ok: false, problem, ...spent };
}

function requestOf(parts: SideQueryParts, question: SideQuestion, found: Model): ModelRequest {
  const { source, system, messages, temperature, outputTokensMax, answerTool } = question;
  const { tools, forcedToolChoice } = found.capabilities ?? {};
  // Left to itself a model that names things often answers in words anyway, so it is asked for words.
  const isCallable = answerTool !== undefined && tools !== false && forcedToolChoice !== false;
  const requestId = parts.newRequestId();
  return {
    model: temperature === undefined ? found : { ...found, temperature },
    source,
    conversationId: requestId,
    system,
    tools: isCallable ? [answerTool] : [],
    ...(isCallable && { toolChoice: { tool: answerTool.name, parallel: false } }),
    messages,
    reasoning: { effort: "off", tokensMax: 0 },
    outputTokensMax: typeof outputTokensMax === "number" ? outputTokensMax : outputTokensMax(found),
    requestId,
  };
}

type Read = { readonly usage: Usage } & (
  | { readonly ok: true; readonly text: string; readonly called?: string; readonly stopReason: StopReason }
  | { readonly ok: false; readonly problem: string }
);

async function readAnswer(events: AsyncIterable<ModelEvent>, wanted: ToolSchema | undefined): Promise<Read> {
  let text = "";
  let called: string | undefined;
  for await (const event of events) {
    if (event.type === "text-delta") text += event.text;
    else if (event.type === "tool-call" && event.call.tool === wanted?.name) called ??= event.call.inputText;
    else if (event.type === "end")
      return {
        ...{ ok: true, text, stopReason: event.stopReason, usage: event.usage },
        ...(called !== undefined && { called }),
      };
    else if (event.type === "failed") return { ok: false, problem: event.failure.message, usage: noUsage };
  }
  return { ok: false, problem: "the answer had no end", usage: noUsage };
}

function stopped(signal: AbortSignal): Promise<Read> {
  const late: Read = { ok: false, problem: "the request was canceled", usage: noUsage };
  if (signal.aborted) return Promise.resolve(late);
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(late), { once: true }));
}
