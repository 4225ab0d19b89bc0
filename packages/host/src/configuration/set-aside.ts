/** Broken settings files that the user set aside: they count as absent for as long as they stay exactly as they are. */
import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { isJsonObject } from "@kedge/protocol";
import { whileLocked } from "../machine/file-lock.ts";
import { replaceFile } from "../machine/replace-file.ts";
import { readSettingsText } from "./read-settings-text.ts";

const format = 1;

/** Looked at only where a file is broken. What cannot be read sets nothing aside. */
export function isSetAside(path: string, home: string): boolean {
  const mark = readMarks(home)[resolve(path)];
  return mark !== undefined && mark === markOf(path);
}

/** Throws what the file system throws. */
export function setAside(path: string, home: string): void {
  const file = fileIn(home);
  whileLocked(file, () => {
    const files = { ...readMarks(home), [resolve(path)]: markOf(path) };
    replaceFile(file, `${JSON.stringify({ format, files }, undefined, 2)}\n`);
  });
}

function fileIn(home: string): string {
  return join(home, "set-aside.json");
}

function readMarks(home: string): { readonly [path: string]: string } {
  const read = readSettingsText(fileIn(home));
  if (!read.ok) return {};
  try {
    const value: unknown = JSON.parse(read.text);
    if (!isJsonObject(value) || value["format"] !== format || !isJsonObject(value["files"])) return {};
    const marks = Object.entries(value["files"]);
    return Object.fromEntries(marks.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** Of what is in the file; of one that cannot be read, of what the system says about it. */
function markOf(path: string): string {
  const hash = createHash("sha256");
  const read = readSettingsText(path);
  if (read.ok) return hash.update(`text\n${read.text}`).digest("hex");
  try {
    const { dev, ino, mode, size, mtimeNs } = lstatSync(path, { bigint: true });
    return hash.update([read.why, dev, ino, mode, size, mtimeNs].join("\n")).digest("hex");
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return hash.update(`${read.why}\n${error.code}`).digest("hex");
  }
}
