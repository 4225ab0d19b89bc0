/** The entry: reads the command line and hands over to the one part that was asked for. */
import { FailureError } from "@kedge/protocol";
import { type Invocation, parseArguments } from "./arguments/arguments.ts";
import { commandRunners } from "./commands/command-runners.ts";
import { exitCodes } from "./exit-codes.ts";
import { failureText } from "./failure-text.ts";
import { runHeadless } from "./headless/headless.ts";
import { newProfileNotice } from "./opening/new-profile.ts";
import { readSurroundings } from "./opening/surroundings.ts";
import { outputTaken, writeDiagnostic, writeNotice, writeResult } from "./output.ts";
import { version } from "./start/build-facts.ts";
import { engineThreadWord } from "./start/engine-thread-word.ts";
import { hasScreen } from "./start/has-screen.ts";
import { hideSecretVariables } from "./start/hide-environment.ts";
import { areStagesWanted, createStartupStages, ignoreStage, type PassStage } from "./start/startup-stages.ts";
import { isLaunch, teammateWord } from "./start/teammate-word.ts";
import { failureTexts } from "./texts/opening.ts";

/**
 * Returns the exit code; everything is written when it does. All but the headless path is loaded when needed. The worker
 * is for a screen alone.
 */
export async function main(
  argv: readonly string[],
  _worker?: unknown,
  onStage: PassStage = ignoreStage,
): Promise<number> {
  const exitCode = await run(argv, onStage);
  await outputTaken(exitCode);
  return exitCode;
}

async function run(argv: readonly string[], onStage: PassStage): Promise<number> {
  if (argv[0] === engineThreadWord && isThread()) {
    const { runEngineThread } = await import("./engine-thread/run-engine-thread.ts");
    return runEngineThread();
  }
  if (argv[0] === teammateWord && isLaunch(argv.slice(1))) {
    const { runTeammate } = await import("./commands/teammate-command.ts");
    return runTeammate(argv[1] ?? "");
  }
  const parsed = parseArguments(argv);
  if (!parsed.ok) {
    writeNotice(parsed.sentence);
    return exitCodes.usage;
  }
  // Before any child is started, and before anything is read from the environment.
  hideSecretVariables();
  const { invocation } = parsed;
  const tellStage = createStartupStages({ isWanted: areStagesWanted(argv, process.env) });
  const passStage: PassStage = (stage) => {
    tellStage(stage);
    onStage(stage);
  };
  passStage("arguments");
  // From here on it is as if the variable had been set, for this process and for every one that it starts.
  if ("flags" in invocation && invocation.flags.profile !== undefined) {
    process.env["KEDGE_PROFILE"] = invocation.flags.profile;
  }
  try {
    const newProfile = "flags" in invocation ? newProfileNotice(readSurroundings()) : undefined;
    if (newProfile !== undefined) writeNotice(newProfile);
    const exitCode = await performInPlace(invocation, passStage);
    passStage("end");
    return exitCode;
  } catch (error) {
    if (error instanceof FailureError) writeDiagnostic(failureText(error.failure));
    else writeNotice(failureTexts.unexpected(firstLine(error)));
    if ("flags" in invocation && invocation.flags.debug && error instanceof Error) writeDiagnostic(`${error.stack}`);
    return exitCodes.error;
  }
}

/** Looked at only when the word was given: a person may type it as well. */
function isThread(): boolean {
  return !process.getBuiltinModule("node:worker_threads").isMainThread;
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? "";
}

/** In a worktree where one is wanted; it outlives whatever goes wrong in it. */
async function performInPlace(invocation: Invocation, passStage: PassStage): Promise<number> {
  if ("flags" in invocation && invocation.flags.initOnly) {
    const { runSetupHooks } = await import("./commands/hooks-command.ts");
    return runSetupHooks(invocation.flags);
  }
  const isSession = invocation.kind === "headless" || invocation.kind === "console";
  if (!isSession || invocation.flags.worktree === undefined) return perform(invocation, passStage);
  const { enterWorktree } = await import("./opening/enter-worktree.ts");
  const entered = await enterWorktree(invocation.flags);
  if (entered === undefined) return exitCodes.error;
  try {
    return await perform(invocation, passStage);
  } finally {
    await entered.leave();
  }
}

async function perform(invocation: Invocation, passStage: PassStage): Promise<number> {
  switch (invocation.kind) {
    case "headless":
      return runHeadless(invocation.prompt, invocation.flags, passStage);
    case "version":
      writeResult(`kedge ${version}\n`);
      return exitCodes.success;
    case "help": {
      const { helpText } = await import("./arguments/help.ts");
      writeResult(`${helpText()}\n`);
      return exitCodes.success;
    }
    case "console": {
      if (hasScreen(invocation.flags, process.env)) {
        const { runTerminal } = await import("./terminal/terminal.ts");
        const ended = await runTerminal({ prompt: invocation.prompt, flags: invocation.flags, passStage });
        return ended === "demo" ? perform({ kind: "demo", flags: invocation.flags }, passStage) : ended;
      }
      const { runConsole } = await import("./console/console.ts");
      return runConsole(invocation.prompt, invocation.flags, passStage);
    }
    case "demo": {
      const { runDemo } = await import("./commands/demo.ts");
      return runDemo(invocation.flags);
    }
    case "session": {
      const { runSessionCommand } = await import("./session/session-command.ts");
      return runSessionCommand(invocation, invocation.flags);
    }
    case "undo":
    case "redo": {
      const { runUndo } = await import("./commands/undo-command.ts");
      return runUndo(invocation.kind, invocation.flags);
    }
    case "command-help": {
      const { commandHelpText } = await import("./arguments/help.ts");
      writeResult(`${commandHelpText(invocation.topic)}\n`);
      return exitCodes.success;
    }
    default: {
      const run = await commandRunners[invocation.kind]();
      return run(invocation.words, invocation.flags);
    }
  }
}
