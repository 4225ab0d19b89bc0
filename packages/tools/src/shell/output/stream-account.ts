/** Counts the bytes of each stream of a merged output. */

export function createStreamAccount() {
  let stdoutBytes = 0;
  let stderrBytes = 0;
  return {
    add(chunk: string, stream: "stdout" | "stderr"): void {
      const bytes = Buffer.byteLength(chunk);
      if (stream === "stdout") stdoutBytes += bytes;
      else stderrBytes += bytes;
    },
    result: () => ({ stdoutBytes, stderrBytes }),
  };
}
