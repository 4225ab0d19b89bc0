/** The console: a conversation in plain lines, with permission questions as typed answers. */
import { join } from "node:path";
import { homeDirectory } from "@kedge/host";
import { converse } from "./conversation.ts";
import { exitCodes } from "./exit-codes.ts";
import { failureText } from "./failure-text.ts";
import type { Flags } from "./flags.ts";
import { openSession, sessionChoice } from "./open-session.ts";
import { writeDiagnostic, writeResult } from "./output.ts";
import { startKedge } from "./start-kedge.ts";
import { readSurroundings } from "./surroundings.ts";

export async function runConsole(prompt: string, flags: Flags): Promise<number> {
  const surroundings = readSurroundings();
  const outcome = await startKedge(flags, surroundings, { interactive: true });
  if (!outcome.ok) {
    writeDiagnostic(failureText(outcome.failure));
    return outcome.isUsage ? exitCodes.usage : exitCodes.error;
  }
  const { kedge, configuration, cwd, mode, runOptions, attachments } = outcome.started;
  if ((flags.model ?? configuration.model) === undefined) {
    const { welcomeText } = await import("./welcome.ts");
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
      model: flags.model,
      defaultModel: configuration.model,
    });
    if (!opened.ok) {
      writeDiagnostic(failureText(opened.failure));
      return exitCodes.error;
    }
    const { sessionId, model, interrupted } = opened;
    const { environment } = surroundings;
    return await converse({ kedge, sessionId, model, interrupted, prompt, attachments, runOptions, environment });
  } finally {
    await kedge.close();
  }
}
