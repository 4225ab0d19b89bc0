/** The console: a conversation in plain lines, with permission questions as typed answers. */
import { join } from "node:path";
import { homeDirectory } from "@kedge/host";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { openSession, sessionChoice } from "../opening/open-session.ts";
import { refreshCatalogue } from "../opening/refresh-catalogue.ts";
import { type ConnectedKedge, startKedge } from "../opening/start-kedge.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeResult } from "../output.ts";
import type { PassStage } from "../start/startup-stages.ts";
import { type ConversationOptions, converse } from "./conversation.ts";
import { payerNotice } from "./payer-notice.ts";

export async function runConsole(prompt: string, flags: Flags, passStage: PassStage): Promise<number> {
  const surroundings = readSurroundings();
  const outcome = await startKedge(flags, surroundings, { interactive: true, passStage });
  if (!outcome.ok) {
    writeDiagnostic(failureText(outcome.failure));
    return outcome.isUsage ? exitCodes.usage : exitCodes.error;
  }
  const { kedge, configuration, cwd, mode, isModeNamed, runOptions, attachments } = outcome.started;
  if ((flags.model ?? configuration.model) === undefined) {
    const { welcomeText } = await import("../opening/welcome.ts");
    writeResult(
      `${welcomeText(join(homeDirectory(surroundings.environment, surroundings.userDirectory), "config.json"))}\n`,
    );
    return exitCodes.error;
  }
  try {
    const opened = await openSession(kedge.client, {
      choice: sessionChoice(flags),
      directory: cwd,
      mode,
      isModeNamed,
      model: flags.model,
      defaultModel: configuration.model,
    });
    if (!opened.ok) {
      writeDiagnostic(failureText(opened.failure));
      return exitCodes.error;
    }
    passStage("session");
    const { sessionId, model, interrupted } = opened;
    const { environment } = surroundings;
    const notice = opened.notice ?? payerNotice(kedge, model);
    return await converseBesideRefresh(kedge, {
      client: kedge.client,
      sessionId,
      model,
      interrupted,
      prompt,
      attachments,
      runOptions,
      environment,
      onReady: () => passStage("prompt ready"),
      ...(notice !== undefined && { notice }),
    });
  } finally {
    await kedge.close();
  }
}

async function converseBesideRefresh(kedge: ConnectedKedge, options: ConversationOptions): Promise<number> {
  const stop = new AbortController();
  // First, so that the greeting is there before the list on disk is read.
  const conversation = converse(options);
  // Only for a person: what is piped in shall run the same without a network.
  const refreshing = process.stdin.isTTY ? refreshCatalogue(kedge, stop.signal) : undefined;
  const exitCode = await conversation.finally(() => stop.abort());
  const defect = await refreshing;
  if (defect !== undefined) throw defect;
  return exitCode;
}
