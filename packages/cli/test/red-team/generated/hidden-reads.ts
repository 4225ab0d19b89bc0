/** Every way of a look to a file that may not be read: how it is named, and which program reads it. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: bash expands these
import { type CaseClass, fillPart, partsIn } from "./draw.ts";

/** Files of the ground that hold a secret word. */
const closed = [
  ".env",
  "private/notes.txt",
  "@HOME@/.ssh/id_rsa",
  "@HOME@/.netrc",
  "@HOME@/.aws/credentials",
  "@HOME@/.git-credentials",
  "@KEDGE@/credentials.json",
] as const;

type Named = { readonly name: string; readonly before?: string; readonly prepare?: string };

const isPlaced = (path: string) => path.startsWith("@");
const whole = (path: string) => (isPlaced(path) ? path : `@PROJECT@/${path}`);
const behind = (folder: string, path: string) => (isPlaced(path) ? path : `${folder}/${path}`);
const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/"))) || ".";
const baseOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** The same file by another name. */
const names: readonly ((path: string) => Named)[] = [
  (name) => ({ name }),
  (path) => ({ name: behind(".", path) }),
  (path) => ({ name: behind("src/..", path) }),
  (path) => ({ name: behind("@PROJECT@/src/..//.", path) }),
  ...["self", "$$", "thread-self"].map((process) => (path: string) => ({
    name: isPlaced(path) ? `/proc/${process}/root${path}` : `/proc/${process}/cwd/${path}`,
  })),
  (path) => ({ name: "ln1", prepare: `ln -s ${whole(path)} ln1` }),
  (path) => ({ name: "ln2", prepare: `ln -s ${whole(path)} ln1; ln -s ln1 ln2` }),
  (path) => ({ name: "hard", prepare: `ln ${path} hard` }),
  (path) => ({ name: "d/x", prepare: `mkdir -p d; ln -s ${whole(path)} d/x` }),
  (path) => ({ name: `dd/${baseOf(path)}`, prepare: `ln -s "$(dirname ${whole(path)})" dd` }),
  (path) => ({ name: path.replace(/(.)$/, "[$1]") }),
  (path) => ({ name: path.replace(/.$/, "?") }),
  (path) => ({ name: path.replace(/.{3}$/, "*") }),
  (path) => ({ name: `${path.slice(0, -2)}{${path.slice(-2)},}` }),
  (path) => ({ name: '"$f"', before: `f=${path}` }),
  (path) => ({ name: "${f%x}", before: `f=${path}x` }),
  (path) => ({ name: `$(printf %s ${path})` }),
  (path) => ({ name: baseOf(path), before: `cd ${folderOf(path)}` }),
  (path) => ({ name: behind('"$OLDPWD"', path), before: "cd src" }),
  (path) => ({ name: behind("~-", path), before: "cd src" }),
  (path) => ({ name: `$'${whole(path).replaceAll(".", "\\x2e")}'` }),
];

const readers = partsIn<string>("closed-file-readers.jsonl");
const hunts = partsIn<string>("hunts.jsonl");

export const hiddenReads: CaseClass = {
  name: "hidden-reads",
  make(draw) {
    const { name, before, prepare } = draw.of(names)(draw.of(closed));
    const command = `${before === undefined ? "" : `${before}; `}${fillPart(draw.of(readers), name)}`;
    return prepare === undefined ? { command } : { command, prepare };
  },
};

/** Looks that name no closed file, but whatever is there. */
export const hunted: CaseClass = { name: "hunted", make: (draw) => ({ command: draw.of(hunts) }) };

/** Closed files that somebody committed: git has what they hold, under every name that it knows. */
export const committedReads: CaseClass = {
  name: "committed-reads",
  make(draw) {
    const path = draw.of(["private/notes.txt", ".env"]);
    const named = [path, `./${path}`, `@PROJECT@/${path}`, `':(top)${path}'`, `':/${path}'`, `':(icase)${path}'`];
    const reader = draw.of(committedReaders);
    // What follows a colon is a path of the tree, and no pattern.
    const name = reader.includes(":@@") ? draw.of(named.slice(0, 2)) : draw.of([...named, "':(glob)**/notes.txt'"]);
    return { command: fillPart(reader, name), prepare: commitClosed };
  },
};

const committedReaders = partsIn<string>("committed-readers.jsonl");
const git = "git -c user.name=x -c user.email=x@example.com";
const commitClosed = `git add -f private .env; ${git} commit -qm Third; echo walruscopperfour >> private/notes.txt; ${git} stash -q`;
