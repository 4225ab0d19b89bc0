/** Fails when a file breaks the architecture: forbidden imports, import cycles, hidden inputs, names and sizes. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { checkDeclarations, type Declared, declaredBy, packageFile } from "./declared-imports.ts";
import { missingPaths } from "./named-paths.ts";
import { findModuleReferences, lineAt, type ModuleReference, maskSource } from "./source-scan.ts";

export type Violation = { readonly file: string; readonly line: number; readonly sentence: string };

type Part = {
  /** Our packages this one may import; its tests may import any. */
  readonly imports: readonly string[];
  /** May use no package from the registry at run time. */
  readonly isPure?: true;
  /** May read the environment, the clock, randomness, the home and the working directory. */
  readonly readsSurroundings?: true;
  /** Is part of the tests itself: may use development packages. */
  readonly isDevelopment?: true;
};

const inner = ["protocol", "engine", "models", "tools", "store", "memory", "extend", "agents", "sandbox", "server"];

/** The whole architecture: what each part may import. A part that is not here may not exist. */
export const parts: { readonly [name: string]: Part } = {
  protocol: { imports: [], isPure: true },
  engine: { imports: ["protocol"], isPure: true },
  models: { imports: ["protocol"] },
  tools: { imports: ["protocol"] },
  store: { imports: ["protocol"] },
  memory: { imports: ["protocol"] },
  extend: { imports: ["protocol"] },
  agents: { imports: ["protocol"] },
  sandbox: { imports: ["protocol"] },
  server: { imports: ["protocol", "sdk"] },
  host: { imports: [...inner, "web"], readsSurroundings: true },
  sdk: { imports: ["protocol"] },
  tui: { imports: ["protocol", "sdk"] },
  web: { imports: ["protocol", "sdk", "tui"], readsSurroundings: true },
  cli: { imports: ["protocol", "host", "sdk", "tui"], readsSurroundings: true },
  "apps/vscode": { imports: ["protocol", "sdk"] },
  testing: { imports: ["protocol"], readsSurroundings: true, isDevelopment: true },
  scripts: { imports: ["protocol", "store", "testing"], readsSurroundings: true, isDevelopment: true },
};

