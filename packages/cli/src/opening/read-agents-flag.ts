/** Reads `--agents`: definitions by name, as JSON itself or as a file of it. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { isJsonObject, type JsonObject, reasonOf } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { settingsTexts } from "../texts/opening.ts";

export type AgentsRead =
  | { readonly ok: true; readonly definitions?: JsonObject }
  | { readonly ok: false; readonly sentence: string };

/** Those that a program gives count where the command line gives none. */
export function readAgentsFlag(
  { agents, agent, permissionMode }: Flags,
  given: JsonObject | undefined,
  cwd: string,
): AgentsRead {
  if (agent === "coordinator" && permissionMode === "plan")
    return {
      ok: false,
      sentence: settingsTexts.coordinatorPlans,
    };
  if (agents === undefined) return { ok: true, ...(given !== undefined && { definitions: given }) };
  const text = agents.trim().startsWith("{") ? agents : readText(resolve(cwd, agents));
  if (typeof text !== "string") return { ok: false, sentence: settingsTexts.agentsProblem(text.problem) };
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value) && Object.values(value).every(isJsonObject))
      return { ok: true, definitions: value as JsonObject };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { ok: false, sentence: settingsTexts.agentsForm };
}

function readText(path: string): string | { readonly problem: string } {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return { problem: settingsTexts.unreadable(path, reasonOf(error)) };
  }
}
