/** Reads the frames of a server-sent event stream as they arrive, however its bytes are cut. */
import { type EventFrame, isJsonObject } from "@kedge/protocol";

/** A line longer than this is no frame of ours. */
const lineCharactersMax = 64 * 1024 * 1024;

export async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<EventFrame, void> {
  const reader = body.getReader();
  const lines = createLineCutter();
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      // A frame without the empty line after it was cut off, and comes again.
      if (done) return;
      for (const line of lines.add(value)) {
        if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
        else if (line === "" && data.length > 0) {
          const frame = frameOf(data.join("\n"));
          data = [];
          if (frame !== undefined) yield frame;
        }
      }
    }
  } finally {
    // The stream may have broken already; then there is nothing to cancel.
    await reader.cancel().catch(() => undefined);
  }
}

/** Keeps the pieces of an unfinished line apart, so that a long one is not searched again with every piece of it. */
function createLineCutter() {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let characters = 0;
  return {
    add(bytes: Uint8Array): readonly string[] {
      const cut = decoder.decode(bytes, { stream: true }).split("\n");
      const rest = cut.pop() ?? "";
      const lines = cut.map((text, index) => {
        const line = index === 0 ? pieces.join("") + text : text;
        return line.endsWith("\r") ? line.slice(0, -1) : line;
      });
      if (lines.length > 0) {
        pieces = [];
        characters = 0;
      }
      pieces.push(rest);
      characters += rest.length;
      if (characters > lineCharactersMax) throw new Error("an event stream frame is incomplete");
      return lines;
    },
  };
}

/** What is no frame is left out: a newer server may send more than this client knows. */
function frameOf(text: string): EventFrame | undefined {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value) || typeof value["id"] !== "string" || typeof value["type"] !== "string") return undefined;
  // The two fields that every frame has are there, and the rest is as the protocol says.
  return value as unknown as EventFrame;
}
