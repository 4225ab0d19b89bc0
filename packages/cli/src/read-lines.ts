/** Lines of an input that programs write: they end with a line feed alone, and none is held that is too long. */

export type ReadLine =
  | { readonly number: number; readonly text: string }
  /** Longer than the limit; passed over, since nobody could hold it. */
  | { readonly number: number; readonly text: undefined };

/**
 * U+2028 and similar characters are ordinary inside JSON, so that only `\n` ends a line; a `\r` before it belongs to
 * the end, and a byte order mark to the beginning of the input. Ends with the input, or when the signal is aborted.
 */
export async function* readLines(
  input: NodeJS.ReadableStream,
  { charactersMax, signal }: { readonly charactersMax: number; readonly signal?: AbortSignal },
): AsyncGenerator<ReadLine, void> {
  // Otherwise the decoder also takes out marks that happen to begin a piece.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let pieces: string[] = [];
  let length = 0;
  let number = 0;
  const push = (piece: string) => {
    length += piece.length;
    if (length > charactersMax) pieces = [];
    else pieces.push(piece);
  };
  const take = (): ReadLine => {
    number += 1;
    const text =
      length > charactersMax ? undefined : pieces.join("").replace(number === 1 ? /^\uFEFF|\r$/g : /\r$/, "");
    pieces = [];
    length = 0;
    return { number, text };
  };
  for await (const chunk of chunksOf(input, signal)) {
    const text = typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      push(text.slice(start, end));
      yield take();
      start = end + 1;
    }
    push(text.slice(start));
  }
  push(decoder.decode());
  if (length > 0 && signal?.aborted !== true) yield take();
}

/** Reading waits for the other side; aborting ends the wait, and the input with it. */
async function* chunksOf(
  input: NodeJS.ReadableStream,
  signal: AbortSignal | undefined,
): AsyncGenerator<string | Uint8Array> {
  if (signal?.aborted) return;
  const end = () => {
    if ("destroy" in input && typeof input.destroy === "function") input.destroy();
  };
  signal?.addEventListener("abort", end, { once: true });
  try {
    // Streams of bytes give buffers, those with an encoding give texts.
    for await (const chunk of input) yield chunk as string | Uint8Array;
  } catch (error) {
    // What was destroyed ends early.
    if (signal?.aborted !== true) throw error;
  } finally {
    signal?.removeEventListener("abort", end);
  }
}
