/** Puts a shell command into the company of others, in every way in which bash lets it run. */
import type { SeededRandom } from "@kedge/testing";

type Company = {
  /** The command somewhere within other text that still starts it. */
  surround(command: string, depth: number): string;
  /** Both commands, one after the other or one beside the other. */
  join(first: string, second: string): string;
};

export const harmless = [
  "ls -la",
  "echo hi",
  "git status",
  "cat a.txt",
  "true",
  "npm test",
  "echo 'a; b | c'",
  'echo "x $y z"',
  "git log --format='%h (%s)'",
  "grep -n 'a\\|b' a.txt",
  "find . -name '*.ts'",
  "x=1 ls",
  "sed -n '1,5p' a.txt",
  "cat a.txt > b.txt",
  "ls 2>/dev/null",
  "printf '%s\\n' a",
];

const shells = ["bash -c", "sh -c", "bash -lc", "bash -eo pipefail -c", "/bin/sh -ec", "eval", "env FOO=1 bash -c"];

export function createCompany(random: SeededRandom): Company {
  // The index is always within the list.
  const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)] as Item;
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const backticked = (text: string) => `\`${text.replaceAll(/[\\`$]/g, "\\$&")}\``;
  let names = 0;

  /** Within a substitution of a double-quoted text all quotes start anew. */
  const substituted = (command: string): string => {
    const inner = `$( ${command}\n)`;
    return pick([
      `echo ${inner}`,
      `echo "a ${inner} b"`,
      `x=${inner}`,
      `x=${inner} ls`,
      `echo \${x:-${inner}}`,
      `echo "\${x:+${inner}}"`,
      `echo \${x/a/${inner}}`,
      `echo $(( 1 + ${inner} ))`,
      `list=(a ${inner} b)`,
      `[[ -n ${inner} ]]`,
      `case ${inner} in *) ls;; esac`,
      `for i in ${inner}; do ls; done`,
      `cat <<< ${inner}`,
      `ls > ${inner}`,
      `cat <( ${command}\n)`,
      `ls > >( ${command}\n)`,
      `cat < <( ${command}\n)`,
      `echo ${backticked(command)}`,
      `: "${inner}"`,
    ]);
  };

  const structured = (command: string): string => {
    const other = pick(harmless);
    names += 1;
    return pick([
      `( ${command}\n)`,
      `{ ${command}\n}`,
      `if ${other}; then ${command}\nfi`,
      `if ${command}\nthen ${other}; fi`,
      `if ${other}; then ls; elif ${command}\nthen ls; fi`,
      `if ${other}; then ls; else ${command}\nfi`,
      `while ${command}\ndo ${other}; done`,
      `until ${other}; do ${command}\ndone`,
      `for i in a b; do ${command}\ndone`,
      `for ((i = 0; i < 2; i++)); do ${command}\ndone`,
      `select i in a b; do ${command}\ndone`,
      `case a in b) ls;; *) ${command}\n;; esac`,
      `case a in a) ls ;& b) ${command}\nesac`,
      `f${names}() { ${command}\n}; f${names}`,
      `function g${names} { ${command}\n}`,
      `coproc { ${command}\n}`,
      `! { ${command}\n}`,
      `{ :; time { ${command}\n}\n}`,
      `[[ -f a ]] && { ${command}\n}`,
      `{ ${command}\n} > out.txt 2>&1`,
    ]);
  };

  const documented = (command: string): string => {
    names += 1;
    const mark = `END${names}`;
    return pick([
      `cat <<${mark}\na $( ${command}\n) b\n${mark}`,
      `cat <<-${mark}\n\t\${x:-$( ${command}\n)}\n\t${mark}`,
      `cat <<'${mark}'; ${command}\n`.replace("; ", `\n$(ls)\n${mark}\n`),
    ]);
  };

  const wrapped = (command: string): string =>
    pick([
      `${pick(shells)} ${quoted(command)}`,
      `timeout 5 bash -c ${quoted(command)}`,
      `nohup nice -n 5 sh -c ${quoted(command)} &`,
      `trap ${quoted(command)} EXIT`,
      `find . -exec sh -c ${quoted(command)} \\;`,
      `xargs -n1 bash -c ${quoted(command)}`,
      `watch -n 5 ${quoted(command)}`,
      `env -i FOO=1 sh -c ${quoted(command)}`,
      `command eval ${quoted(command)}`,
      `bash <<< ${quoted(command)}`,
    ]);

  const join = (first: string, second: string): string => `${first}${pick(["\n", "\n\n", "\n# note\n"])}${second}`;

  const chained = (command: string): string => {
    const other = pick(harmless);
    // What ends with a here-document needs its line to itself.
    if (command.includes("<<")) return random.below(2) === 0 ? join(other, command) : join(command, other);
    return pick([
      `${other}; ${command}`,
      `${command}; ${other}`,
      `${other} && ${command}`,
      `${command} || ${other}`,
      `${other} | ${command}`,
      `${command} |& ${other}`,
      `${other} & ${command}`,
      `${command} & ${other}`,
      `${other} &&\\\n${command}`,
      `${other} |\n${command}`,
      join(other, command),
      `${Array.from({ length: 60 }, () => "true").join(" && ")} && ${command}`,
    ]);
  };

  const ways = [chained, chained, structured, structured, substituted, documented, wrapped];
  const surround = (command: string, depth: number): string => {
    let text = command;
    for (let left = depth; left > 0; left -= 1) text = pick(ways)(text);
    return text;
  };
  return { surround, join };
}
