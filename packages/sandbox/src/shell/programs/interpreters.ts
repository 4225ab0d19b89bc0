/** Interpreters: a script file is run by rule, code given as text or over a pipe is not visible to rules. */
import { compileOptions, lazily, type OptionTable } from "./option-set.ts";
import { applyRow } from "./ordinary-program.ts";
import { addFile, addRisk, type Program, type Programs } from "./program-call.ts";
import { findOption, hasOption, readOptions } from "./read-options.ts";

type InterpreterRow = OptionTable & {
  /** Options that give the code, so that no file or input does. */
  readonly code?: readonly string[];
  /** It does nothing but print when called with one of these. */
  readonly prints?: readonly string[];
  /** Words that load other code although no option of the table says so. */
  readonly loadsWith?: RegExp;
  /** Without a script it waits for a person, or does something harmless of its own. */
  readonly ignoresInput?: boolean;
};

const given = "runs code given as text";
const loads = "loads other code";
const place = "changes files in place";

const node: InterpreterRow = {
  plain:
    "-c/--check -i/--interactive -v/--version -h/--help --test --test-only --test-name-pattern: --test-reporter: --watch --watch-path: --experimental-strip-types --experimental-transform-types --no-warnings --trace-warnings --trace-uncaught --enable-source-maps --expose-gc --max-old-space-size? --stack-size? --harmony --preserve-symlinks --throw-deprecation --unhandled-rejections? --experimental-vm-modules --experimental-sqlite --experimental-test-coverage --input-type? --conditions: -C: --title? --trace-deprecation --no-deprecation --pending-deprecation --env-file-if-exists? --cpu-prof --heap-prof --run:",
  special: [
    ["-e/--eval:", "none", given],
    ["-p/--print:", "none", given],
    ["-pe:", "none", given],
    ["-r/--require:", "read", loads],
    ["--import:", "none", loads],
    ["--loader/--experimental-loader:", "none", loads],
    ["--env-file?", "read"],
    ["--openssl-config:", "read", loads],
    ["--inspect?", "none", "opens a debugger to the network"],
    ["--inspect-brk?", "none", "opens a debugger to the network"],
    ["--experimental-config-file?", "read", loads],
    ["--snapshot-blob:", "read", loads],
    ["--build-snapshot", "none"],
    ["--test-reporter-destination:", "write"],
    ["--redirect-warnings?", "write", "writes a file"],
    ["--diagnostic-dir?", "write", "writes a file"],
  ],
  code: ["-e", "-p", "-pe", "--run", "--test"],
  prints: ["-v", "-h"],
};

