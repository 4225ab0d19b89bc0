/** Keeps the beginning and the end of a long text, in bytes, and knows which of them came from standard error. */

type Stream = "stdout" | "stderr";

export type OutputWindowOptions = {
  readonly headBytes: number;
  readonly tailBytes: number;
  /** Called once, when the next piece will push something out, while everything is still there. */
  readonly onFirstCut: (everything: string) => void;
};

/** From the first to the last line, or from the first byte to the one after the last. */
export type Range = readonly [number, number];

export type WindowView = {
  readonly text: string;
  readonly isCut: boolean;
  readonly totalLines: number;
  /** Lines of the whole text that stand here. */
  readonly shownLines: readonly Range[];
  /** Bytes of the text here. */
  readonly stderrRanges: readonly Range[];
};

const rangesMax = 500;
const droppedChunksMax = 1_000;
const lineFeed = 10;

export function createOutputWindow(options: OutputWindowOptions) {
  const tail = createTail(options.tailBytes);
  const ranges: [number, number][] = [];
  let head = "";
  let headBytesLeft = options.headBytes;
  let totalBytes = 0;
  let lineEnds = 0;
  let endsInLine = false;
  let isCut = false;

  function account(bytes: number, stream: Stream): void {
    const start = totalBytes;
    totalBytes += bytes;
    if (stream === "stdout") return;
    const last = ranges.at(-1);
    if (last?.[1] === start) last[1] = totalBytes;
    else ranges.push([start, totalBytes]);
    // What was pushed out of the middle needs no range.
    if (ranges.length > rangesMax) {
      const tailStart = totalBytes - options.tailBytes;
      const kept = ranges.filter(([from, to]) => from < options.headBytes || to > tailStart);
      ranges.splice(0, ranges.length, ...kept.slice(-rangesMax / 2));
    }
  }

  return {
    add(text: string, stream: Stream): void {
      const bytes = Buffer.byteLength(text);
      let inHead = "";
      let inTail = text;
      let tailBytes = bytes;
      if (headBytesLeft > 0) {
        const isWhole = bytes <= headBytesLeft;
        const encoded = isWhole ? undefined : Buffer.from(text);
        const cut = encoded === undefined ? bytes : characterStart(encoded, headBytesLeft);
        inHead = encoded === undefined ? text : encoded.toString("utf8", 0, cut);
        inTail = encoded === undefined ? "" : encoded.toString("utf8", cut);
        tailBytes = bytes - cut;
        headBytesLeft = isWhole ? headBytesLeft - bytes : 0;
      }
      if (!isCut && tail.bytes() + tailBytes > options.tailBytes) {
        isCut = true;
        options.onFirstCut(head + tail.text());
      }
      head += inHead;
      if (inTail !== "") tail.add(inTail, tailBytes);
      account(bytes, stream);
      lineEnds += countLineEnds(text);
      endsInLine = text.charCodeAt(text.length - 1) !== lineFeed;
    },
    everything: () => head + tail.text(),
    isCut: () => isCut,
    view(): WindowView {
      const totalLines = lineEnds + (endsInLine ? 1 : 0);
      const end = tail.text();
      if (!isCut) {
        const shownLines: Range[] = totalLines === 0 ? [] : [[1, totalLines]];
        return { text: head + end, isCut, totalLines, shownLines, stderrRanges: ranges };
      }
      // Whole lines read better than half ones, where there are lines.
      const shownHead = head.slice(0, head.lastIndexOf("\n") + 1) || head;
      const shownEnd = end.slice(end.indexOf("\n") + 1) || end;
      const headLines = countLineEnds(shownHead) + (shownHead.endsWith("\n") || shownHead === "" ? 0 : 1);
      const endLines = countLineEnds(shownEnd) + (endsInLine && shownEnd !== "" ? 1 : 0);
      const headSize = Buffer.byteLength(shownHead);
      const endStart = totalBytes - Buffer.byteLength(shownEnd);
      const gap = shownHead.endsWith("\n") || shownHead === "" ? "" : "\n";
      const [firstMissing, lastMissing] = [headLines + 1, totalLines - endLines];
      const lines = lastMissing >= firstMissing ? `: lines ${firstMissing}-${lastMissing}` : "";
      const mark = `${gap}[… ${endStart - headSize} bytes left out${lines} …]\n`;
      const shift = headSize + Buffer.byteLength(mark) - endStart;
      return {
        text: shownHead + mark + shownEnd,
        isCut,
        totalLines,
        shownLines: [
          ...(headLines > 0 ? [[1, headLines] as const] : []),
          ...(endLines > 0 ? [[totalLines - endLines + 1, totalLines] as const] : []),
        ],
        stderrRanges: ranges.flatMap(([from, to]) => [
          ...(from < headSize ? [[from, Math.min(to, headSize)] as const] : []),
          ...(to > endStart ? [[Math.max(from, endStart) + shift, to + shift] as const] : []),
        ]),
      };
    },
  };
}

/** Keeps the last bytes as whole chunks and cuts the oldest one only when asked for the text. */
function createTail(bytesMax: number) {
  const chunks: { readonly text: string; readonly bytes: number }[] = [];
  let first = 0;
  let keptBytes = 0;

  return {
    bytes: () => keptBytes,
    add(text: string, bytes: number): void {
      const kept = bytes > bytesMax ? lastBytes(text, bytesMax) : text;
      const keptSize = bytes > bytesMax ? Buffer.byteLength(kept) : bytes;
      chunks.push({ text: kept, bytes: keptSize });
      keptBytes += keptSize;
      for (let oldest = chunks[first]; oldest && keptBytes - oldest.bytes >= bytesMax; oldest = chunks[first]) {
        keptBytes -= oldest.bytes;
        first += 1;
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

/** Letter by letter: searching for each end costs more where lines are short. */
export function countLineEnds(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) === lineFeed) count += 1;
  return count;
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
