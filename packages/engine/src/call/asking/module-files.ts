/** Which files a word of a command may stand for when an interpreter looks it up: modules, folders, and search paths. */

const endings = "js mjs cjs ts mts cts jsx tsx json py rb pl pm sh php lua".split(" ");
const inFolder = [
  ...["js", "mjs", "cjs", "ts", "mts", "cts", "jsx", "tsx", "json", "php"].map((ending) => `index.${ending}`),
  "package.json",
  "__main__.py",
  "__init__.py",
  "init.lua",
];
const interpreters = /^(?:node(?:js)?|deno|bunx?|tsx|ts-node|(?:python|pypy|ruby|perl|php|lua)[\d.]*|luajit)$/;

/** The same word with everything that an interpreter would try in its place. */
export function moduleFiles(word: string): readonly string[] {
  const name = word.replace(/\/+$/, "");
  if (name === "" || name.startsWith("-")) return [];
  // `python3 -m pack.part`, `perl -MPack::Part`
  const inner = /^\w+(?:(?:\.|::)\w+)+$/.test(name) ? name.replaceAll(/\.|::/g, "/") : undefined;
  const places = [name, ...(inner === undefined ? [] : [inner, inner.slice(0, inner.indexOf("/"))])];
  const installed = /^[.~/]/.test(name) ? [] : [".js", "/package.json", "/index.js"].map((end) => name + end);
  return [
    ...places.flatMap((place) => [
      ...endings.map((ending) => `${place}.${ending}`),
      ...inFolder.map((file) => `${place}/${file}`),
    ]),
    ...installed.map((file) => `node_modules/${file}`),
    ...(installed.length === 0 ? [] : [`node_modules/.bin/${name}`]),
  ];
}

const plainWordsMax = 4;

export type Started = {
  /** The words that could name what is run: options, what follows them, and the first words that belong to no option. */
  readonly words: readonly string[];
  /** Those that an interpreter was given, so that a folder among them is code. */
  readonly interpreted: readonly string[];
};

/** Wrappers and runners may stand in front of the program, so that more than one word counts. */
export function startedBy(text: string): Started {
  const words: string[] = [];
  const interpreted: string[] = [];
  let plain = 0;
  let isInterpreted = false;
  let isAfterOption = false;
  for (const word of text.split(" ")) {
    const isOption = word.startsWith("-");
    const named = isOption ? attachedTo(word) : word;
    if (named !== undefined) {
      words.push(named);
      if (isInterpreted) interpreted.push(named);
    }
    if (!isOption && !isAfterOption) {
      plain += 1;
      isInterpreted = interpreters.test(word.slice(word.lastIndexOf("/") + 1));
      if (plain >= plainWordsMax) break;
    }
    isAfterOption = isOption;
  }
  return { words, interpreted };
}

/** An option may have its file attached, as in -fbuild.mk and --config=build.js. */
export function attachedTo(option: string): string | undefined {
  return /^(?:-[a-zA-Z]|--[\w-]+=)(.+)$/.exec(option)?.[1];
}

const assignment = /(?:^|[\s;&|(`])[A-Za-z_]\w*\+?=/;
/** `PATH`, `NODE_PATH`, `PYTHONPATH`, `RUBYLIB`, `PERL5LIB`, and `-I` of many programs. */
const searched = /(?:^|[\s;&|(`])(?:\w*PATH|\w*LIB)\+?=([^\s;&|()<>`]*)|\s-I\s*([^\s;&|()<>`]+)/g;

export function hasAssignment(command: string): boolean {
  return assignment.test(command);
}

/** The working directory by its variable is the directory that names are relative to anyway. */
export function withoutWorkingDirectory(command: string): string {
  return command.replaceAll(/\$PWD(?!\w)|\$\{PWD\}|\$\(pwd\)|`pwd`/g, ".");
}

/** Directories that the command puts into a search path of a program. */
export function searchDirectories(command: string): readonly string[] {
  const plain = withoutWorkingDirectory(command).replaceAll(/["'\\]/g, "");
  const entries = [...plain.matchAll(searched)].flatMap(([, path, included]) => (path ?? included ?? "").split(":"));
  // An empty entry is the working directory; what depends on other variables is not the command's own.
  return [...new Set(entries.map((entry) => entry || "."))].filter((entry) => !/^\$(?!HOME)/.test(entry));
}