const interpreterTable: Readonly<Record<string, InterpreterRow>> = {
  python: {
    plain:
      "-b -B -d -E -i -I -O -OO -P -q -s -S -t -u -v -x -R -W: -X: -m: --check-hash-based-pycs: -V/--version -h/-?/--help --help-env --help-xoptions --help-all",
    special: [["-c:", "none", given]],
    code: ["-c", "-m"],
    prints: ["-V", "-h"],
  },
  node,
  tsx: { ...node, ignoresInput: true },
  "ts-node": {
    plain: "-T/--transpile-only -s -P/--project: --esm --files -v -h",
    special: [
      ["-e/--eval:", "none", given],
      ["-p/--print:", "none", given],
      ["-r/--require:", "read", loads],
    ],
    code: ["-e", "-p"],
    prints: ["-v", "-h"],
  },
  perl: {
    plain: "-0 -a -c -C -f -F: -l -n -p -s -S -t -T -u -U -w -W -X -v -V? -h -g",
    special: [
      ["-e:", "none", given],
      ["-E:", "none", given],
      ["-i?", "change", place],
      ["-M:", "none", loads],
      ["-m:", "none", loads],
      ["-I:", "none", loads],
      ["-d?", "none", loads],
      ["-x?", "none"],
    ],
    code: ["-e", "-E"],
    prints: ["-v", "-V", "-h"],
  },
  ruby: {
    plain: "-0 -a -c -F: -l -n -p -s -S -w -W -v --version -h/--help -x? -d -E: -U --disable: --enable: --yjit --jit",
    special: [
      ["-e:", "none", given],
      ["-i?", "change", place],
      ["-r:", "none", loads],
      ["-I:", "none", loads],
      ["-C:", "directory"],
    ],
    code: ["-e"],
    prints: ["--version", "-h"],
  },
  php: {
    plain: "-a -C -e -H -h -i -l -m -n -q -s -v -w --ini --rf: --rc: --re: --rz: --ri: -t:",
    special: [
      ["-r:", "none", given],
      ["-B:", "none", given],
      ["-R:", "none", given],
      ["-F:", "none", given],
      ["-E:", "none", given],
      ["-f:", "read"],
      ["-d:", "none", "changes what php loads"],
      ["-c:", "read", "changes what php loads"],
      ["-z:", "read", loads],
      ["-S:", "none", "opens a server"],
    ],
    code: ["-r", "-B", "-R", "-F", "-E", "-f", "-S", "-m", "-i", "-l"],
    prints: ["-v", "-h", "-i", "-m", "--ini"],
  },
  lua: {
    plain: "-i -v -E -W",
    special: [
      ["-e:", "none", given],
      ["-l:", "none", loads],
    ],
    code: ["-e"],
    prints: ["-v"],
  },
  luajit: {
    plain: "-i -v -E -b? -j: -O?",
    special: [
      ["-e:", "none", given],
      ["-l:", "none", loads],
    ],
    code: ["-e"],
    prints: ["-v"],
  },
  osascript: { plain: "-l: -i -s:", special: [["-e:", "none", given]], code: ["-e"] },
  Rscript: {
    plain: "--vanilla --verbose --no-save --no-restore --version --default-packages?",
    special: [["-e:", "none", given]],
    code: ["-e"],
    prints: ["--version"],
  },
  R: {
    plain: "--vanilla --no-save --no-restore --slave -q --quiet --version CMD",
    special: [
      ["-e:", "none", given],
      ["-f/--file:", "read"],
    ],
    code: ["-e", "-f"],
    prints: ["--version"],
  },
  tclsh: {},
  wish: {},
  expect: {
    special: [
      ["-c:", "none", given],
      ["-f:", "read"],
    ],
    code: ["-c", "-f"],
  },
  julia: {
    plain: "--project? -t: -q --version -h -i -O? --startup-file:",
    special: [
      ["-e/--eval:", "none", given],
      ["-E/--print:", "none", given],
      ["-L/--load:", "read", loads],
      ["-J/--sysimage:", "read", loads],
    ],
    code: ["-e", "-E"],
    prints: ["--version", "-h"],
  },
  elixir: {
    plain: "--version -S: --no-halt",
    special: [
      ["-e/--eval:", "none", given],
      ["-r:", "read", loads],
      ["-pr:", "read", loads],
      ["--erl:", "none", loads],
    ],
    code: ["-e", "-S"],
    prints: ["--version"],
  },
  erl: {
    plain: "-noshell -noinput",
    special: [
      ["-eval:", "none", given],
      ["-s:", "none", given],
      ["-run:", "none", given],
    ],
    code: ["-eval", "-s", "-run"],
  },
  groovy: { special: [["-e:", "none", given]], code: ["-e"], prints: ["--version", "-v"] },
  scala: { special: [["-e:", "none", given]], code: ["-e"], ignoresInput: true },
  swift: { special: [["-e:", "none", given]], code: ["-e"], ignoresInput: true },
  runghc: { special: [["-e:", "none", given]], code: ["-e"] },
  ghc: {
    special: [
      ["-e:", "none", given],
      ["-o:", "write"],
    ],
    code: ["-e"],
    ignoresInput: true,
  },
  guile: {
    special: [
      ["-c:", "none", given],
      ["-l:", "read", loads],
      ["-s:", "read"],
    ],
    code: ["-c", "-s"],
  },
  racket: {
    special: [
      ["-e:", "none", given],
      ["-r:", "read"],
    ],
    code: ["-e"],
  },
  sbcl: {
    special: [
      ["--eval:", "none", given],
      ["--load:", "read", loads],
      ["--script:", "read"],
    ],
    code: ["--eval", "--script"],
  },
  gnuplot: { special: [["-e:", "none", given]], code: ["-e"] },
  octave: { special: [["--eval:", "none", given]], code: ["--eval"] },
  sqlite3: {
    plain:
      "-batch -header -noheader -csv -json -line -list -column -html -readonly -bail -separator: -nullvalue: -version -safe",
    special: [
      ["-cmd:", "none", given],
      ["-init:", "read", loads],
    ],
    ignoresInput: true,
  },
  psql: {
    plain: "-a -A -b -E -e -F: -h: -H -l -L: -n -P: -p: -q -R: -s -S -t -T: -U: -v: -V -w -W -x -X -d: -z -0 -1",
    special: [
      ["-c/--command:", "none", given],
      ["-f/--file:", "read", given],
      ["-o/--output:", "write", "writes a file"],
    ],
    code: ["-c", "-f"],
    ignoresInput: true,
  },
  mysql: {
    plain: "-h: -u: -p? -P: -D: -B -N -t -s -v -V",
    special: [
      ["-e/--execute:", "none", given],
      ["--defaults-file?", "read", loads],
      ["--defaults-extra-file?", "read", loads],
      ["--pager?", "script", "runs a command"],
      ["--tee?", "write", "writes a file"],
    ],
    code: ["-e"],
    ignoresInput: true,
  },
  java: {
    plain: "-version --version -cp: -classpath: --class-path: -jar: -ea -server -showversion",
    loadsWith: /^-(javaagent|agentlib|agentpath|Xrun)|^@/,
    ignoresInput: true,
  },
  jshell: {},
};

