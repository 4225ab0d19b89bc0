/** Verdicts on mutants that are known already: those of a function whose text, tests and surroundings are the same. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject } from "@kedge/protocol";
import type { Home } from "../machine/home.ts";
import { type Verdict, verdictNames } from "./mutation-score.ts";

/** By the identity of the mutant. */
export type Verdicts = { [identity: string]: Verdict };

const folderOf = ({ directory }: Home) => join(directory, "cache", "grades");

export function readVerdicts(home: Home, key: string): Verdicts {
  const path = join(folderOf(home), `${key}.json`);
  if (!existsSync(path)) return {};
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    const entries = isJsonObject(value) ? Object.entries(value) : [];
    return Object.fromEntries(entries.filter((entry): entry is [string, Verdict] => isVerdict(entry[1])));
  } catch {
    // Cut off while it was written; everything is graded again.
    return {};
  }
}

export function storeVerdicts(home: Home, key: string, verdicts: Verdicts): void {
  mkdirSync(folderOf(home), { recursive: true, mode: 0o700 });
  writeFileSync(join(folderOf(home), `${key}.json`), JSON.stringify(verdicts), { mode: 0o600 });
}

function isVerdict(value: unknown): value is Verdict {
  return verdictNames.some((name) => name === value);
}
