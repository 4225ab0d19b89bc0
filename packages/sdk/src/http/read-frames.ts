/** Reads the frames of a server-sent event stream as they arrive, however its bytes are cut. */
import { type EventFrame, isJsonObject } from "@kedge/protocol";

/** A line longer than this is no frame of ours. */
const lineCharactersMax = 64 * 1024 * 1024;

export async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<EventFrame, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      if (rest.length > lineCharactersMax) throw new Error("a frame of the event stream has no end");
      for (const line of lines) {
        const text = line.endsWith("\r") ? line.slice(0, -1) : line;
        if (text.startsWith("data:")) data.push(text.slice(text[5] === " " ? 6 : 5));
        else if (text === "" && data.length > 0) {
          const frame = frameOf(data.join("\n"));
          data = [];
          if (frame !== undefined) yield frame;
        }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** What is no frame is left out: a newer server may send more than this client knows. */
function frameOf(text: string): EventFrame | undefined {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value) || typeof value["id"] !== "string" || typeof value["type"] !== "string") return undefined;
  // The two fields that every frame has are there, and the rest is as the protocol says.
  return value as unknown as EventFrame;
}