const linesMax = 400;
const vagueNames = new Set(["utils", "util", "helpers", "common", "misc", "shared", "core", "base"]);
const surroundings = /\bprocess\.(?:env|cwd)\b|\bDate\.now\b|\bMath\.random\b|\bhomedir\s*\(|\bnew Date\(\s*\)/g;
/** Split, so that this file does not break its own rule. */
const unfinishedMarks = new RegExp(`\\b(?:${["TO" + "DO", "FIX" + "ME", "XX" + "X"].join("|")})\\b`, "g");

type SourceFile = {
  readonly path: string;
  readonly part: string;
  readonly isTest: boolean;
  readonly source: string;
  readonly references: readonly ModuleReference[];
};

/** Every violation under a root, in the order of the files. */
export function checkArchitecture(root: string): readonly Violation[] {
  const files = readSources(root);
  const packages = [...new Set(files.filter(({ path }) => path.startsWith("packages/")).map(({ part }) => part))];
  const declared = new Map(packages.map((part) => [part, declaredBy(root, part)]));
  return [
    ...files.flatMap((file) => [...checkForm(file), ...checkSurroundings(file)]),
    ...files.flatMap((file) =>
      file.references.flatMap((found) => checkReference({ root, file, found, declared: declared.get(file.part) })),
    ),
    ...checkDeclarations(root, packages, files),
    ...checkCycles(root, files),
    ...checkMaps(root),
  ];
}

function readSources(root: string): readonly SourceFile[] {
  const patterns = ["packages/*/{src,test}/**/*.{ts,tsx}", "apps/*/{src,test}/**/*.{ts,tsx}", "scripts/**/*.{ts,tsx}"];
  return globSync(patterns, { cwd: root })
    .map((path) => path.split(sep).join("/"))
    .filter((path) => !path.includes("/node_modules/") && !path.includes("/fixtures/"))
    .sort()
    .map((path) => {
      const source = readFileSync(join(root, path), "utf8");
      const isTest = /\.test\.tsx?$/.test(path) || /^(?:packages|apps)\/[^/]+\/test\//.test(path);
      return { path, part: partOf(path), isTest, source, references: findModuleReferences(source) };
    });
}

function partOf(path: string): string {
  const [top = "", name = ""] = path.split("/");
  if (top === "packages") return name;
  return top === "apps" ? `apps/${name}` : top;
}

function checkForm({ path, part, isTest, source }: SourceFile): readonly Violation[] {
  const violations: Violation[] = [];
  const report = (line: number, sentence: string) => violations.push({ file: path, line, sentence });
  if (parts[part] === undefined) report(1, `${part} has no row in the table of parts`);
  if (!isTest && !source.startsWith("/**"))
    report(1, "the first line is not a /** comment that says what the file owns");
  const lineCount = source.trimEnd().split("\n").length;
  if (lineCount > linesMax) report(linesMax, `the file has ${lineCount} lines; ${linesMax} are allowed`);
  const vague = path.split("/").find((name) => vagueNames.has(name.replace(/(?:\.test)?\.tsx?$/, "")));
  if (vague !== undefined) report(1, `"${vague}" says nothing about what is inside`);
  for (const mark of source.matchAll(unfinishedMarks)) report(lineAt(source, mark.index), `unfinished: ${mark[0]}`);
  return violations;
}

function checkSurroundings({ path, part, isTest, source }: SourceFile): readonly Violation[] {
  if (isTest || parts[part]?.readsSurroundings) return [];
  return [...maskSource(source).matchAll(surroundings)].map((match) => ({
    file: path,
    line: lineAt(source, match.index),
    sentence: `${match[0]} is read here; it must be passed in`,
  }));
}

type ReferenceCheck = {
  readonly root: string;
  readonly file: SourceFile;
  readonly found: ModuleReference;
  /** Undefined where a part has no package of its own. */
  readonly declared: Declared | undefined;
};

function checkReference({ root, file, found, declared }: ReferenceCheck): readonly Violation[] {
  const { specifier, line } = found;
  const violation = (sentence: string): readonly Violation[] => [{ file: file.path, line, sentence }];
  const part = parts[file.part];
  // What the build makes is found nowhere on the disk.
  const isMade = specifier.startsWith("virtual:");
  if (part === undefined || isMade || specifier.startsWith("node:")) return [];
  if (specifier.startsWith(".")) {
    const target = relative(root, resolve(root, dirname(file.path), specifier))
      .split(sep)
      .join("/");
    return partOf(target) === file.part ? [] : violation(`${specifier} reaches into ${partOf(target)} past its entry`);
  }
  if (!specifier.startsWith("@kedge/")) {
    const name = packageNameOf(specifier);
    if (file.isTest || part.isDevelopment) return [];
    if (part.isPure) return violation(`${file.part} may use no package, and imports ${name}`);
    return checkDeclared(name);
  }
  const [, target = "", ...deeper] = specifier.split("/");
  if (target === file.part) return violation(`${file.part} imports itself by name; use a relative path`);
  // Tests use real parts, so they may meet any package, but like everybody through its entry.
  const isOpen = file.isTest || part.imports.includes(target);
  if (!isOpen) return violation(`${file.part} may not import ${target}`);
  const entry = entryFile(root, specifier);
  if (deeper.length > 0 && entry === undefined) return violation(`${specifier} is not an entry of ${target}`);
  return file.isTest ? [] : checkDeclared(`@kedge/${target}`);

  function checkDeclared(name: string): readonly Violation[] {
    const isMissing = declared !== undefined && !declared.has(name);
    return isMissing ? violation(`${packageFile(file.part)} does not declare ${name}`) : [];
  }
}

/** Documents that say where things are. */
const maps = ["ARCHITECTURE.md", "docs/maps.md"];

function checkMaps(root: string): readonly Violation[] {
  const paths = globSync("{packages/*/{src,test},scripts}/**/*", { cwd: root }).map((path) =>
    path.split(sep).join("/"),
  );
  const packages = Object.keys(parts);
  return maps
    .filter((file) => existsSync(join(root, file)))
    .flatMap((file) =>
      missingPaths(readFileSync(join(root, file), "utf8"), paths, packages).map(({ line, path }) => ({
        ...{ file, line, sentence: `${path} is not there` },
      })),
    );
}

/** The file behind `@kedge/name` or a declared `@kedge/name/entry`. */
function entryFile(root: string, specifier: string): string | undefined {
  const [, name = "", ...deeper] = specifier.split("/");
  const packageFile = join(root, "packages", name, "package.json");
  if (!existsSync(packageFile)) return undefined;
  const parsed: unknown = JSON.parse(readFileSync(packageFile, "utf8"));
  const entry = fieldOf(fieldOf(parsed, "exports"), deeper.length === 0 ? "." : `./${deeper.join("/")}`);
  return typeof entry === "string" ? join("packages", name, entry) : undefined;
}

/** Cycles between files, across packages and through types as well. Each is reported once, at its first file. */
function checkCycles(root: string, files: readonly SourceFile[]): readonly Violation[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const targetsOf = (file: SourceFile) =>
    file.references.flatMap(({ specifier }) => {
      const path = specifier.startsWith(".") ? join(dirname(file.path), specifier) : entryFile(root, specifier);
      const target = path === undefined ? undefined : byPath.get(path.split(sep).join("/"));
      return target === undefined ? [] : [target];
    });
  const violations: Violation[] = [];
  const finished = new Set<SourceFile>();
  const walk = (file: SourceFile, trail: readonly SourceFile[]) => {
    const start = trail.indexOf(file);
    if (start >= 0) {
      const names = [...trail.slice(start), file].map(({ path }) => path);
      violations.push({ file: file.path, line: 1, sentence: `import cycle: ${names.join(" → ")}` });
    } else if (!finished.has(file)) {
      for (const target of targetsOf(file)) walk(target, [...trail, file]);
      finished.add(file);
    }
  };
  for (const file of files) walk(file, []);
  return violations;
}

function packageNameOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, "..");
  const violations = checkArchitecture(root);
  for (const { file, line, sentence } of violations) process.stderr.write(`${file}:${line} ${sentence}\n`);
  const verdict = violations.length === 0 ? "holds" : `is broken in ${violations.length} places`;
  process.stdout.write(`${basename(root)}: the architecture ${verdict}\n`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
