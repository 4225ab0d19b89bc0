/** Reads a set-up of omp: its agent folder, or `.omp` of a project (`.pi` where only that exists). */
import { join } from "node:path";
import { isJsonObject } from "@kedge/protocol";
import { presenceOf, type Settings } from "../../configuration/setting-file.ts";
import { copyFolder, copyIfThere, copyInstructions, markdown } from "../definitions/copy-definitions.ts";
import type { Findings, Origin } from "../findings.ts";
import { type ForeignFolder, readObject } from "../foreign-folder.ts";
import { convertServers } from "../mcp-servers.ts";
import { noteUnsupported, takeSetting } from "../note-settings.ts";
import { ompSetting } from "./omp-settings.ts";

/** The weaker ones first. */
const settingFiles = ["settings.json", "config.yaml", "config.yml"];

/** Folders with programs for omp, which kedge runs where they are. */
const programFolders = ["hooks", "tools", "extensions"];

export async function readOmp(folder: ForeignFolder, findings: Findings): Promise<void> {
  for (const name of settingFiles) {
    const read = await readObject(name, folder, findings);
    if (read === undefined) continue;
    for (const [key, value] of leavesOf(read.settings)) takeLeaf(key, value, read.from, folder, findings);
  }
  for (const name of ["mcp.json", ".mcp.json"]) {
    const read = await readObject(name, folder, findings);
    if (read === undefined) continue;
    const from = { ...read.from, key: "mcpServers" };
    const place = { layer: folder.scope, from, folder, remoteType: "http" } as const;
    convertServers(read.settings["mcpServers"] ?? {}, place, findings);
  }
  for (const name of ["commands", "prompts"])
    copyFolder({ name, target: "commands", pattern: markdown }, folder, findings);
  for (const name of ["rules", "instructions"])
    copyFolder({ name, target: "rules", pattern: markdown }, folder, findings);
  copyFolder({ name: "skills", target: "skills" }, folder, findings);
  copyFolder({ name: "agents", target: "agents", pattern: markdown }, folder, findings);
  copyInstructions("AGENTS.md", "rules/omp.md", folder, findings);
  for (const name of ["RULES.md", "SYSTEM.md", "APPEND_SYSTEM.md", "TITLE_SYSTEM.md"]) {
    copyIfThere(name, name, folder, findings);
  }
  for (const name of [...programFolders, "themes", "models.yml", "models.json"]) {
    const path = join(folder.path, name);
    if (presenceOf(path) === "absent") continue;
    const file = folder.shown(path);
    if (programFolders.includes(name))
      findings.notes.push({ kind: "stays", file, why: "contains programs, which kedge runs in place" });
    else noteUnsupported(findings, { file });
  }
}

function takeLeaf(key: string, value: unknown, { file }: Origin, { scope }: ForeignFolder, findings: Findings): void {
  const from = { file, key };
  const ours = ompSetting(key, value);
  if (ours === undefined) noteUnsupported(findings, from);
  else takeSetting(findings, { layer: scope, key: ours.key, value: ours.value, from });
}

const depthMax = 6;

/** Every value by its path; a group without members is nothing. */
function leavesOf(settings: Settings, start = "", depth = 0): readonly (readonly [string, unknown])[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    const key = start === "" ? name : `${start}.${name}`;
    return isJsonObject(value) && depth < depthMax ? leavesOf(value, key, depth + 1) : [[key, value] as const];
  });
}
