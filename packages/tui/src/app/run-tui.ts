/** Runs the terminal UI from its first frame to its end. */
import { openProcessTerminal, resetTerminal, terminalWritten } from "../screen/process-terminal.ts";
import { createApp } from "./create-app.ts";
import type { TuiExit, TuiParts } from "./tui-parts.ts";

/** The terminal is usable and the engine is closed when this resolves or rejects. */
export async function runTui(parts: TuiParts): Promise<TuiExit> {
  const app = createApp(
    parts,
    openProcessTerminal(() => app.redrawAll()),
  );
  const restore = () => {
    try {
      app.restore();
    } catch (error) {
      resetTerminal();
      throw error;
    }
  };
  const onEnd = () => app.exit(signalled);
  const onDefect = (error: unknown) => app.fail(error);
  using _signals = parts.onEndSignal(onEnd, { onForced: restore });
  process.prependListener("uncaughtException", onDefect);
  // A terminal that is gone can be written to no more; what the engine does is still to be stored.
  process.stdout.on("error", onEnd);
  try {
    return await app.run();
  } finally {
    try {
      restore();
      await terminalWritten();
    } finally {
      await parts.engine.close();
      process.off("uncaughtException", onDefect);
    }
  }
}

/** What shells say of a program that was ended by somebody. */
const signalled = 130;
