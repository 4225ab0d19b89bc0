/** Shows paths as a folded tree: a heading per directory and names below it cost far fewer tokens than whole paths. */

type Directory = { readonly files: string[]; readonly directories: Map<string, Directory> };

export type FileTree = {
  readonly text: string;
  /** How many of the paths are in the text. */
  readonly count: number;
};

/** Leaves paths out from the end until the text fits. The order of the paths is kept within each directory. */
export function showFileTree(paths: readonly string[], charactersMax: number): FileTree {
  let count = paths.length;
  for (;;) {
    const text = drawTree(paths.slice(0, count));
    if (text.length <= charactersMax || count === 0) return { text, count };
    count = Math.min(count - 1, Math.floor((count * charactersMax) / text.length));
  }
}

/** A name that would break the list is quoted, so that one line is one name. */
export function showName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that break a list
  return /[\u0000-\u001f\u007f\u2028\u2029]/.test(name) ? JSON.stringify(name) : name;
}

function drawTree(paths: readonly string[]): string {
  const root: Directory = newDirectory();
  for (const path of paths) addPath(root, path);
  const lines: string[] = [];
  drawDirectory(root, 1, lines);
  return lines.join("\n");
}

function newDirectory(): Directory {
  return { files: [], directories: new Map() };
}

function addPath(root: Directory, path: string): void {
  const names = path.split("/");
  const file = names.pop() ?? "";
  let directory = root;
  for (const name of names) {
    let next = directory.directories.get(name);
    if (next === undefined) {
      next = newDirectory();
      directory.directories.set(name, next);
    }
    directory = next;
  }
  directory.files.push(file);
}

function drawDirectory(directory: Directory, level: number, lines: string[]): void {
  // A name with a number sign in front would be taken for a heading.
  for (const name of directory.files) lines.push(name.startsWith("#") ? `./${showName(name)}` : showName(name));
  for (const [name, child] of directory.directories) {
    const { heading, end } = foldChain(`${showName(name)}/`, child);
    lines.push(`${"#".repeat(level)} ${heading}`);
    drawDirectory(end, level + 1, lines);
  }
}

/** Directories that hold nothing but one other share a heading. */
function foldChain(heading: string, directory: Directory): { readonly heading: string; readonly end: Directory } {
  const [only, ...others] = directory.directories;
  if (only === undefined || others.length > 0 || directory.files.length > 0) return { heading, end: directory };
  return foldChain(`${heading}${showName(only[0])}/`, only[1]);
}
