/** Commands that OpenCode keeps in its settings: `command.<name>` with a template, beside those in its folders. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Definition, type FieldValue, makeDefinition, type Tier } from "@kedge/extend/definitions";
import { isJsonObject } from "@kedge/protocol";
import { readSettings } from "../configuration/setting-file.ts";
import { whereIs } from "../configuration/setting-layers.ts";
import type { ExtensionPlaces } from "./extension-places.ts";

const files = ["opencode.json", "opencode.jsonc"];

/** Those of the project first, which count where it is trusted. A file that is broken is named by whoever reads its rules. */
export async function opencodeCommands(
  { root, userDirectory, disabled }: ExtensionPlaces,
  isTrusted: () => boolean,
): Promise<readonly Definition[]> {
  if (disabled.includes("opencode")) return [];
  const below = (folder: string) => files.map((name) => join(folder, name)).filter((path) => existsSync(path));
  const inside = (path: string) => whereIs(path, root) === "inside";
  const ofProject = [...below(root), ...below(join(root, ".opencode"))].filter(inside);
  const ofUser = below(join(userDirectory, ".config", "opencode"));
  const project = ofProject.length > 0 && isTrusted() ? ofProject : [];
  const found = [
    ...project.map((path) => commandsIn(path, "project")),
    ...ofUser.map((path) => commandsIn(path, "user")),
  ];
  return (await Promise.all(found)).flat();
}

async function commandsIn(file: string, tier: Tier): Promise<readonly Definition[]> {
  const read = await readSettings(file, { name: file });
  const commands = read.ok ? read.settings["command"] : undefined;
  if (!isJsonObject(commands)) return [];
  return Object.entries(commands).flatMap(([name, command]) => commandDefinition(name, command, { file, tier }));
}

/** From the fields that OpenCode's settings have for a command; none without a template. */
export function commandDefinition(
  name: string,
  command: unknown,
  { file, tier }: { readonly file: string; readonly tier: Tier },
): readonly Definition[] {
  const { template, ...fields } = isJsonObject(command) ? command : {};
  if (typeof template !== "string") return [];
  const directory = dirname(file);
  const place = { source: "opencode", tier, folder: directory };
  const made = makeDefinition({
    ...({ kind: "command", place, file, directory, nameOfFile: name, text: template } as const),
    fields: new Map(Object.entries(fields).map(([key, value]): [string, FieldValue] => [key, String(value)])),
  });
  return made.ok ? [made.definition] : [];
}
