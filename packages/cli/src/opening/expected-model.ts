/** The model that a new session will have, as far as it can be told without the engine: shown until the engine says it. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";

type Place = { readonly home: string; readonly root: string };

/** Files of a project that might say otherwise. */
const projectFiles = ["kedge.json", "kedge.jsonc", ".kedge", "opencode.json"];

/** Undefined where anything but the command line and the user's plain settings may have a say. */
export function expectedModel(flags: Flags, { home, root }: Place): string | undefined {
  if (flags.continue || flags.resume !== undefined || flags.pickSession || flags.settings !== undefined)
    return undefined;
  if (flags.model !== undefined) return flags.model;
  if (projectFiles.some((name) => existsSync(join(root, name)))) return undefined;
  try {
    const settings: unknown = JSON.parse(readFileSync(join(home, "config.json"), "utf8"));
    const model = isJsonObject(settings) ? settings["model"] : undefined;
    return typeof model === "string" ? model : undefined;
  } catch {
    // No such file, or one with comments: the engine reads it.
    return undefined;
  }
}
