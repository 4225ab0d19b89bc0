/** What the shell itself does: directories, variables, aliases, history. */
import type { ShellWord } from "../shell-command.ts";
import { compileOptions, lazily, type OptionTable } from "./option-set.ts";
import { applyRow, ordinaryProgram } from "./ordinary-program.ts";
import {
  addFile,
  addScript,
  type Findings,
  literalWord,
  type Program,
  type Programs,
  unknownWord,
} from "./program-call.ts";
import { findOption, hasOption, type ReadWords, readOptions } from "./read-options.ts";

type Builtin = (read: ReadWords, findings: Findings, home: string) => void;

function builtin(table: OptionTable & { readonly looks?: boolean }, act: Builtin): Program {
  const options = lazily(() => compileOptions(table));
  return ({ name, words, place }, findings) => {
    const read = readOptions(words, options());
    applyRow(table, options(), read, findings);
    findings.shape = { lead: [name], read };
    act(read, findings, place.home);
  };
}

const changeDirectory = builtin(
  { plain: "-L -P -e -@ -n -q -s", takesNumbers: true, looks: true },
  (read, findings, home) => {
    findings.readOnly = true;
    const [target] = read.operands;
    if (target === undefined) findings.movesTo = { word: literalWord(home) };
    // `cd -`, `pushd +1` and two words name places that only the running shell knows; with -P, links lead elsewhere.
    else if (hasOption(read, "-P")) findings.movesTo = { word: undefined };
    else if (!target.isLiteral || /^(-|[-+]\d+|)$/.test(target.text) || read.operands.length > 1)
      findings.movesTo = { word: undefined };
    else findings.movesTo = { word: target };
  },
);

const rotateDirectories: Program = (call, findings) => {
  if (call.name === "pushd" && call.words.length > 0) return changeDirectory(call, findings);
  findings.readOnly = true;
  findings.movesTo = { word: undefined };
};

const assigning = /^([A-Za-z_]\w*)(\[.*\])?(\+?=)(.*)$/s;

/** `declare`, `export` and their kin. */
const declare = builtin(
  {
    plain: "-a -A -f -F -g -i -I -l -p -r -t -u -x +a +A +i +l +r +t +u +x +f +n -o",
    special: [["-n", "none", "makes one variable stand for another"]],
    looks: true,
  },
  (read, findings) => {
    for (const word of read.operands) assign(word, findings);
    if (hasOption(read, "-f", "-F", "-p")) return;
    findings.suggestedWords = 0;
  },
);

function assign(word: ShellWord, findings: Findings): void {
  const parts = assigning.exec(word.text);
  if (parts !== null) {
    findings.assigned.push({ name: parts[1] ?? "", value: { ...word, text: parts[4] ?? "" } });
    addSubscript(parts[2] ?? "", findings);
  } else if (word.isLiteral && /^[A-Za-z_]\w*$/.test(word.text))
    findings.assigned.push({ name: word.text, value: undefined });
  else setsUnknown(word, findings);
}

function setsUnknown(word: ShellWord, findings: Findings): void {
  if (word.isLiteral) addSubscript(word.text, findings);
  else findings.concerns.push(`which variable ${word.text} sets is not known`);
  findings.readOnly = false;
}

/** A subscript is arithmetic, and arithmetic runs the substitutions in it although they were quoted. */
function addSubscript(text: string, findings: Findings): void {
  const code = /\$\(.*\)|`.*`/s.exec(text)?.[0];
  if (code === undefined) return;
  findings.inner.push({ kind: "script", text: `: ${code}` });
  findings.readOnly = false;
}

function setNamed(words: readonly (ShellWord | undefined)[], findings: Findings): void {
  for (const word of words) {
    if (word === undefined) continue;
    const name = /^([A-Za-z_]\w*)(\[.*\])?$/s.exec(word.text);
    if (!word.isLiteral || name === null) setsUnknown(word, findings);
    else {
      findings.assigned.push({ name: name[1] ?? "", value: unknownWord(word.text) });
      addSubscript(name[2] ?? "", findings);
    }
  }
}

const readVariables = builtin(
  { plain: "-e -r -s -a: -d: -i: -n: -N: -p: -t: -u: -E", looks: true },
  (read, findings) => {
    setNamed([...read.operands, findOption(read, "-a")?.value?.word], findings);
  },
);

const printFormatted: Program = (call, findings) => {
  const [first, second] = call.words;
  findings.readOnly = true;
  findings.suggestedWords = 1;
  if (first?.text === "-v" && second !== undefined) setNamed([second], findings);
  else if (first?.text.startsWith("-v") && first.isLiteral) setNamed([literalWord(first.text.slice(2))], findings);
  else if (first !== undefined && !first.isLiteral && first.isSplit && !first.isGlob) {
    findings.concerns.push(`${first.text} may become an option that sets a variable`);
  }
};

const mapFile = builtin(
  { plain: "-d: -n: -O: -s: -t -u: -c:", special: [["-C:", "script", "runs a command"]], looks: true },
  (read, findings) => {
    setNamed(read.operands, findings);
  },
);

const getOptions = builtin({ stopsAtOperand: true, looks: true }, (read, findings) =>
  setNamed([read.operands[1]], findings),
);

const wait = builtin({ plain: "-f -n -p:", looks: true }, (read, findings) =>
  setNamed([findOption(read, "-p")?.value?.word], findings),
);

const unset = builtin({ plain: "-f -v -n", looks: true }, (read, findings) => {
  for (const word of read.operands) assign(word, findings);
});

const test: Program = ({ words }, findings) => {
  findings.readOnly = true;
  findings.suggestedWords = 1;
  words.forEach((word, index) => {
    if (words[index - 1]?.text === "-v" || words[index - 1]?.text === "-R") addSubscript(word.text, findings);
  });
};

