/** Random scripts that set variables in every way bash has, and print them in between. */
import type { SeededRandom } from "@kedge/testing";

const names = ["f", "g", "h"];
const values = [
  "a",
  "b/c",
  "'d e'",
  '"i  j"',
  "''",
  "k.ts",
  "'*z'",
  "12",
  "-n",
  "'~'",
  "'{x,y}'",
  "'$f'",
  "'q;r'",
  "\\\\",
];

type VariableScripts = {
  /** Every probe prints its number and a variable with `echo`. */
  next(depth: number): string;
};

export function createVariableScripts(random: SeededRandom): VariableScripts {
  // The index is always within the list.
  const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)] as Item;
  let probes = 0;

  const use = (): string => {
    const name = pick(names);
    return pick([
      `$${name}`,
      `"$${name}"`,
      `\${${name}}`,
      `"x$${name}/y"`,
      `x$${name}`,
      `$${name}~/z`,
      `"$${name}" $${pick(names)}`,
    ]);
  };
  const value = (): string =>
    pick([pick(values), pick(values), `$${pick(names)}`, `"$${pick(names)}"`, `x$${pick(names)}`, `$(echo s)`, "~/t"]);
  const probe = (): string => {
    probes += 1;
    return `echo P${probes}. ${use()}`;
  };
  const counted = (body: string): string => {
    probes += 1;
    const counter = `i${probes}`;
    return `${counter}=; while [ "$${counter}" != xx ]; do ${counter}=x$${counter}; ${body}; done`;
  };
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

  const simple = (): string => {
    const name = pick(names);
    return pick([
      () => `${name}=${value()}`,
      () => `${name}=${value()}`,
      () => `${name}=${value()} ${pick(names)}=${value()}`,
      probe,
      probe,
      probe,
    ])();
  };
  const changing = (): string => {
    const name = pick(names);
    const other = pick(names);
    return pick([
      `${name}=${value()} ${probe()}`,
      `${name}+=${value()}`,
      `read ${name} <<< ${value()}`,
      `read -r ${name} ${other} <<< 'u v w'`,
      `read -a${name} <<< 'u v'`,
      `echo m | read ${name}`,
      `printf -v ${name} n`,
      `export ${name}=${value()}`,
      `export ${name}`,
      `unset ${name}`,
      `: \${${name}:=o}`,
      `: "\${${name}:-$(${name}=zz; echo)}"`,
      `: $((n = 1))`,
      `${name}=12; : $((${name} + 1))`,
      `: $((${name} = 1))`,
      `${other}='${name}=3'; : $((${other}))`,
      `[[ ${name}=4 -eq 4 ]]`,
      `${other}=${name}=4; [[ $${other} -eq 4 ]]`,
      `let ${name}=5`,
      `for ((${name} = 0; ${name} < 2; ${name}++)); do ${probe()}; done`,
      `eval ${quoted(`${name}=${value()}`)}`,
      `eval "${name}=\\$${other}"`,
      `command eval ${name}=p`,
      `mapfile -t ${name} <<< 'l'`,
      `set -- r s`,
      `set -e; set +e`,
      `test -v ${name}`,
      `[ -v 'arr[${name}=6]' ]`,
      `[ -n "$${name}" ]`,
      `${name}=(t u)`,
      `${name}[1]=v`,
      `: \${!${name}}`,
      `{ ${name}=${value()}; } | cat`,
      `${name}=${value()} & wait`,
      `exec {${name}}> /dev/null`,
      `declare ${name}=${value()}`,
      `declare -u ${name}`,
      `declare -i ${name}`,
      `trap '${name}=t' DEBUG`,
      `fn() { ${name}=w; }`,
      "fn 2> /dev/null",
      `IFS=/`,
      `cat <<< $${name} > /dev/null`,
      `select ${name} in 1 2; do ${probe()}; break; done <<< 2 2> /dev/null`,
      `bash -c ${quoted(`${name}=y; ${probe()}`)}`,
    ]);
  };
  const statement = (depth: number): string => {
    if (depth === 0 || random.below(3) === 0) return random.below(6) === 0 ? changing() : simple();
    const name = pick(names);
    const test = pick(["true", "false", `[ "$${name}" = a ]`, `${pick(names)}=${value()}`]);
    const inner = () => script(depth - 1, 1 + random.below(3));
    return pick([
      () => `{ ${inner()}; }`,
      () => `( ${inner()} )`,
      () => `if ${test}; then ${inner()}; fi`,
      () => `if ${test}; then ${inner()}; elif ${test}; then ${inner()}; else ${inner()}; fi`,
      () => `for ${name} in ${value()} ${value()}; do ${inner()}; done`,
      () => `for ${name} in ${value()} ${value()}; do ${inner()}; ${test} && break; ${inner()}; done`,
      () => `for ${name} in 1 2 3; do ${inner()}; ${test} || continue; ${inner()}; done`,
      () => `for i in 1 2; do ${inner()}; done`,
      () => `for i in 1 2; do ${inner()}; done; ${probe()}`,
      () => counted(inner()),
      () => `case $${name} in a) ${inner()};& b*) ${inner()};; *) ${inner()};; esac`,
      () => `${test} && { ${inner()}; }`,
      () => `${test} || { ${inner()}; }`,
      () => `${test} && ${simple()} && ${simple()} || ${simple()} && ${simple()}`,
      () => `{ ${inner()}; } | { ${inner()}; }`,
      () => `echo "$( ${inner()} )"`,
    ])();
  };
  const script = (depth: number, length: number): string => Array.from({ length }, () => statement(depth)).join("; ");
  return { next: (depth) => `f=a g='b c' h=d/e; ${script(depth, 2 + random.below(5))}` };
}
