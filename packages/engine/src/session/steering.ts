/** Lets calls that only wait make room for a message of the user. */
import { steered } from "@kedge/protocol";

/** When a waiting call is ended by a message: at once, or never, so that the message waits for the next step. */
export type InterruptMode = "immediate" | "boundary";

export interface Steering {
  /** Runs the work of an interruptible call with a signal that a message aborts as well. */
  during<Result>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  /** A message for the run under way was stored. */
  arrived(): void;
}

export type SteeringParts = {
  readonly mode: InterruptMode;
  /** True while a message waits for the next step. */
  readonly isWaiting: () => boolean;
};

export function createSteering({ mode, isWaiting }: SteeringParts): Steering {
  const running = new Set<AbortController>();
  if (mode === "boundary") return { during: (signal, work) => work(signal), arrived: () => undefined };
  return {
    async during(signal, work) {
      const controller = new AbortController();
      if (isWaiting()) controller.abort(steered);
      running.add(controller);
      try {
        return await work(AbortSignal.any([signal, controller.signal]));
      } finally {
        running.delete(controller);
      }
    },
    arrived() {
      for (const controller of running) controller.abort(steered);
    },
  };
}
