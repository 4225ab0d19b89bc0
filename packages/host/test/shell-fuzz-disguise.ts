/** Writes a plain shell command in other ways that bash takes for the same, or that nobody can read without running it. */
import type { SeededRandom } from "@kedge/testing";

type Disguise = (command: string) => string;

const empties = ["''", '""', "\\\n", "$@", "$*", `\${x}`, "$x", "$(:)", "`:`", "$''", '$""', `\${x:-}`, "$1"];
const blanks = ["  ", "\t", " \\\n ", "$IFS", `\${IFS}`, "$IFS$9", `\${IFS%??}`, "`echo ' '`", " ''"];
const wrappers = [
  "timeout 5",
  "timeout -k3 --signal=KILL 5s",
  "nice -n 10",
  "nice -5",
  "nohup",
  "time -p",
  "env",
  "env -i A=1 B='2 3'",
  "env -u HOME --",
  "command",
  "command -p --",
  "exec -a name",
  "exec",
  "builtin command",
  "setsid -w",
  "stdbuf -oL -e 0",
  "ionice -c 3",
  "xargs -n 1 -P 4",
  "xargs -I{} --",
  "sudo -u root -E",
  "doas -u root",
  "watch -n 5",
  "chrt -r 10",
  "taskset -c 0",
  "flock -w 3 .lock",
  "strace -f -e trace=open",
  "find . -name a -exec",
  "parallel -j 2",
  "busybox",
];
/** Only the shell itself knows these, and only in front of everything else. */
const prefixes = ["A=1 B=2", "2>/dev/null", ">out.txt", "!", "coproc", "time -p", "<in.txt A=1"];

export function createDisguise(random: SeededRandom): Disguise {
  // The index is always within the list.
  const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)] as Item;
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const hex = (text: string, form: (code: number) => string) =>
    `$'${[...text].map((sign) => form(sign.charCodeAt(0))).join("")}'`;

  const changeSign = (sign: string): string => {
    if (sign === " ") return pick(blanks);
    const code = sign.charCodeAt(0);
    return pick([
      `\\${sign}`,
      `'${sign}'`,
      `"${sign}"`,
      `$'\\x${code.toString(16)}'`,
      `$'\\${code.toString(8).padStart(3, "0")}'`,
      `$'\\u${code.toString(16).padStart(4, "0")}'`,
      `${pick(empties)}${sign}`,
      `${sign}${pick(empties)}`,
      `[${sign}]`,
      "?",
      `\${x:-${sign}}`,
      `\${x:-'${sign}'}`,
    ]);
  };

  const bySign: Disguise = (command) =>
    [...command].map((sign) => (random.below(4) === 0 ? changeSign(sign) : sign)).join("");

  const byProgram: Disguise = (command) => {
    const [program = "", ...rest] = command.split(" ");
    const others = rest.join(" ");
    const name = pick(["v", "cmd", "_", "A1"]);
    return pick([
      `/bin/${program} ${others}`,
      `/usr/bin/${program} ${others}`,
      `/usr//bin/../bin/./${program} ${others}`,
      `./${program} ${others}`,
      `~/bin/${program} ${others}`,
      `/BIN/${program.toUpperCase()} ${others}`,
      `${program.toUpperCase()} ${others}`,
      `${program}.exe ${others}`,
      `"${program}" ${others}`,
      `\\${program} ${others}`,
      `${hex(program, (code) => `\\x${code.toString(16)}`)} ${others}`,
      `${hex(program, (code) => `\\${code.toString(8)}`)} ${others}`,
      `{${[program, ...rest].join(",")}}`,
      `${name}=${program}; $${name} ${others}`,
      `${name}=${quoted(command)}; $${name}`,
      `${name}=${quoted(command)}; eval "$${name}"`,
      `set -- ${command}; "$@"`,
      `${name}=(${command}); "\${${name}[@]}"`,
      `alias z=${quoted(program)}\nz ${others}`,
      `$(echo ${program}) ${others}`,
      `\`printf ${program}\` ${others}`,
      `eval ${quoted(command)}`,
      `eval "${command}"`,
      `echo ${quoted(command)} | sh`,
      `bash <(echo ${quoted(command)})`,
      `source /dev/stdin <<< ${quoted(command)}`,
      `z() { "$@"; }; z ${command}`,
      `${program[0]}\\\n${program.slice(1)} ${others}`,
      `\${x:=${program}} ${others}`,
      `hash -p /bin/${program} ls; ls ${others}`,
      `printf -v ${name} %s ${program}; $${name} ${others}`,
      `read ${name} <<< ${program}; $${name} ${others}`,
      `ls() { ${command}; }; ls`,
      `[[ a == $(${command}) ]]`,
      `ls \${x@P}$(${command})`,
    ]);
  };

  const byWrapper: Disguise = (command) => {
    const wrapper = pick(wrappers);
    const end = wrapper.startsWith("find") ? " {} \\;" : wrapper.startsWith("parallel") ? " ::: a" : "";
    return `${wrapper} ${command}${end}`;
  };

  const byPrefix: Disguise = (command) => `${pick(prefixes)} ${command}`;

  return (command) => {
    const kind = random.below(6);
    if (kind < 2) return bySign(command);
    if (kind === 2) return byProgram(command);
    // A wrapper within a wrapper; `parallel` joins its words and so would lose the quotes of another.
    const wrapped = byWrapper(command);
    if (kind === 3) return byWrapper(wrapped.includes("'") ? command : wrapped);
    return kind === 4 ? byPrefix(wrapped) : byWrapper(bySign(command));
  };
}
