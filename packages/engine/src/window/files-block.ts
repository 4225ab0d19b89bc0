/** Shows the touched files to the model: one block, a heading per directory, and a mark for what was done. */
import type { TouchedFiles } from "@kedge/protocol";

type Directory = { readonly files: string[]; readonly directories: Map<string, Directory> };

const shownFilesMax = 20;

/** Undefined without any file. Of many the changed ones come first, and then the newest. */
export function filesBlock({ read, modified }: TouchedFiles): string | undefined {
  const reads = new Set(read);
  const changes = new Set(modified);
  const all = [...new Set([...modified.toReversed(), ...read.toReversed()])];
  if (all.length === 0) return undefined;
  const root = newDirectory();
  for (const path of all.slice(0, shownFilesMax).sort()) {
    const mark = !changes.has(path) ? "Read" : reads.has(path) ? "RW" : "Write";
    addFile(root, path, mark);
  }
  const missing = all.length - shownFilesMax;
  const rest = missing > 0 ? [`(and ${missing} more)`] : [];
  return ["<files>", ...linesOf(root, 1), ...rest, "</files>"].join("\n");
}

/** A summary that was made from an older one may repeat the block of that one. */
export function withoutFilesBlock(text: string): string {
  return text.replace(/\n*<files>[\s\S]*?<\/files>/g, "").trim();
}

function newDirectory(): Directory {
  return { files: [], directories: new Map() };
}

function addFile(root: Directory, path: string, mark: string): void {
  const names = path.split("/");
  const file = names.pop() ?? "";
  let directory = root;
  for (const name of names) {
    const next = directory.directories.get(name) ?? newDirectory();
    directory.directories.set(name, next);
    directory = next;
  }
  // A name with a number sign in front would be taken for a heading.
  directory.files.push(`${file.startsWith("#") ? "./" : ""}${plainName(file)} (${mark})`);
}

function linesOf({ files, directories }: Directory, level: number): readonly string[] {
  const below = [...directories].flatMap(([name, directory]) => {
    const { heading, end } = foldChain(`${plainName(name)}/`, directory);
    return [`${"#".repeat(level)} ${heading}`, ...linesOf(end, level + 1)];
  });
  return [...files, ...below];
}

/** Directories that hold nothing but one other share a heading. */
function foldChain(heading: string, directory: Directory): { readonly heading: string; readonly end: Directory } {
  const [only, ...others] = directory.directories;
  if (only === undefined || others.length > 0 || directory.files.length > 0) return { heading, end: directory };
  return foldChain(`${heading}${plainName(only[0])}/`, only[1]);
}

/** One line is one name, and no name ends the block. */
function plainName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that break a list
  if (!/[\u0000-\u001f\u007f\u2028\u2029<]/.test(name)) return name;
  return JSON.stringify(name).replaceAll("<", "\\u003c");
}
