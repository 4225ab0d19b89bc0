/** `kedge import`: takes over the set-up of another agent as a shown diff, or a session from a file. */
import { createInterface } from "node:readline/promises";
import { findProject, homeDirectory, judgeWorkspace, openHome } from "@kedge/host";
import { applyImport, foreignAgents, type ImportPlan, type ImportScope, planImport } from "@kedge/host/import";
import { showTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { importTexts } from "../texts/setup.ts";
import { closingText, planReport, planText } from "./import-text.ts";

export async function runImportCommand(words: readonly string[], flags: Flags): Promise<number> {
  const { fromAgent: agent } = flags;
  const [file, extra] = words;
  if (agent === undefined && file !== undefined) {
    const { runSessionCommand } = await import("../session/session-command.ts");
    return runSessionCommand({ action: "import", words }, flags);
  }
  if (agent === undefined) {
    return usage(importTexts.needsFrom(Object.keys(foreignAgents).join("|")));
  }
  if (file !== undefined) return usage(importTexts.doesNotAccept(JSON.stringify(extra ?? file)));
  const { cwd, environment, userDirectory } = readSurroundings();
  const opened = openHome(homeDirectory(environment, userDirectory));
  if (!opened.ok) {
    writeDiagnostic(failureText(opened.failure));
    return exitCodes.error;
  }
  const { home } = opened;
  const { root: projectRoot } = findProject(cwd);
  const plan = await planImport(
    { agent, scopes: scopesOf(flags) },
    { home: home.directory, userDirectory, projectRoot },
  );
  if (plan.found.length === 0) {
    writeNotice(importTexts.noSetup(foreignAgents[agent].name));
    return exitCodes.error;
  }
  if (!flags.json) writeResult(showTerminalControls(planText(plan)));
  const answer = await mayWrite(plan, flags);
  const applied = answer === "yes" ? applyImport(plan.files, { home, projectRoot }) : undefined;
  if (applied?.ok === false) {
    writeDiagnostic(failureText(applied.failure));
    return exitCodes.error;
  }
  if (flags.json) writeResult(`${JSON.stringify(planReport(plan, { isApplied: answer === "yes" }))}\n`);
  if (answer === "nobody") {
    writeNotice(importTexts.nothingWritten);
    return exitCodes.usage;
  }
  if (answer === "yes" && !flags.json) {
    const { state } = judgeWorkspace({ home, root: projectRoot, userDirectory, now: Date.now });
    writeDiagnostic(closingText(plan, { needsTrust: state === "unknown" }));
  }
  return exitCodes.success;
}

/** Both, unless one is named. */
function scopesOf({ user, project }: Flags): readonly ImportScope[] {
  const isBoth = user === project;
  return [...(isBoth || user ? ["user" as const] : []), ...(isBoth || project ? ["project" as const] : [])];
}

async function mayWrite({ files }: ImportPlan, flags: Flags): Promise<"yes" | "no" | "nobody"> {
  if (files.length === 0 || flags.dryRun) return "no";
  if (flags.yes) return "yes";
  if (flags.json || process.stdin.isTTY !== true) return "nobody";
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const question = importTexts.write(files.length);
    return /^y(?:es)?$/i.test((await reader.question(question)).trim()) ? "yes" : "no";
  } catch {
    // Ctrl+C or the end of input is a no.
    return "no";
  } finally {
    reader.close();
  }
}

function usage(sentence: string): number {
  writeNotice(sentence);
  return exitCodes.usage;
}
