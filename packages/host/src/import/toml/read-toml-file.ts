/** Reads a TOML file of another agent's folder; one that is broken is noted with its line. */
import { join } from "node:path";
import { presenceOf } from "../../configuration/setting-file.ts";
import type { Findings } from "../findings.ts";
import { type ForeignFolder, originOf, readText } from "../foreign-folder.ts";
import { readToml } from "./read-toml.ts";
import type { TomlTable } from "./toml-table.ts";

export function readTomlFile(name: string, folder: ForeignFolder, findings: Findings): TomlTable | undefined {
  const path = join(folder.path, name);
  if (presenceOf(path) === "absent") return undefined;
  const source = readText(path, folder, findings);
  if (source === undefined) return undefined;
  const read = readToml(source);
  if (read.ok) return read.table;
  const why = `is not valid TOML at line ${read.line}: ${read.why}`;
  findings.notes.push({ ...originOf(path, folder), kind: "broken", why });
  return undefined;
}
