/** Scripts of a project that its hooks run, found in the texts of its configuration; never loaded here. */
import { statSync } from "node:fs";
import { join, normalize } from "node:path";
import { readSettingsText } from "../configuration/read-settings-text.ts";

const namesMax = 200;

/** Relative to the root, in the order of the text. A name that the text does not spell out is not found. */
export function hookScripts(root: string, configurations: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const name of configurations) {
    const read = readSettingsText(join(root, name));
    if (!read.ok || !read.text.includes("hooks")) continue;
    const text = read.text.replaceAll(/\$\{?\w*PROJECT_DIR\}?(?:\\?")?\//g, "").replaceAll(`${root}/`, "");
    for (const [path] of text.matchAll(/(?:\.{0,2}\/)?[\w.-]+(?:\/[\w.-]+)*/g)) {
      if (found.size >= namesMax) break;
      const relative = normalize(path);
      if (!relative.startsWith("..") && !relative.startsWith("/") && isScript(join(root, relative)))
        found.add(relative);
    }
  }
  return [...found];
}

function isScript(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}