const letNumbers: Program = ({ words }, findings) => {
  findings.readOnly = true;
  for (const word of words) {
    if (!word.isLiteral) findings.concerns.push(`${word.text} is evaluated as arithmetic`);
    addSubscript(word.text, findings);
    const name = /^([A-Za-z_]\w*)(\[.*\])?\s*([-+*/%&|^]|<<|>>)?=[^=]/s.exec(word.text)?.[1];
    if (name !== undefined) findings.assigned.push({ name, value: unknownWord(word.text) });
  }
};

const alias = builtin({ plain: "-p", looks: true }, (read, findings) => {
  findings.suggestedWords = 0;
  const defined = read.operands.filter((word) => word.text.includes("=") || !word.isLiteral);
  if (defined.length === 0) return;
  findings.readOnly = false;
  findings.concerns.push("an alias changes what a later command runs");
});

const hash = builtin({ plain: "-l -r -t -d -v", special: [["-p:", "none"]], looks: true }, (read, findings) => {
  if (hasOption(read, "-p") || read.operands.some((word) => word.text.includes("="))) {
    findings.concerns.push("it changes what a later command runs");
  }
});

const enable = builtin(
  {
    plain: "-a -p -s",
    special: [
      ["-f:", "read"],
      ["-n", "none"],
      ["-d", "none"],
    ],
    looks: true,
  },
  (read, findings) => {
    if (hasOption(read, "-f", "-n", "-d")) findings.concerns.push("it changes which builtins the shell has");
  },
);

const complete = builtin(
  {
    plain: "-a -b -c -d -e -f -g -j -k -s -u -v -o: -D -E -I -p -r -A: -G: -X: -P: -S: -V:",
    special: [
      ["-C:", "script", "runs a command"],
      ["-F:", "none", "runs a function"],
      ["-W:", "none"],
    ],
    looks: true,
  },
  (read, findings) => {
    const list = findOption(read, "-W")?.value;
    // The list is expanded again, although it was quoted.
    if (list !== undefined && !list.word.isLiteral)
      findings.concerns.push("its list of words is expanded when it runs");
    else if (list !== undefined) addSubscript(list.text, findings);
    const function_ = findOption(read, "-F")?.value;
    if (function_ !== undefined) addScript(findings, function_.word, function_.text);
  },
);

const bind = builtin(
  {
    plain: "-l -p -P -s -S -v -V -q: -r: -u: -m: -X",
    special: [
      ["-x:", "none", "runs a command on a key"],
      ["-f:", "read", "loads a configuration"],
    ],
    looks: true,
  },
  () => {},
);

const shellSettings = builtin(
  {
    plain:
      "-a -b -e -f -h -m -n -p -t -u -v -x -B -C -E -H -P -T -o: +a +b +e +f +h +m +n +p +t +u +v +x +B +C +E +H +P +T +o: -s -q",
    special: [["-k", "none", "takes every word with = as a variable"]],
    looks: true,
  },
  (read, findings) => {
    findings.readOnly = true;
    const isPhysical = hasOption(read, "-P") || read.options.some(({ value }) => value?.text === "physical");
    if (isPhysical) findings.concerns.push("directories are followed through their links from then on");
  },
);

const fixCommand = builtin(
  {
    plain: "-l -n -r",
    special: [
      ["-e:", "script", "runs an editor"],
      ["-s", "none", "repeats an earlier command"],
    ],
    looks: true,
    takesNumbers: true,
  },
  (read, findings) => {
    if (!hasOption(read, "-l")) findings.unknown = "it runs an earlier command again, which is not visible";
  },
);

const history = builtin(
  {
    plain: "-s -p",
    special: [
      ["-a?", "change"],
      ["-w?", "change"],
      ["-c", "change"],
      ["-d:", "change"],
      ["-r?", "none"],
      ["-n?", "none"],
    ],
    looks: true,
  },
  (read, findings) => {
    for (const word of read.operands)
      if (!/^\d+$/.test(word.text)) addFile(findings, hasOption(read, "-a", "-w") ? "write" : "read", word);
    if (hasOption(read, "-a", "-w", "-c", "-d")) findings.concerns.push("it changes the history of the shell");
  },
);

const looks = [
  "type",
  "jobs",
  "times",
  "caller",
  "help",
  "dirs",
  "exit",
  "return",
  "break",
  "continue",
  "shift",
  "logout",
  "unalias",
];
const acts = ["kill", "killall", "pkill", "bg", "fg", "disown", "suspend", "ulimit", "umask"];

export const builtins: Programs = new Map<string, Program>([
  ["cd", changeDirectory],
  ["chdir", changeDirectory],
  ["pushd", rotateDirectories],
  ["popd", rotateDirectories],
  ...["declare", "typeset", "local", "export", "readonly"].map((name) => [name, declare] as const),
  ["read", readVariables],
  ["printf", printFormatted],
  ["mapfile", mapFile],
  ["readarray", mapFile],
  ["getopts", getOptions],
  ["unset", unset],
  ["wait", wait],
  ["test", test],
  ["[", test],
  ["let", letNumbers],
  ["alias", alias],
  ["hash", hash],
  ["enable", enable],
  ["complete", complete],
  ["compgen", complete],
  ["bind", bind],
  ["set", shellSettings],
  ["shopt", shellSettings],
  ["fc", fixCommand],
  ["history", history],
  ...looks.map(
    (name) => [name, ordinaryProgram({ plain: "-a -f -p -P -t -l -n -r -s -x -d -m -v", looks: true })] as const,
  ),
  ...acts.map((name) => [name, ordinaryProgram({ suggestedWords: 0 })] as const),
]);
