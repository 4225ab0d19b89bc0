/** Passes output on live, at a pace that a screen can follow. */

type Stream = "stdout" | "stderr";

export type OutputProgressOptions = {
  readonly onProgress: (chunk: string, stream: Stream) => void;
  readonly now: () => number;
};

const progressIntervalMs = 100;
const progressCharactersMax = 16_384;

export function createOutputProgress({ onProgress, now }: OutputProgressOptions) {
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
      if (chunk === "") return;
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
