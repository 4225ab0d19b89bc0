/** The engine in a thread of its own, so that nothing a tool or the store does holds up a key on the screen. */
import { parentPort } from "node:worker_threads";
import { serveClient } from "@kedge/sdk";
import type { EngineUp, TrustAnswer } from "@kedge/tui";
import { payerNotice } from "../console/payer-notice.ts";
import { exitCodes } from "../exit-codes.ts";
import type { TrustQuestion } from "../opening/establish-trust.ts";
import { openSession, sessionChoice } from "../opening/open-session.ts";
import { refreshCatalogue } from "../opening/refresh-catalogue.ts";
import { startKedge } from "../opening/start-kedge.ts";
import { trustLines } from "../opening/trust-question.ts";
import type { FromEngine, ThreadOrder, ToEngine } from "./thread-messages.ts";

export async function runEngineThread(): Promise<number> {
  const control = parentPort;
  if (control === null) throw new Error("the engine thread was started without a thread");
  const tell = (message: FromEngine) => control.postMessage(message);
  const begun = Promise.withResolvers<ThreadOrder>();
  const closed = Promise.withResolvers<undefined>();
  const answered = Promise.withResolvers<TrustAnswer>();
  control.on("message", (message: ToEngine) => {
    switch (message.kind) {
      case "begin":
        begun.resolve(message.order);
        return;
      case "trust-answered":
        answered.resolve(message.answer);
        return;
      case "close":
        closed.resolve(undefined);
    }
  });
  const { flags, surroundings, clientPort } = await begun.promise;
  // As if it had been set from the beginning, for whatever is started from here.
  if (flags.profile !== undefined) process.env["KEDGE_PROFILE"] = flags.profile;
  const ask: TrustQuestion = async (root, trust) => {
    tell({ kind: "trust-asked", asked: { root, ...(await trustLines(root, trust)) } });
    return Promise.race([answered.promise, closed.promise]);
  };
  const onNotice = (sentence: string) => tell({ kind: "notice", sentence });
  const outcome = await startKedge(flags, surroundings, { interactive: true, app: "tui", ask, onNotice });
  if (!outcome.ok) {
    tell({ kind: "failed", failure: outcome.failure, isUsage: outcome.isUsage });
    return exitCodes.error;
  }
  const { kedge, configuration, cwd, mode, isModeNamed, runOptions, attachments } = outcome.started;
  const serving = serveClient(clientPort, kedge.client);
  const stop = new AbortController();
  try {
    let session: EngineUp["session"];
    // A stored session brings its own model.
    const takesUpWork = flags.continue === true || flags.resume !== undefined;
    if (takesUpWork || (flags.model ?? configuration.model) !== undefined) {
      const opened = await openSession(kedge.client, {
        // Which one is asked for on the screen.
        choice: flags.pickSession ? { kind: "new" } : sessionChoice(flags),
        directory: cwd,
        mode,
        isModeNamed,
        model: flags.model,
        defaultModel: configuration.model,
      });
      if (!opened.ok) {
        tell({ kind: "failed", failure: opened.failure, isUsage: false });
        return exitCodes.error;
      }
      const { sessionId, model, interrupted } = opened;
      const notice = opened.notice ?? payerNotice(kedge, model);
      session = { sessionId, model, interrupted, ...(notice !== undefined && { notice }) };
    }
    tell({ kind: "up", up: { directory: cwd, mode, runOptions, attachments, ...(session && { session }) } });
    const refreshing = refreshCatalogue(kedge, stop.signal);
    await closed.promise;
    stop.abort();
    const defect = await refreshing;
    if (defect !== undefined) throw defect;
    return exitCodes.success;
  } finally {
    serving.close();
    await kedge.close();
  }
}
