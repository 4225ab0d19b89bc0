/** Holds back what the runtime and the engine's thread print while the screen is shown, and prints it afterwards. */
import type { Worker } from "node:worker_threads";
import { stripTerminalControls } from "@kedge/protocol";
import { writeDiagnostic } from "../output.ts";

const charactersMax = 64 * 1024;

/** The worker was started with streams of its own. Disposing of it prints what was held. */
export function holdOutput(worker: Worker): Disposable {
  let held = "";
  const hold = (text: string) => {
    if (held.length < charactersMax) held += text;
  };
  for (const stream of [worker.stdout, worker.stderr])
    stream.on("data", (piece: Buffer) => hold(piece.toString("utf8")));
  // The runtime's own listener would write to the terminal.
  const usual = process.listeners("warning");
  const onWarning = ({ name, message }: Error) => hold(`${name}: ${message}\n`);
  process.removeAllListeners("warning");
  process.on("warning", onWarning);
  return {
    [Symbol.dispose]() {
      process.off("warning", onWarning);
      for (const listener of usual) process.on("warning", listener);
      const text = stripTerminalControls(held).trimEnd();
      if (text !== "") writeDiagnostic(text);
    },
  };
}
