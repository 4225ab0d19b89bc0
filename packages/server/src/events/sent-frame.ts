/** A frame and the bytes it is sent as, which are made once for all clients, and only when the first one needs them. */
import { type EventFrame, viewEventAliases } from "@kedge/protocol";

export type SentFrame = {
  readonly frame: EventFrame;
  /** About how long its text is. */
  readonly characters: number;
  /** Absent as long as it only went to followers in this process, and once nobody is likely to need them again. */
  bytes?: Uint8Array | undefined;
  /** The same under its other name. */
  aliased?: SentFrame | undefined;
};

export function sentFrame(frame: EventFrame): SentFrame {
  return { frame, characters: charactersIn(frame) };
}

export function bytesOf(sent: SentFrame): Uint8Array {
  sent.bytes ??= Buffer.from(streamText(sent.frame.id, JSON.stringify(sent.frame)));
  return sent.bytes;
}

/** One message of an event stream. JSON has no line breaks outside of its strings, and none inside of them. */
export function streamText(id: string, json: string): string {
  return `id: ${id}\ndata: ${json}\n\n`;
}

export function aliasOf(sent: SentFrame): SentFrame {
  const aliases: { readonly [type: string]: string | undefined } = viewEventAliases;
  const type = aliases[sent.frame.type];
  if (type === undefined) return sent;
  sent.aliased ??= { frame: { ...sent.frame, type }, characters: sent.characters };
  return sent.aliased;
}

const punctuation = 4;

/** As JSON, but for what has to be escaped; counting costs a fraction of writing it. */
function charactersIn(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return punctuation;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + charactersIn(item) + punctuation, 0);
  return Object.entries(value).reduce((sum, [name, item]) => sum + name.length + charactersIn(item) + punctuation, 0);
}
