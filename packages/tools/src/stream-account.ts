/** Keeps account of which bytes of a merged output came from which stream. */

export type StreamAccount = {
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  /** Pairs of first byte and byte after the last, counted over the whole output before any of it is left out. */
  readonly stderrRanges: readonly (readonly [number, number])[];
};

const rangesMax = 100;

export function createStreamAccount() {
  const ranges: [number, number][] = [];
  let stdoutBytes = 0;
  let stderrBytes = 0;
  return {
    add(chunk: string, stream: "stdout" | "stderr"): void {
      const bytes = Buffer.byteLength(chunk);
      if (stream === "stdout") {
        stdoutBytes += bytes;
        return;
      }
      const start = stdoutBytes + stderrBytes;
      stderrBytes += bytes;
      const last = ranges.at(-1);
      if (last?.[1] === start) last[1] = start + bytes;
      else if (ranges.length < rangesMax) ranges.push([start, start + bytes]);
    },
    result: (): StreamAccount => ({ stdoutBytes, stderrBytes, stderrRanges: ranges }),
  };
}
