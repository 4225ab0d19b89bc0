/** Random commands with something in an arithmetic place: a subscript, an offset, a name that a builtin is given. */
import type { SeededRandom } from "@kedge/testing";

/** Evaluated, this runs a command. */
export const evaluatedCode = "a[$(touch canary)]";

export function createArithmeticCommands(random: SeededRandom) {
  // The index is always within the list.
  const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)] as Item;

  /** Each place for an expression as it stands inside of arithmetic. */
  const places = (text: string): readonly string[] => [
    `echo $((${text}))`,
    `echo "$((1 + ${text}))"`,
    `echo $[${text}]`,
    `(( ${text} ))`,
    `(( 1 + ${text} > 2 )) && echo a`,
    `for ((i = 0; i < ${text}; i++)); do break; done`,
    `for ((; ${text}; )); do break; done`,
    `a=(1 2); echo \${a[${text}]}`,
    `a=(1 2); echo "\${a[1 + ${text}]}"`,
    `echo \${#a[${text}]}`,
    `b=abc; echo \${b:${text}}`,
    `b=abc; echo "\${b:1:${text}}"`,
    `echo "\${@:${text}}"`,
    `a[${text}]=1; echo a`,
    `a=([${text}]=1); echo a`,
    `[[ ${text} -eq 1 ]]`,
    `[[ 1 -lt ${text} ]] || echo a`,
    `cat <<E\n$((${text}))\nE`,
    `echo a > /dev/null \${b:$((${text}))}`,
    `b=$((${text})) echo a`,
    `if (( ${text} )); then echo a; fi`,
    `echo $(echo $((${text})))`,
    `echo \${b:-$((${text}))}`,
    `case $((${text})) in 1) echo a;; esac`,
  ];
  /** Places for the word of a command. */
  const wordPlaces = (word: string): readonly string[] => [
    `let ${word}`,
    `let "b=1" ${word}`,
    `test -v ${word}`,
    `[ -v ${word} ]`,
    `[ ! -v ${word} ]`,
    `[[ -v ${word} ]]`,
    `printf -v ${word} x`,
    `read ${word} <<< x`,
    `unset ${word}`,
    `unset -v ${word}`,
    `declare ${word}=1`,
    `export ${word}=1`,
    `wait -p ${word}`,
    `mapfile ${word} < list`,
    `getopts a ${word}`,
  ];
  /** Integers of the shell: whatever sets one evaluates what it is set to. */
  const integers = ["RANDOM", "SRANDOM", "SECONDS", "HISTCMD", "OPTIND", "BASHPID"];
  const settings = (name: string): readonly string[] => [
    `${name}=$n`,
    `${name}="$n"`,
    `${name}+=$n`,
    `${name}[0]=$n`,
    `${name}=($n)`,
    `for ${name} in "$n"; do break; done`,
    `read -r ${name} < list`,
    `read -r b ${name} <<< "x $n"`,
    `read -ra ${name} <<< "$n"`,
    `while read -r ${name}; do break; done < list`,
    `printf -v ${name} %s "$n"`,
    `mapfile -t ${name} < list`,
    `declare ${name}=$n`,
    `export ${name}="$n"`,
    `b=n; : "$${name}"; ${name}=\${!b}`,
    `f() { ${name}=$1; }; f "$n"`,
  ];
  const outside = ["n", "$n", "${n}", "n+1", "b$n", "$(cat list)", "`cat list`", "$1", "$n$m", "10#$n", "a[n]"];
  const set = ["n=5", "n=-3", "n=$((2 + 3))", "n=$RANDOM", "n=$?", "n=${#HOME}", "m=4; n=$m", "((n = 4))", "let n=4"];
  const known = ["n", "$n", "${n}", "n+1", "n*2", "$((n))", "2-n"];
  const spoiled = [
    "n=5; n=$data",
    "n=5; read n < list",
    "n=5; if [ -f a ]; then n=$data; fi",
    "n=5; for f in a b; do n=$data; break; n=4; done",
    "n=$data; true && n=5 || true",
    "n=5; n+=$data",
    "n=5; unset n",
    "n=5; n=(1 2)",
    "n=5; f() { n=$data; }; f",
    "n=5; : ${n:=$data}",
    'n=5; printf -v n %s "$data"',
  ];
  return {
    /** Evaluates what others put there: never free. */
    unsafe: () => `${unsafe()}\necho a`,
    /** Numbers, and names that the text has set to numbers: free. */
    safe: () => `${safe()}\necho a`,
  };

  function unsafe(): string {
    const kind = random.below(5);
    if (kind === 4) return pick(settings(pick(integers)));
    if (kind === 0) return `${pick(spoiled)}; ${pick(places(pick(["n", "$n"])))}`;
    if (kind === 1) return pick(wordPlaces(pick(["$n", '"$n"', '"a[$n]"', "'a[$n]'", `'${evaluatedCode}'`])));
    if (kind === 2)
      return pick([
        "echo ${!n}",
        'echo "${!n:-a}"',
        "[ $n ]",
        "[ $n = a ]",
        '[ "$m" "$n" ]',
        'printf "$n" x',
        "printf $n",
        "declare -i b=$n",
        'local -i b="$n"',
        "typeset -i b; b=$n",
        "echo ${n@P}",
        "declare -n b=n; echo $b",
        `compgen -W '$((n))'`,
        "mapfile -C 'touch canary' -c 1 b < list",
      ]);
    return pick(places(pick(outside)));
  }

  function safe(): string {
    return pick([
      () => pick(places(pick(["1", "0", "2-1", "0x1"]))),
      () => `${pick(set)}; ${pick(places(pick(known)))}`,
      () => `n=0; while [ $n -lt 3 ]; do ${pick(["echo $n", "cat c.ts"])}; n=$((n + 1)); done`,
      () => "n=0; while ((n < 3)); do echo $n; ((n++)); done",
      () => `for n in 1 2 3; do ${pick(places("n"))}\ndone`,
      () =>
        pick(["[[ -v n ]]", "[ -v n ]", '[ -n "$n" ]', '[ "$n" = a ]', "[ $# -lt 2 ]", "[[ $? -eq 0 ]]"]) +
        " && echo a",
      () => "n=HOME; echo ${!n}",
      () => pick(["SECONDS=0", "OPTIND=1", "RANDOM=42", "n=7; RANDOM=$n", "SECONDS=$((1 + 1))"]),
    ])();
  }
}
