/** The pause before another attempt: slept piece by piece, so that others are told how much is left. */
import type { ModelEvent } from "@kedge/protocol";
import { pieceOfDelay } from "./retry-delay.ts";
import type { RetryWait } from "./retry-waits.ts";
import type { Wait } from "./wait.ts";

export type Pause = {
  readonly retrying: Extract<ModelEvent, { type: "retrying" }>;
  leftMs: number;
  readonly known: RetryWait | undefined;
};

export type PauseOptions = {
  /** Resolves with the delay or with the abort. */
  readonly wait: Wait;
  readonly unattended: boolean;
};

/** Sleeps the next piece, or less of it when the pause is hastened. Gives back how long the piece is. */
export async function sleepPiece(
  { leftMs, known }: Pause,
  options: PauseOptions,
  signal: AbortSignal,
): Promise<number> {
  const pieceMs = pieceOfDelay(leftMs, options);
  const hastened = known?.hastened;
  const ends = hastened === undefined ? signal : AbortSignal.any([signal, hastened]);
  if (pieceMs > 0 && !ends.aborted) await options.wait(pieceMs, ends);
  return pieceMs;
}

/** Takes the piece off what is left. Gives back how much of it counts as waited. */
export function takePiece(pause: Pause, pieceMs: number): number {
  if (pause.known?.hastened.aborted === true) {
    pause.leftMs = 0;
    return 0;
  }
  pause.leftMs -= pieceMs;
  return pieceMs;
}