function interpreter(row: InterpreterRow): Program {
  const table = { stopsAtOperand: true, ...row };
  const options = lazily(() => compileOptions(table));
  return ({ name, words, command }, findings) => {
    const isPython = /^(python|pypy)/.test(name);
    const moduleAt = isPython ? words.findIndex((word) => /^-[bBdEiIOPqsSuvx]*m/.test(word.text)) : -1;
    const read = readOptions(moduleAt < 0 ? words : words.slice(0, moduleAt + 2), options());
    applyRow(table, options(), { ...read, operands: [] }, findings);
    findings.suggestedWords = 0;
    for (const { text } of words) if (row.loadsWith?.test(text)) addRisk(findings, [text], loads);
    const [script] = read.operands;
    const tail = words.slice(moduleAt + 2).map((word) => word.text);
    const module = findOption(read, "-m")?.value?.text;
    if (isPython && module !== undefined) findings.otherWords.push([module, ...tail]);
    if (hasOption(read, ...(row.prints ?? [])) && script === undefined) {
      findings.readOnly = findings.riskyOptions.length === 0;
      return;
    }
    if (hasOption(read, ...(row.code ?? []))) return;
    if (script === undefined || script.text === "-" || /^\/(dev\/(stdin|fd\/)|proc\/)/.test(script.text)) {
      if (!row.ignoresInput || command.input.kind !== "inherited")
        findings.unknown = "it runs code from its input, which no rule can see";
      return;
    }
    if (!script.isLiteral) {
      findings.unknown = `the script ${script.text} is not known before it runs`;
      return;
    }
    if (!/^[a-z]+:\/\//.test(script.text)) addFile(findings, name === "sqlite3" ? "write" : "read", script);
    if (
      name === "sqlite3" &&
      read.operands.some((word) => /^\s*\.(shell|system|output|once|load|import|excel|log|trace)\b/m.test(word.text))
    ) {
      findings.concerns.push("a command of the database program runs or writes something");
    }
  };
}

const same: Readonly<Record<string, string>> = {
  python2: "python",
  python3: "python",
  pypy: "python",
  pypy3: "python",
  nodejs: "node",
  ipython: "python",
  jruby: "ruby",
  "Rscript.exe": "Rscript",
};

export const interpreters: Programs = new Map<string, Program>([
  ...Object.entries(interpreterTable).map(([name, row]) => [name, interpreter(row)] as const),
  ...Object.entries(same).map(([name, like]) => [name, interpreter(interpreterTable[like] ?? {})] as const),
]);
