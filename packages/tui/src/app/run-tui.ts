/** Runs the terminal UI from its first frame to its end. */
import { openProcessTerminal } from "../screen/process-terminal.ts";
import { createApp } from "./create-app.ts";
import type { TuiExit, TuiParts } from "./tui-parts.ts";

/** The terminal is as it was when this resolves or rejects. */
export async function runTui(parts: TuiParts): Promise<TuiExit> {
  const app = createApp(parts, openProcessTerminal());
  const onSignal = () => app.exit(signalled);
  const onDefect = (error: unknown) => app.fail(error);
  for (const signal of endSignals) process.on(signal, onSignal);
  process.prependListener("uncaughtException", onDefect);
  // A terminal that is gone can be written to no more; what the engine does is still to be stored.
  process.stdout.on("error", onSignal);
  try {
    return await app.run();
  } finally {
    app.restore();
    await parts.engine.close();
    for (const signal of endSignals) process.off(signal, onSignal);
    process.off("uncaughtException", onDefect);
  }
}

const endSignals = ["SIGTERM", "SIGHUP", "SIGINT"] as const;
/** What shells say of a program that was ended by somebody. */
const signalled = 130;
