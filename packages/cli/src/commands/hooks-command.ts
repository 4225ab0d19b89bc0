/** `kedge hooks`: what hooks there are, and what they answer. */
import { type HooksAnswer, hookActions, openCommandHooks, runHooksWords } from "@kedge/host/hooks";
import { isJsonObject, type JsonObject, showTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { openSettings } from "../opening/open-settings.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { hookTexts } from "../texts/setup.ts";

export async function runHooksCommand(words: readonly string[], flags: Flags): Promise<number> {
  const fields = words[0] === "run" ? await pipedFields() : {};
  if (fields === undefined) {
    writeNotice(hookTexts.wrongInput);
    return exitCodes.usage;
  }
  return runWords(words, fields, flags);
}

/** `kedge --init-only`: the hooks of Setup, and nothing else. */
export async function runSetupHooks(flags: Flags): Promise<number> {
  return runWords(["run", "Setup"], { trigger: "init" }, flags);
}

async function runWords(words: readonly string[], fields: JsonObject, flags: Flags): Promise<number> {
  const surroundings = readSurroundings();
  const opened = await openSettings(flags, surroundings, {});
  if (!opened.ok) {
    writeDiagnostic(failureText(opened.failure));
    return exitCodes.error;
  }
  const hooks = openCommandHooks({ ...opened, ...surroundings });
  try {
    const answer = await runHooksWords({ words, fields, cwd: opened.project.cwd }, hooks);
    if (answer !== undefined) return show(answer, flags);
    writeNotice(hookTexts.usage(hookActions.join("|")));
    return exitCodes.usage;
  } finally {
    await hooks?.close();
  }
}

/** Nothing that was piped means the sample as it is. */
async function pipedFields(): Promise<JsonObject | undefined> {
  if (process.stdin.isTTY === true) return {};
  let text = "";
  for await (const piece of process.stdin.setEncoding("utf8")) text += piece;
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    // Parsed from JSON, so it holds nothing else.
    return isJsonObject(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

function show({ text, data, isFailure }: HooksAnswer, { json }: Flags): number {
  writeResult(json ? `${JSON.stringify(data)}\n` : `${showTerminalControls(text)}\n`);
  return isFailure ? exitCodes.error : exitCodes.success;
}
