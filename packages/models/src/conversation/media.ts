/** Pictures and documents in a conversation: which may be sent, how many, and what stands for those that are not. */
import type { Media, Message, Model } from "@kedge/protocol";
import type { ToolMessage, UserMessage } from "./wire-conversation-rules.ts";

/** What the strictest of the vendors takes in one request. */
export const mediaPerRequestMax = 100;

/** Media go in batches of one size, so that requests keep their beginning for a while and do not depend on when one asks. */
const removalBatch = 20;

const removedReason = "removed";
const notTakenReason = "not shown: this model does not support such files";

/** A model of which nothing is known is shown pictures, which most take, and no documents, which few take. */
function isTakenBy(model: Model, { mediaType }: Media): boolean {
  const { images = true, documents = false } = model.capabilities ?? {};
  return mediaType.startsWith("image/") ? images : documents;
}

/** The message with texts in the place of media that the model does not take; the same message if there are none. */
export function withTakenMedia<Kind extends UserMessage | ToolMessage>(message: Kind, model: Model): Kind {
  return withDetail(
    withStubs(message, (media) => isTakenBy(model, media), notTakenReason),
    model,
  );
}

/** Models of OpenAI take pictures as they are since GPT-5.4, but for the small ones; whoever else is asked rejects the wish. */
function takesOriginals({ provider, id }: Model): boolean {
  return provider === "openai" && /^gpt-(?:5\.(?:[4-9]|\d\d)|[6-9])/.test(id) && !/-(?:mini|nano)/.test(id);
}

function withDetail<Kind extends UserMessage | ToolMessage>(message: Kind, model: Model): Kind {
  const media = mediaOf(message);
  if (!media.some(({ detail }) => detail !== undefined) || takesOriginals(model)) return message;
  return { ...message, media: media.map(({ detail: _, ...plain }) => plain) };
}

export function countMedia(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + mediaOf(message).length, 0);
}

/** The log with texts in the place of its oldest media, a whole number of batches of them. */
export function withNewestMedia(messages: readonly Message[]): Message[] {
  let surplus = Math.ceil((countMedia(messages) - mediaPerRequestMax) / removalBatch) * removalBatch;
  return messages.map((message) => {
    if (message.role === "assistant" || surplus <= 0) return message;
    return withStubs(message, () => surplus-- <= 0, removedReason);
  });
}

export function mediaOf(message: Message): readonly Media[] {
  return message.role === "assistant" ? [] : (message.media ?? []);
}

function withStubs<Kind extends UserMessage | ToolMessage>(
  message: Kind,
  keeps: (media: Media) => boolean,
  reason: string,
): Kind {
  const kept: Media[] = [];
  const stubs: string[] = [];
  for (const media of mediaOf(message)) {
    if (keeps(media)) kept.push(media);
    else stubs.push(stubOf(media, reason));
  }
  if (stubs.length === 0) return message;
  const { media: _all, ...bare } = message;
  const rest = kept.length === 0 ? bare : { ...bare, media: kept };
  const said = message.role === "user" ? message.text : message.output;
  const text = [...(said === "" ? [] : [said]), ...stubs].join("\n");
  // The members that tell the two kinds apart are those of the message itself.
  return { ...rest, ...(message.role === "user" ? { text } : { output: text }) } as Kind;
}

function stubOf({ name, mediaType, base64 }: Media, reason: string): string {
  return `[${name} (${mediaType}, ${sizeOf(base64)}): ${reason}]`;
}

const kilobyte = 1024;

function sizeOf(base64: string): string {
  const bytes = Math.floor((base64.replace(/=+$/, "").length * 3) / 4);
  if (bytes < kilobyte) return `${bytes} bytes`;
  const kilobytes = bytes / kilobyte;
  return kilobytes < kilobyte ? `${Math.round(kilobytes)} KB` : `${(kilobytes / kilobyte).toFixed(1)} MB`;
}
