/** The signals by which others end kedge, the same at every door: the work is stopped and recorded, then kedge ends. */
import { exitCodes } from "./exit-codes.ts";

const endSignals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

export type EndSignal = (typeof endSignals)[number];

/** What hangs after this long is not waited for; the next start repairs what it left. */
const endMsMax = 8_000;
/** One key press may reach a program twice, from the terminal and from a program around it. */
const repeatMs = 300;

export type EndSignalOptions = {
  /** All of them if left out. */
  readonly signals?: readonly EndSignal[];
  /** Called when the process ends at once, for what must not be left as it is. */
  readonly onForced?: () => void;
};

/**
 * Tells of the first one. Whoever presses Ctrl+C again does not want to wait, and nobody waits for ever. A terminal that
 * is closed sends its signal several times, so a repeated hang-up says nothing more.
 */
export function onEndSignal(onEnd: (signal: EndSignal) => void, options: EndSignalOptions = {}): Disposable {
  const { signals = endSignals, onForced } = options;
  let firstAtMs: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const force = () => {
    try {
      onForced?.();
    } finally {
      process.exit(exitCodes.interrupted);
    }
  };
  const onSignal = (signal: NodeJS.Signals) => {
    if (firstAtMs === undefined) {
      firstAtMs = performance.now();
      timer = setTimeout(force, endMsMax).unref();
      const known = signals.find((each) => each === signal);
      if (known !== undefined) onEnd(known);
    } else if ((signal === "SIGINT" || signal === "SIGQUIT") && performance.now() - firstAtMs > repeatMs) force();
  };
  for (const signal of signals) process.on(signal, onSignal);
  return {
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
