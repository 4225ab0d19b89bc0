/** A frame and the bytes it is sent as, which are made once for all clients. */
import { type EventFrame, viewEventAliases } from "@kedge/protocol";

export type EncodedFrame = {
  readonly frame: EventFrame;
  readonly text: string;
  /** Made when the first client needs them. */
  bytes?: Uint8Array;
  /** The same under its other name. */
  aliased?: EncodedFrame;
};

export function encodeFrame(frame: EventFrame): EncodedFrame {
  return { frame, text: streamText(frame.id, JSON.stringify(frame)) };
}

/** One message of an event stream. JSON has no line breaks outside of its strings, and none inside of them. */
export function streamText(id: string, json: string): string {
  return `id: ${id}\ndata: ${json}\n\n`;
}

export function bytesOf(encoded: EncodedFrame): Uint8Array {
  encoded.bytes ??= Buffer.from(encoded.text);
  return encoded.bytes;
}

export function aliasOf(encoded: EncodedFrame): EncodedFrame {
  const aliases: { readonly [type: string]: string | undefined } = viewEventAliases;
  const type = aliases[encoded.frame.type];
  if (type === undefined) return encoded;
  encoded.aliased ??= encodeFrame({ ...encoded.frame, type });
  return encoded.aliased;
}
