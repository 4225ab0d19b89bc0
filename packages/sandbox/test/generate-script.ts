/** Makes bash texts for tests: correct ones from a grammar, and others by damaging those. */
import type { SeededRandom } from "@kedge/testing";

type ScriptGenerator = {
  /** A text that bash should accept. */
  valid(): string;
  /** The text with some characters lost, doubled, moved or exchanged. */
  damage(text: string): string;
};

const names = ["x", "foo", "HOME", "_a1", "i"];
/** Every program that a generated text may start. */
export const programs = ["echo", "ls", "git", "true", ":", "printf", "cat", "rm", "./run.sh", "/bin/ls", "time"];
const plain = [
  "a",
  "-l",
  "--all",
  "src/*.ts",
  "~/x",
  "{a,b}",
  "{1..3}",
  "a=b",
  "[ab]?",
  "*",
  "1",
  "a:b",
  "%s",
  "x#y",
  "a!",
  "@",
  "+",
  "=",
  "-",
  "\\;",
  "\\ ",
  "\\$x",
  "}",
  "if",
  "done",
];
const singles = ["'a b'", "''", "'$(rm)'", "'\n'", "'\"'", "'\\'"];
const ansi = ["$'a\\n'", "$'\\x72m'", "$'\\'q'", "$'\\u00e9\\101'", "$''"];
const inDouble = [
  "a",
  " ",
  "$x",
  "${x}",
  '\\"',
  "\\$",
  "'",
  "\\\\",
  "#",
  ";",
  "|",
  "(",
  ")",
  "<",
  "`",
  "{",
  "}",
  "\n",
  "$",
];
const operators = ["-", ":-", "=", ":=", "+", ":+", "?", "#", "##", "%", "%%", "/", "//", "^", "^^", ",", ":"];
const damageCharacters = [..."\n ;&|()<>{}[]'\"`$\\#!=*~-1aifdo"];
const shortCommands = ["ls a", 'echo "$x"', "rm -rf x", "a=1 git log", "cat <x", "echo 'q' | wc"];
const separators = ["; ", "\n", " && ", " || ", " & ", " | ", " |& ", " &&\n", ";\n", " |\n", " # note\n"];

