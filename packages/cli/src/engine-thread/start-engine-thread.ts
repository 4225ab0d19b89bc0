/** Starts the engine beside the screen, and tells the screen how it came up. */
import { MessageChannel, type Worker } from "node:worker_threads";
import { connectOverPort } from "@kedge/sdk";
import type { EngineStart, TrustAnswer, TrustAsked, TuiEngine } from "@kedge/tui";
import type { Flags } from "../arguments/flags.ts";
import type { Surroundings } from "../opening/surroundings.ts";
import { terminalTexts } from "../texts/terminal.ts";
import type { FromEngine, ThreadOrder, ToEngine } from "./thread-messages.ts";

/** The engine of the screen, before somebody listens to what it asks and tells. */
export type EngineThread = Omit<TuiEngine, "listen">;

export type EngineThreadParts = {
  /** Started by `startEngineWorker`, and told nothing yet. */
  readonly worker: Worker;
  readonly flags: Flags;
  readonly surroundings: Surroundings;
  readonly askForTrust: (asked: TrustAsked) => Promise<TrustAnswer>;
  readonly onNotice: (sentence: string) => void;
};

/** A thread that still works after this long has something that will not end by itself. */
const closeWaitMs = 5_000;

export function startEngineThread(parts: EngineThreadParts): EngineThread {
  const { flags, surroundings, worker } = parts;
  const { port1, port2 } = new MessageChannel();
  const environment = Object.fromEntries(Object.entries(process.env));
  const order: ThreadOrder = { flags, surroundings: { ...surroundings, environment }, clientPort: port2 };
  const up = Promise.withResolvers<EngineStart>();
  const gone = Promise.withResolvers<string | undefined>();
  let isClosing = false;
  let problem: string | undefined;
  let isOutOfMemory = false;
  const tell = (message: ToEngine) => worker.postMessage(message);

  worker.on("message", (message: FromEngine) => {
    switch (message.kind) {
      case "notice":
        parts.onNotice(message.sentence);
        return;
      case "up":
        up.resolve({ ok: true, up: message.up });
        return;
      case "failed":
        up.resolve({ ok: false, failure: message.failure, isUsage: message.isUsage });
        return;
      case "trust-asked":
        void parts.askForTrust(message.asked).then((answer) => tell({ kind: "trust-answered", answer }));
    }
  });
  worker.on("error", (error: unknown) => {
    isOutOfMemory = error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
    problem = error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error);
  });
  worker.on("exit", () => {
    port1.close();
    const message = isOutOfMemory ? terminalTexts.engineOutOfMemory : terminalTexts.engineStopped(problem);
    up.resolve({ ok: false, failure: { code: "connection_error", message, retryable: false }, isUsage: false });
    gone.resolve(isClosing ? undefined : message);
  });

  worker.postMessage({ kind: "begin", order } satisfies ToEngine, [port2]);
  return {
    client: connectOverPort(port1),
    up: up.promise,
    gone: gone.promise,
    async close() {
      isClosing = true;
      tell({ kind: "close" });
      const timer = setTimeout(() => void worker.terminate(), closeWaitMs);
      await gone.promise;
      clearTimeout(timer);
    },
  };
}
