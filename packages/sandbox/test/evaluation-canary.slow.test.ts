/** No builtin with any option, and no expansion, that is judged free runs what the values of variables hold. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSeededRandom, rounds } from "@kedge/testing";
import { expect, test } from "vitest";
import { evaluatedCode } from "./generate-arithmetic.ts";
import { isFree } from "./is-free.ts";

const commandsMax = rounds({ usual: 1_500, long: 100_000 });
const batchSize = 300;
const testTimeoutMs = 600_000;
/** They would end the shell that runs the others. */
const ending = new Set("exit logout exec suspend kill".split(" "));

const letters = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"].map((letter) => `-${letter}`);
const words = `"$n"|$n|"a[$n]"|a[$n]|"$n"=1|x="$n"|b c|"$n" "$n"|1 $n|-- "$n"|"$n" -eq 1|-eq $n`.split("|");
const expansions = [
  "${x:N} ${x:0:N} ${x#N} ${x/N/a} ${x/a/N} ${x^N} ${x:-N} ${x:=N} ${x:+N} ${x:?N} ${x[N]} ${#x[N]} ${!x} ${!x@} ${!N}",
  "${@:N} ${*:N:1} ${x@Q} ${x@A} ${x@E} ${x@K} ${x@a} ${x@U} $((N)) $[N] ${x:N:N} ${x[@]:N} ${x[*]:N:2} ${N} $N ${#N}",
  "<(echo,N) $(echo,N) ${x//N} ${x%%N} ${x,,N} ${1:N}",
]
  .join(" ")
  .split(" ")
  .map((text) => text.replace(",N", " N"));
/** Ways to set a variable that the shell owns, to what the environment holds. */
const owned = execFileSync("bash", ["-c", "compgen -v; echo RANDOM SRANDOM SECONDS LINENO HISTCMD BASHPID OPTIND"], {
  encoding: "utf8",
})
  .split(/\s+/)
  .filter((name) => /^[A-Z]/.test(name));
const settings = [
  "V=$n; echo",
  "V+=$n; echo",
  "V=($n); echo",
  "V[0]=$n; echo",
  'for V in "$n"; do echo; done',
  'read -r V <<< "$n"',
  'read -r y V <<< "y $n"',
  'read -ra V <<< "$n"',
  'printf -v V %s "$n"',
  'mapfile -t V <<< "$n"',
  'declare V="$n"',
  'export V="$n"',
  'getopts n: V "-n"',
  "echo $V; V=$n; echo",
];
const operands = ["$n", "n", "${n}", '"$n"', "1+n", "-1", "n[0]", "$n+1"];
const contexts = [
  (text: string) => `echo ${text}`,
  (text: string) => `echo "${text.replaceAll('"', "")}"`,
  (text: string) => `for i in ${text}; do echo; done`,
  (text: string) => `case ${text} in a) echo;; esac; echo`,
  (text: string) => `[[ -n ${text} ]] && echo`,
  (text: string) => `[[ a == ${text} ]]; echo`,
  (text: string) => `cat <<< ${text}`,
  (text: string) => `y=${text}; echo`,
  (text: string) => `y=(${text}); echo`,
  (text: string) => `test ${text} = a`,
  (text: string) => `[ "${text.replaceAll('"', "")}" ]`,
];

function allCommands(): readonly string[] {
  const builtins = execFileSync("bash", ["-c", "compgen -b"], { encoding: "utf8" }).split("\n");
  const names = [...builtins.filter((name) => name !== "" && !ending.has(name)), "[["];
  const closed = (name: string) => (name === "[" ? " ]" : name === "[[" ? " ]]; echo" : "");
  const given = names.flatMap((name) =>
    ["", ...letters].flatMap((option) => words.map((word) => `${name} ${option} ${word}${closed(name)}`)),
  );
  const expanded = expansions.flatMap((expansion) =>
    operands.flatMap((operand) => contexts.map((context) => context(expansion.replaceAll("N", () => operand)))),
  );
  const set = owned.flatMap((name) => settings.map((setting) => setting.replaceAll("V", () => name)));
  return [...set, ...given, ...expanded];
}

const driver = 'for script; do ( eval "$script" ) < /dev/null > /dev/null 2>&1; done';

function findActing(commands: readonly string[]): readonly string[] {
  const directory = mkdtempSync(join(tmpdir(), "kedge-evaluation-"));
  spawnSync("timeout", ["-k", "1", "60", "bash", "-c", driver, "bash", ...commands], {
    cwd: directory,
    env: { PATH: process.env["PATH"] ?? "", HOME: directory, n: evaluatedCode, x: evaluatedCode },
    stdio: "ignore",
  });
  const hasActed = readdirSync(directory).length > 0;
  rmSync(directory, { recursive: true, force: true });
  if (!hasActed || commands.length === 1) return hasActed ? commands : [];
  const middle = commands.length >> 1;
  return [...findActing(commands.slice(0, middle)), ...findActing(commands.slice(middle))];
}

test("a value that is evaluated runs", () => {
  expect(findActing(["echo $((n))", "echo $n"])).toEqual(["echo $((n))"]);
});

test(
  "nothing free evaluates a value",
  () => {
    const free = createSeededRandom().shuffle(allCommands()).filter(isFree).slice(0, commandsMax);
    const found: string[] = [];
    for (let at = 0; at < free.length; at += batchSize) found.push(...findActing(free.slice(at, at + batchSize)));
    expect(free.length).toBeGreaterThan(1_000);
    expect(found).toEqual([]);
  },
  testTimeoutMs,
);
