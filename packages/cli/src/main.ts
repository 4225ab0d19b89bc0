/** The entry: reads the command line and hands over to the one part that was asked for. */
import { FailureError } from "@kedge/protocol";
import { type Invocation, parseArguments } from "./arguments/arguments.ts";
import { exitCodes } from "./exit-codes.ts";
import { failureText } from "./failure-text.ts";
import { runHeadless } from "./headless/headless.ts";
import { newProfileNotice } from "./opening/new-profile.ts";
import { readSurroundings } from "./opening/surroundings.ts";
import { outputTaken, writeDiagnostic, writeResult } from "./output.ts";
import { version } from "./start/build-facts.ts";
import { engineThreadWord } from "./start/engine-thread-word.ts";
import { hasScreen } from "./start/has-screen.ts";
import { hideSecretVariables } from "./start/hide-environment.ts";
import { areStagesWanted, createStartupStages, ignoreStage, type PassStage } from "./start/startup-stages.ts";

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
  const parsed = parseArguments(argv);
  if (!parsed.ok) {
    writeDiagnostic(`kedge: ${parsed.sentence}`);
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
    if (newProfile !== undefined) writeDiagnostic(`kedge: ${newProfile}`);
    const exitCode = await performInPlace(invocation, passStage);
    passStage("end");
    return exitCode;
  } catch (error) {
    if (error instanceof FailureError) writeDiagnostic(failureText(error.failure));
    else writeDiagnostic(`kedge: unexpected error: ${firstLine(error)}`);
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
    case "models": {
      const { runModelsCommand } = await import("./commands/models-command.ts");
      return runModelsCommand(invocation.words, invocation.flags);
    }
    case "auth": {
      const { runAuthCommand } = await import("./commands/auth-command.ts");
      return runAuthCommand(invocation.words, invocation.flags);
    }
    case "providers": {
      const { runProvidersCommand } = await import("./commands/providers-command.ts");
      return runProvidersCommand(invocation.words, invocation.flags);
    }
    case "stats": {
      const { runStatsCommand } = await import("./commands/stats-command.ts");
      return runStatsCommand(invocation.words, invocation.flags);
    }
    case "cost": {
      const { runCostCommand } = await import("./commands/cost-command.ts");
      return runCostCommand(invocation.words, invocation.flags);
    }
    case "explain": {
      const { runExplainCommand } = await import("./commands/explain-command.ts");
      return runExplainCommand(invocation.words, invocation.flags);
    }
    case "permissions": {
      const { runPermissionsCommand } = await import("./commands/permissions-command.ts");
      return runPermissionsCommand(invocation.words, invocation.flags);
    }
    case "hooks": {
      const { runHooksCommand } = await import("./commands/hooks-command.ts");
      return runHooksCommand(invocation.words, invocation.flags);
    }
    case "lsp": {
      const { runLspCommand } = await import("./commands/lsp-command.ts");
      return runLspCommand(invocation.words, invocation.flags);
    }
    case "workflow": {
      const { runWorkflowCommand } = await import("./commands/workflow-command.ts");
      return runWorkflowCommand(invocation.words, invocation.flags);
    }
    case "grade": {
      const { runGradeCommand } = await import("./commands/grade-command.ts");
      return runGradeCommand(invocation.words, invocation.flags);
    }
    case "worktree": {
      const { runWorktreeCommand } = await import("./commands/worktree-command.ts");
      return runWorktreeCommand(invocation.words, invocation.flags);
    }
    case "mcp": {
      const { runMcpCommand } = await import("./commands/mcp-command.ts");
      return runMcpCommand(invocation.words, invocation.flags);
    }
    case "memory": {
      const { runMemoryCommand } = await import("./commands/memory-command.ts");
      return runMemoryCommand(invocation.words, invocation.flags);
    }
    case "import": {
      const { runImportCommand } = await import("./commands/import-command.ts");
      return runImportCommand(invocation.words, invocation.flags);
    }
    case "doctor": {
      const { runDoctorCommand } = await import("./commands/doctor-command.ts");
      return runDoctorCommand(invocation.words, invocation.flags);
    }
    case "acp": {
      const { runAcpCommand } = await import("./commands/acp-command.ts");
      return runAcpCommand(invocation.words, invocation.flags);
    }
    case "eval": {
      const { runEvalCommand } = await import("./commands/eval-command.ts");
      return runEvalCommand(invocation.words, invocation.flags);
    }
    case "config": {
      const { runConfigCommand } = await import("./commands/config-command.ts");
      return runConfigCommand(invocation.words, invocation.flags);
    }
    case "instructions": {
      const { runInstructionsCommand } = await import("./commands/instructions-command.ts");
      return runInstructionsCommand(invocation.words, invocation.flags);
    }
    case "agents": {
      const { runAgentsCommand } = await import("./commands/agents-command.ts");
      return runAgentsCommand(invocation.words, invocation.flags);
    }
    case "skills":
    case "commands": {
      const { runDefinitionsCommand } = await import("./commands/definitions-command.ts");
      return runDefinitionsCommand(invocation.kind, invocation.words, invocation.flags);
    }
    case "plugin": {
      const { runPluginCommand } = await import("./commands/plugin-command.ts");
      return runPluginCommand(invocation.words, invocation.flags);
    }
    case "bench": {
      const { runBenchCommand } = await import("./commands/bench-command.ts");
      return runBenchCommand(invocation.words, invocation.flags);
    }
    case "trust": {
      const { runTrustCommand } = await import("./commands/trust-command.ts");
      return runTrustCommand(invocation.words, invocation.flags);
    }
    case "serve": {
      const { runServeCommand } = await import("./commands/serve-command.ts");
      return runServeCommand(invocation.words, invocation.flags);
    }
    case "attach": {
      const { runAttachCommand } = await import("./commands/attach-command.ts");
      return runAttachCommand(invocation.words, invocation.flags);
    }
    case "token": {
      const { runTokenCommand } = await import("./commands/token-command.ts");
      return runTokenCommand(invocation.words, invocation.flags);
    }
    case "undo":
    case "redo": {
      const { runUndo } = await import("./commands/undo-command.ts");
      return runUndo(invocation.kind, invocation.flags);
    }
    case "completion": {
      const { runCompletionCommand } = await import("./commands/completion-command.ts");
      return runCompletionCommand(invocation.words);
    }
    case "command-help": {
      const { commandHelpText } = await import("./arguments/help.ts");
      writeResult(`${commandHelpText(invocation.topic)}\n`);
      return exitCodes.success;
    }
  }
}
