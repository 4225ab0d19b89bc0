/** What a landing made, kept in the folder of git so that it can be undone as a whole. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject } from "@kedge/protocol";
import { replaceFile } from "../machine/replace-file.ts";

export type LandingRecord = {
  readonly branch: string;
  /** The commit it began with. */
  readonly base: string;
  /** Where the branch ended; undoing refuses to lose anything that came after it. */
  readonly tip: string;
  readonly landed: readonly string[];
};

const fileName = "kedge-landings.json";

export const landingPrefix = "kedge-land-";

/** Oldest first. */
export function readLandings(gitDirectory: string): readonly LandingRecord[] {
  const path = join(gitDirectory, fileName);
  if (!existsSync(path)) return [];
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return Array.isArray(value) ? value.filter(isRecord) : [];
  } catch {
    // Somebody changed it: branches stay, and git can delete them.
    return [];
  }
}

/** Alone, and after the latest was read. */
export function writeLandings(gitDirectory: string, landings: readonly LandingRecord[]): void {
  const path = join(gitDirectory, fileName);
  if (landings.length === 0) rmSync(path, { force: true });
  else replaceFile(path, `${JSON.stringify(landings)}\n`);
}

/** Workers can write into the folder of git: no record of theirs has another branch deleted. */
function isRecord(value: unknown): value is LandingRecord {
  if (!isJsonObject(value)) return false;
  const { branch, base, tip, landed } = value;
  const isOwn = typeof branch === "string" && branch.startsWith(landingPrefix);
  return isOwn && [base, tip].every((text) => typeof text === "string") && Array.isArray(landed);
}