export function createScriptGenerator(random: SeededRandom): ScriptGenerator {
  const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)] as Item;
  const chance = (one: number) => random.below(one) === 0;
  const times = (limit: number, make: () => string) => Array.from({ length: random.below(limit + 1) }, make);
  let pendingTexts: string[] = [];

  const doubleQuoted = (depth: number) => {
    const body = times(4, () => {
      const piece = pick(inDouble);
      if (piece === "`" || (piece === "\n" && pendingTexts.length > 0)) return "a";
      return chance(4) ? expansion(depth - 1, { isQuoted: true }) : piece;
    });
    return `"${body.join("")}"`;
  };
  const inner = (depth: number) => {
    const outer = pendingTexts;
    pendingTexts = [];
    const text = outer.length > 0 ? pick(shortCommands) : list(depth - 1);
    pendingTexts = outer;
    return text;
  };
  const arithmetic = () => pick(["1+2", "x++", "(1+2)*3", "a[1]", "$x<<2", "x==1?2:3", "${x}", "x=1,y=2", " "]);
  const parameter = (depth: number, isQuoted: boolean) => {
    const name = pick(["x", "foo", "1", "@", "HOME", "a[0]", "a[@]", "a[$i]"]);
    if (chance(4)) return pick(["${#x}", "${!x}", "${!x*}", "${x@Q}", "${#a[@]}", "${10}"]);
    const value = depth > 0 && chance(2) ? expansion(depth - 1, { isQuoted }) : pick(["", "a", "a b", "\\}", "1"]);
    return `\${${name}${pick(operators)}${value}}`;
  };
  const expansion = (depth: number, { isQuoted }: { readonly isQuoted: boolean }): string => {
    const kind = random.below(depth > 0 ? 7 : 3);
    if (kind === 0) return pick(["$x", "$1", "$@", "$?", "$#", "$$", "$!"]);
    if (kind === 1) return `\${${pick(names)}}`;
    if (kind === 2) return pick([`$((${arithmetic()}))`, `$[${pick(["1+2", "x"])}]`]);
    if (kind === 3) return parameter(depth, isQuoted);
    if (kind === 4 && !isQuoted) return `\`${pick(shortCommands)}\``;
    return `$( ${inner(depth)})`;
  };
  const wordPiece = (depth: number) => {
    const kind = random.below(12);
    if (kind === 0) return pick(pendingTexts.length > 0 ? singles.filter((text) => text !== "'\n'") : singles);
    if (kind === 1) return pick(ansi);
    if (kind < 4) return doubleQuoted(depth);
    if (kind < 6) return expansion(depth, { isQuoted: false });
    if (kind === 6 && depth > 0) return `${pick(["<", ">"])}( ${inner(depth)})`;
    if (kind === 7) return pendingTexts.length > 0 ? "a" : "\\\n";
    return pick(plain);
  };
  const word = (depth: number): string => {
    const first = wordPiece(depth);
    const text = first === "\\\n" || first.startsWith("#") ? "w" : first;
    return text + (chance(3) ? wordPiece(depth) : "");
  };
  const redirection = (depth: number) => {
    const kind = random.below(8);
    if (kind === 0) {
      const delimiter = pick(["EOF", "'E F'", "E\\OF", '"X"', "-EOT"]);
      const bare = delimiter.replaceAll(/['"\\]/g, "");
      const isExpanded = !/['"\\]/.test(delimiter);
      const body = times(3, () => pick(["text", "a $x b", isExpanded ? "\\$(x)" : "$(", "  'quote", ""]));
      const stripsTabs = bare.startsWith("-");
      pendingTexts.push([...body, stripsTabs ? `\t${bare.slice(1)}` : bare].join("\n"));
      return `<<${delimiter}`;
    }
    if (kind === 1) return `<<<${word(0)}`;
    if (kind === 2) return pick(["2>&1", ">&2", "<&3", ">&-", "3<&0-", "{fd}>x", "&>x", "&>>x", ">&file"]);
    return `${pick(["", "2", "10"])}${pick(["<", ">", ">>", ">|", "<>"])}${pick(["", " "])}${word(depth)}`;
  };
  /** Escapes and reserved words in arrays are read more strictly than by bash, which stumbles over some of them. */
  const arrayWord = (depth: number) => {
    const text = word(depth);
    return text.includes("\\") || text === "if" || text === "done" || text === "}" ? "e" : text;
  };
  const assignment = (depth: number) =>
    pick([
      () => `${pick(names)}=${chance(2) ? "" : word(depth)}`,
      () => `${pick(names)}+=${word(depth)}`,
      () => `a[${pick(["1", "$x", "x+1", " 1 "])}]=${word(depth)}`,
      () =>
        `a=(${times(3, () => arrayWord(depth)).join(" ")}${pick(["", " ", "\n"]).replace("\n", pendingTexts.length > 0 ? "" : "\n")})`,
    ])();
  const simple = (depth: number): string => {
    const pieces: string[] = [];
    if (chance(5)) pieces.push(assignment(depth));
    if (chance(8)) pieces.push(redirection(depth));
    if (pieces.length === 0 || !chance(4))
      pieces.push(pick(programs), ...times(3, () => (chance(6) ? redirection(depth) : word(depth))));
    return pieces.join(pick([" ", "  ", "\t"]));
  };
  const lineEnd = () => {
    const texts = pendingTexts;
    pendingTexts = [];
    return texts.length === 0 ? "\n" : `\n${texts.join("\n")}\n`;
  };
  const list = (depth: number): string => {
    let text = command(depth);
    for (let more = random.below(3); more > 0; more -= 1) {
      const separator = pick(separators);
      text += separator.includes("\n") ? separator.replace("\n", lineEnd) : separator;
      text += command(depth);
    }
    return text + (pendingTexts.length > 0 ? lineEnd() : pick([";", "\n", " ;"]).replace("\n", lineEnd));
  };
  const pattern = () => pick(["a", "*.ts", "'q'", "$x", "a|b", "[ab]", "*"]);
  const condition = (): string =>
    pick([
      () => "-f x",
      () => `$x == ${pick(["a*", "+(a|b)", '"q"', "@(x)"])}`,
      () => `$x =~ ${pick(["^a(b|c)+$", "[0-9]+", "$y", "(a|b)\\ c"])}`,
      () => "! -n $x",
      () => "( a < b )",
      () => "x",
      () => `${condition()} ${pick(["&&", "||"])} ${condition()}`,
      () => "$x -eq 1",
    ])();
  const compound = (depth: number): string =>
    pick([
      () => `{ ${list(depth)} }`,
      () => `( ${list(depth)} )`,
      () =>
        `if ${list(depth)} then ${list(depth)} ${chance(2) ? `elif ${list(depth)} then ${list(depth)}` : ""} ${chance(2) ? `else ${list(depth)}` : ""} fi`,
      () => `for ${pick(["x", "i"])} in ${times(3, () => word(0)).join(" ")}; do ${list(depth)} done`,
      () => `for ((i=0;i<3;i++)); do ${list(depth)} done`,
      () => `for x ${pick(["; do", "do", "\ndo"]).replace("\n", lineEnd)} ${list(depth)} done`,
      () => `select x in a b; do ${list(depth)} done`,
      () => `${pick(["while", "until"])} ${list(depth)} do ${list(depth)} done`,
      () =>
        `case ${word(0)} in ${pick(["", "("])}${pattern()}) ${list(depth)}${pick([";;", ";&", ";;&"])} ${pattern()}) ${list(depth)} esac`,
      () => `[[ ${condition()} ]]`,
      () => `(( ${arithmetic()} ))`,
      () => `${pick(["f()", "f ()", "function f", "function f()"])} { ${list(depth)} }`,
      () => `coproc ${pick(["", "N "])}{ ${list(depth)} }`,
      () => `coproc ${pick(shortCommands)}`,
    ])() + (chance(5) ? ` ${redirection(0)}` : "");
  const command = (depth: number): string => {
    const prefix = chance(12) ? pick(["! ", "time ", "time -p ", "! ! "]) : "";
    return prefix + (depth > 0 && chance(3) ? compound(depth - 1) : simple(depth));
  };
  return {
    valid() {
      pendingTexts = [];
      return list(3);
    },
    damage(text) {
      let damaged = text;
      for (let count = 1 + random.below(2); count > 0; count -= 1) {
        const at = random.below(damaged.length + 1);
        const length = random.below(3);
        const insertion = pick(["", pick(damageCharacters), pick(damageCharacters) + pick(damageCharacters)]);
        damaged = damaged.slice(0, at) + insertion + damaged.slice(at + length);
      }
      return damaged;
    },
  };
}
