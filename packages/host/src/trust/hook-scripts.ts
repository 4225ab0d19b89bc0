/** Scripts of a project that its hooks run, found in texts that name them; never loaded here. */
import { join, normalize } from "node:path";
import { readSettingsText } from "../configuration/read-settings-text.ts";
import { isFile } from "../machine/path-kind.ts";

const namesMax = 200;

/** What a command only writes to, such as a log, is not run by it, and changes with every run. */
const writtenTo =
  /(?<![=-])(?:\d|&)?>{1,2}[|&]?\s*(?:\\?["'])?[^\s"'\\;&|()]+|\btee\s+(?:-\w+\s+)*(?:\\?["'])?[^\s"'\\;&|()]+/g;

/** Of configuration files, relative to the root and in the order of their texts. */
export function hookScripts(root: string, configurations: readonly string[]): readonly string[] {
  const texts = configurations.flatMap((name) => {
    const read = readSettingsText(join(root, name));
    return read.ok && read.text.includes("hooks") ? [read.text] : [];
  });
  return scriptsIn(texts.join("\n"), root);
}

/** Files of the project that a text spells out, relative to the root. `known` has what was looked at for other texts. */
export function scriptsIn(text: string, root: string, known = new Map<string, boolean>()): readonly string[] {
  const found = new Set<string>();
  // Most projects have no hooks, and every start in a trusted one comes by here.
  if (text === "") return [];
  const plain = text
    .replaceAll(/\$\{?\w*PROJECT_DIR\}?(?:\\?")?\//g, "")
    .replaceAll(`${root}/`, "")
    .replaceAll(writtenTo, " ");
  for (const [path] of plain.matchAll(/(?:\.{0,2}\/)?[\w.-]+(?:\/[\w.-]+)*/g)) {
    if (found.size >= namesMax) break;
    const relative = normalize(path);
    if (relative.startsWith("..") || relative.startsWith("/")) continue;
    const isKnown = known.get(relative) ?? isFile(join(root, relative));
    known.set(relative, isKnown);
    if (isKnown) found.add(relative);
  }
  return [...found];
}
