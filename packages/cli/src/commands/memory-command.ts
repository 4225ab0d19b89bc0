/** `kedge memory`: what is remembered of this project, and the user's word about it. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { findProject, memoryActions } from "@kedge/host";
import { lintNotes, type MemoryAnswer, openCommandMemory, runMemoryWords } from "@kedge/host/memory";
import { showTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { openSettings } from "../opening/open-settings.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { memoryTexts } from "../texts/setup.ts";

export async function runMemoryCommand(given: readonly string[], flags: Flags): Promise<number> {
  const words = [...given, ...(flags.fix ? ["--fix"] : []), ...(flags.force ? ["force"] : [])];
  const [action = "list"] = given;
  if (action === "search") return (await import("./memory-search-command.ts")).runMemorySearch(given.slice(1), flags);
  if (!memoryActions.some((known) => known === action)) {
    writeNotice(memoryTexts.usage([...memoryActions, "search"].join("|")));
    return exitCodes.usage;
  }
  if (flags.dir !== undefined) return action === "lint" ? lintFolder(flags.dir, flags) : wrongDirectory();
  const surroundings = readSurroundings();
  const opened = await openSettings(flags, surroundings, {});
  if (!opened.ok) {
    writeDiagnostic(failureText(opened.failure));
    return exitCodes.error;
  }
  const memory = await openCommandMemory({ ...opened, ...surroundings });
  const answer = await runMemoryWords(words, memory);
  if (!answer.needsYes) return show(answer, flags);
  const isSure = flags.yes === true || (await confirm(answer));
  if (isSure) return show(await runMemoryWords([...words, "yes"], memory), flags);
  writeNotice(memoryTexts.nothingChanged);
  return exitCodes.error;
}

async function lintFolder(given: string, flags: Flags): Promise<number> {
  const { cwd, environment } = readSurroundings();
  const directory = resolve(cwd, given);
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) {
    writeNotice(memoryTexts.notADirectory(directory));
    return exitCodes.usage;
  }
  return show(await lintNotes(directory, { environment, root: findProject(cwd).root, fix: flags.fix === true }), flags);
}

function wrongDirectory(): number {
  writeNotice(memoryTexts.dirOnly);
  return exitCodes.usage;
}

function show({ text, data, isFailure }: MemoryAnswer, { json }: Flags): number {
  if (json && data !== undefined) writeResult(`${JSON.stringify(data)}\n`);
  else if (isFailure && data === undefined) writeNotice(text);
  else writeResult(`${showTerminalControls(text)}\n`);
  return isFailure ? exitCodes.error : exitCodes.success;
}

/** What would change is shown before anybody answers; nobody at the terminal means no. */
async function confirm({ text }: MemoryAnswer): Promise<boolean> {
  writeResult(`${showTerminalControls(text.replace(/\n\n[^\n]*$/, ""))}\n`);
  if (process.stdin.isTTY !== true) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await terminal.question(memoryTexts.proceed)).trim());
  } finally {
    terminal.close();
  }
}
