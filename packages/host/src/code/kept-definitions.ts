/** Keeps what files of code bring, by a key that changes with them: `cache/code` in kedge's own directory. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { CodeParts } from "@kedge/extend/code";
import { replaceFile } from "../machine/replace-file.ts";

const filesMax = 200;

/** A cache that cannot be read or written costs time and nothing else. */
export function openKeptDefinitions(kedgeHome: string): CodeParts["definitions"] {
  const folder = join(kedgeHome, "cache", "code");
  const pathOf = (key: string) => join(folder, `${key}.json`);
  return {
    read(key) {
      try {
        return existsSync(pathOf(key)) ? readFileSync(pathOf(key), "utf8") : undefined;
      } catch {
        return undefined;
      }
    },
    write(key, text) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        replaceFile(pathOf(key), text);
        dropOldest(folder);
      } catch (error) {
        if (!(error instanceof Error && "code" in error)) throw error;
      }
    },
  };
}

function dropOldest(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= filesMax) return;
  const files = names.map((name) => ({ path: join(folder, name), changedMs: statSync(join(folder, name)).mtimeMs }));
  files.sort((left, right) => right.changedMs - left.changedMs);
  for (const { path } of files.slice(filesMax)) rmSync(path, { force: true });
}
