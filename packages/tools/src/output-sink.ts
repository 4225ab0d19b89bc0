/** Bounds a stream of output to its head and tail, and passes it on live at a pace that a screen can follow. */
import type { Artifact, OutputSink } from "@kedge/protocol";

type Stream = "stdout" | "stderr";

export type OutputSinkOptions = {
  /** How much is kept of the beginning and of the end; 60 to 40 serves most readers. */
  readonly headBytes: number;
  readonly tailBytes: number;
  readonly onProgress: (chunk: string, stream: Stream) => void;
  readonly now: () => number;
  /** Where everything goes once something is left out here. */
  readonly openArtifact: () => Artifact;
};

const progressIntervalMs = 100;
const progressCharactersMax = 16_384;
const droppedChunksMax = 1_000;

export function createOutputSink(options: OutputSinkOptions): OutputSink {
  const tail = createTail(options.tailBytes);
  const progress = createProgress(options);
  let head = "";
  let headBytesLeft = options.headBytes;
  let totalBytes = 0;
  let artifact: Artifact | undefined;

  /** Called before anything is dropped, so that what was kept until then comes first. */
  function spill(chunk: string): void {
    if (artifact === undefined) {
      artifact = options.openArtifact();
      artifact.write(head + tail.text());
    }
    artifact.write(chunk);
  }

  return {
    get artifact() {
      return artifact?.number;
    },
    write(chunk, stream) {
      if (chunk === "") return;
      if (totalBytes + Buffer.byteLength(chunk) > options.headBytes + options.tailBytes) spill(chunk);
      progress.add(chunk, stream);
      const bytes = Buffer.byteLength(chunk);
      totalBytes += bytes;
      if (headBytesLeft === 0) return tail.add(chunk, bytes);
      if (bytes <= headBytesLeft) {
        head += chunk;
        headBytesLeft -= bytes;
        return;
      }
      const encoded = Buffer.from(chunk);
      const cut = characterStart(encoded, headBytesLeft);
      head += encoded.toString("utf8", 0, cut);
      headBytesLeft = 0;
      tail.add(encoded.toString("utf8", cut), bytes - cut);
    },
    text() {
      progress.flush();
      artifact?.close();
      const end = tail.text();
      const missingBytes = totalBytes - Buffer.byteLength(head) - Buffer.byteLength(end);
      if (missingBytes === 0) return head + end;
      return `${head}\n[… ${missingBytes} bytes left out …]\n${end}`;
    },
    get totalBytes() {
      return totalBytes;
    },
    get truncated() {
      return tail.cut();
    },
  };
}

/** Keeps the last bytes as whole chunks and cuts the oldest one only when asked for the text. */
function createTail(bytesMax: number) {
  const chunks: { readonly text: string; readonly bytes: number }[] = [];
  let first = 0;
  let keptBytes = 0;
  let dropped = false;

  return {
    cut: () => dropped || keptBytes > bytesMax,
    add(text: string, bytes: number): void {
      dropped ||= bytes > bytesMax;
      const kept = bytes > bytesMax ? lastBytes(text, bytesMax) : text;
      const keptSize = bytes > bytesMax ? Buffer.byteLength(kept) : bytes;
      chunks.push({ text: kept, bytes: keptSize });
      keptBytes += keptSize;
      for (let oldest = chunks[first]; oldest && keptBytes - oldest.bytes >= bytesMax; oldest = chunks[first]) {
        keptBytes -= oldest.bytes;
        first += 1;
        dropped = true;
      }
      // Removing from the front one by one would copy the list for every chunk.
      if (first > droppedChunksMax) {
        chunks.splice(0, first);
        first = 0;
      }
    },
    text(): string {
      const joined = chunks.slice(first).reduce((text, chunk) => text + chunk.text, "");
      return keptBytes > bytesMax ? lastBytes(joined, bytesMax) : joined;
    },
  };
}

function createProgress({ onProgress, now }: OutputSinkOptions) {
  let pending: { stream: Stream; text: string }[] = [];
  let pendingCharacters = 0;
  let shownAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (pending.length === 0) return;
    const shown = pending;
    pending = [];
    pendingCharacters = 0;
    shownAt = now();
    for (const { stream, text } of shown) onProgress(text.toWellFormed(), stream);
  };

  return {
    flush,
    add(chunk: string, stream: Stream): void {
      // A screen cannot show more than this in one interval; the result still has it.
      const text = chunk.slice(-progressCharactersMax);
      const last = pending.at(-1);
      if (last?.stream === stream) last.text += text;
      else pending.push({ stream, text });
      pendingCharacters += text.length;
      for (let oldest = pending[0]; oldest && pendingCharacters > progressCharactersMax; oldest = pending[0]) {
        const excess = pendingCharacters - progressCharactersMax;
        pendingCharacters -= Math.min(excess, oldest.text.length);
        if (oldest.text.length > excess) oldest.text = oldest.text.slice(excess);
        else pending.shift();
      }
      const waitMs = shownAt + progressIntervalMs - now();
      if (waitMs <= 0) flush();
      // Without the timer the last words before a long silence would stay unseen.
      else timer ??= setTimeout(flush, waitMs).unref();
    },
  };
}

function lastBytes(text: string, bytesMax: number): string {
  const encoded = Buffer.from(text);
  let start = Math.max(0, encoded.length - bytesMax);
  while (start < encoded.length && isContinuation(encoded[start])) start += 1;
  return encoded.toString("utf8", start);
}

function characterStart(encoded: Buffer, index: number): number {
  let start = index;
  while (start > 0 && isContinuation(encoded[start])) start -= 1;
  return start;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
