/** What a terminal starts with: the screen and nothing of the engine, which its own thread loads at the same time. */
import type { Worker } from "node:worker_threads";
import { parseArguments } from "../arguments/arguments.ts";
import { outputTaken, writeDiagnostic, writeNotice } from "../output.ts";
import { runTerminal } from "../terminal/terminal.ts";
import { failureTexts } from "../texts/opening.ts";
import { hasScreen } from "./has-screen.ts";
import { hideSecretVariables } from "./hide-environment.ts";
import { areStagesWanted, createStartupStages } from "./startup-stages.ts";

/** The exit code, or what the whole program is to be started with. The worker is ended when it is not needed. */
export async function main(argv: readonly string[], worker: Worker): Promise<number | readonly string[]> {
  const parsed = parseArguments(argv);
  const invocation = parsed.ok ? parsed.invocation : undefined;
  // The whole program knows how to make a worktree.
  const isHere = invocation?.kind === "console" && invocation.flags.worktree === undefined;
  if (!isHere || !hasScreen(invocation.flags, process.env)) {
    await worker.terminate();
    return argv;
  }
  const { flags, prompt } = invocation;
  // Before any child is started, and before anything is read from the environment.
  hideSecretVariables();
  const passStage = createStartupStages({ isWanted: areStagesWanted(argv, process.env) });
  passStage("arguments");
  if (flags.profile !== undefined) process.env["KEDGE_PROFILE"] = flags.profile;
  try {
    const ended = await runTerminal({ prompt, flags, passStage, worker });
    await outputTaken(ended);
    return ended === "demo" ? ["demo"] : ended;
  } catch (error) {
    const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n", 1);
    writeNotice(failureTexts.unexpected(line));
    if (flags.debug && error instanceof Error) writeDiagnostic(`${error.stack}`);
    return 1;
  }
}
