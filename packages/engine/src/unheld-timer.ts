/** The timer that is used where none is given: it does not keep the process alive. */
import type { EngineParts } from "./parts.ts";

export const startUnheldTimer: NonNullable<EngineParts["startTimer"]> = (work, delayMs) => {
  const timer = setTimeout(work, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
};
