/** User messages as JSON lines on standard input, one after the other, for a program that talks to one session. */
import { type Delivery, isJsonObject, type Media } from "@kedge/protocol";
import { readLines } from "../read-lines.ts";
import { messageTexts } from "../texts/headless.ts";
import { inputBytesMax } from "./standard-input.ts";

export type GivenMessage = {
  readonly ok: true;
  readonly text: string;
  readonly attachments: readonly Media[];
  /** When it is delivered if a run is under way; `steer` unless the message says otherwise. */
  readonly delivery?: Delivery;
};

export type UserMessage = GivenMessage | { readonly ok: false; readonly sentence: string };

/** Ends with the input or with the signal; a line that cannot be read is told, and the next one is read. */
export async function* readUserMessages(
  input: NodeJS.ReadableStream,
  signal: AbortSignal,
): AsyncGenerator<UserMessage, void> {
  for await (const { number, text } of readLines(input, { charactersMax: inputBytesMax, signal })) {
    if (text?.trim() === "") continue;
    const message = text === undefined ? wrong(messageTexts.tooLong(inputBytesMax)) : parse(text);
    yield message.ok ? message : { ok: false, sentence: messageTexts.problemIn(number, message.sentence) };
  }
}

const expected = messageTexts.wrongForm;

function parse(line: string): UserMessage {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return wrong(messageTexts.notJson);
  }
  if (!isJsonObject(value) || value["type"] !== "user") return wrong(expected);
  const { text, message, delivery } = value;
  const content = typeof text === "string" ? text : isJsonObject(message) ? message["content"] : undefined;
  const read = contentOf(content);
  if (read === undefined) return wrong(expected);
  if (read.text.trim() === "") return wrong(messageTexts.noText);
  if (delivery === undefined) return { ok: true, ...read };
  if (delivery !== "steer" && delivery !== "follow-up") return wrong(messageTexts.wrongDelivery);
  return { ok: true, ...read, delivery };
}

type Content = { readonly text: string; readonly attachments: readonly Media[] };

/** A text, or blocks of text and pictures. */
function contentOf(content: unknown): Content | undefined {
  if (typeof content === "string") return { text: content, attachments: [] };
  if (!Array.isArray(content)) return undefined;
  const texts: string[] = [];
  const attachments: Media[] = [];
  for (const block of content) {
    if (!isJsonObject(block)) return undefined;
    const { type, text, source } = block;
    if (type === "text" && typeof text === "string") texts.push(text);
    else {
      const media = isJsonObject(source) ? mediaOf(source, attachments.length + 1) : undefined;
      if (media === undefined) return undefined;
      attachments.push(media);
    }
  }
  return { text: texts.join("\n\n"), attachments };
}

function mediaOf(source: { readonly [key: string]: unknown }, number: number): Media | undefined {
  const { type, media_type: mediaType, data } = source;
  if (type !== "base64" || typeof mediaType !== "string" || typeof data !== "string") return undefined;
  return { name: messageTexts.attachment(number), mediaType, base64: data };
}

function wrong(sentence: string): { readonly ok: false; readonly sentence: string } {
  return { ok: false, sentence };
}
