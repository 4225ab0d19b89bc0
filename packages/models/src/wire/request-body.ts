/** Request bodies as growing buffers: each message is encoded once, and only the closing bytes change between turns. */
import { Buffer } from "node:buffer";
import type { Message, ModelRequest } from "@kedge/protocol";

/** `whole` asks for the answer in one piece instead of a stream. */
export type WireRequest = ModelRequest & { readonly whole?: true };

/** How one wire writes its JSON. The parts, joined in this order with commas between messages, are the whole body. */
export type BodyEncoding = {
  /** Everything up to and including the opening of the message list; `leadingMessage` is the first element, if any. */
  readonly head: (request: ModelRequest, toolsText: string) => string;
  readonly leadingMessage: (request: ModelRequest) => string | undefined;
  readonly tools: (request: ModelRequest) => string;
  /** Undefined when the wire has nothing to say for this message. */
  readonly message: (message: Message, request: ModelRequest) => string | undefined;
  /** What may differ from turn to turn stands here, after the messages, so that it cannot disturb their bytes. */
  readonly closing: (request: WireRequest) => string;
};

/** The bytes belong to the borrower until `release`; the same conversation may then overwrite their end. */
export type LentBody = { readonly bytes: Buffer; readonly release: () => void };

export type RequestBodies = { readonly lend: (request: WireRequest) => LentBody };

const initialBytes = 16 * 1024;

type Draft = {
  bytes: Buffer;
  length: number;
  messagesEncoded: number;
  needsComma: boolean;
  lent: boolean;
  tools: ModelRequest["tools"];
  readonly toolsText: string;
  readonly modelId: string;
  readonly system: string;
  readonly systemTail: string | undefined;
  readonly serverTools: ModelRequest["serverTools"];
  /** Background requests are not kept as long by the vendor, which some heads say. */
  readonly isBackground: boolean;
};

export function createRequestBodies(encoding: BodyEncoding): RequestBodies {
  const drafts = new WeakMap<readonly Message[], Draft>();
  return {
    lend(request) {
      let draft = drafts.get(request.messages);
      if (draft === undefined || draft.lent || !continues(draft, request, encoding)) {
        draft = startDraft(request, encoding);
        drafts.set(request.messages, draft);
      }
      for (; draft.messagesEncoded < request.messages.length; draft.messagesEncoded++) {
        const message = request.messages[draft.messagesEncoded];
        const text = message === undefined ? undefined : encoding.message(message, request);
        if (text !== undefined) appendElement(draft, text);
      }
      const messagesEnd = draft.length;
      append(draft, encoding.closing(request));
      const bytes = draft.bytes.subarray(0, draft.length);
      draft.length = messagesEnd;
      draft.lent = true;
      const borrowed = draft;
      return {
        bytes,
        release: () => {
          borrowed.lent = false;
        },
      };
    },
  };
}

function continues(draft: Draft, request: ModelRequest, encoding: BodyEncoding): boolean {
  if (draft.modelId !== request.model.id || draft.system !== request.system) return false;
  if (draft.systemTail !== request.systemTail || draft.serverTools !== request.serverTools) return false;
  if (draft.isBackground !== (request.source === "background")) return false;
  if (draft.messagesEncoded > request.messages.length) return false;
  if (draft.tools === request.tools) return true;
  if (draft.toolsText !== encoding.tools(request)) return false;
  draft.tools = request.tools;
  return true;
}

function startDraft(request: ModelRequest, encoding: BodyEncoding): Draft {
  const toolsText = encoding.tools(request);
  const draft: Draft = {
    bytes: Buffer.allocUnsafeSlow(initialBytes),
    length: 0,
    messagesEncoded: 0,
    needsComma: false,
    lent: false,
    tools: request.tools,
    toolsText,
    modelId: request.model.id,
    system: request.system,
    systemTail: request.systemTail,
    serverTools: request.serverTools,
    isBackground: request.source === "background",
  };
  append(draft, encoding.head(request, toolsText));
  const leading = encoding.leadingMessage(request);
  if (leading !== undefined) appendElement(draft, leading);
  return draft;
}

function appendElement(draft: Draft, text: string): void {
  append(draft, draft.needsComma ? `,${text}` : text);
  draft.needsComma = true;
}

function append(draft: Draft, text: string): void {
  const needed = draft.length + Buffer.byteLength(text);
  if (needed > draft.bytes.length) {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, draft.bytes.length * 2));
    draft.bytes.copy(larger, 0, 0, draft.length);
    draft.bytes = larger;
  }
  draft.length += draft.bytes.write(text, draft.length);
}
