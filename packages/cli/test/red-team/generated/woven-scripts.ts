/** Scripts that are grown from the grammar of bash, several constructs deep, with one command somewhere in them that acts. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: bash expands these
import type { CaseClass, Draw } from "./draw.ts";

const depthMax = 4;

const looks = [
  "ls",
  "echo one",
  "cat notes.md",
  "git status",
  "head -1 README.md",
  "wc -l table.csv",
  "grep -n one notes.md",
  "true",
  ":",
  "[[ -f notes.md ]]",
  "(( 1 + 1 ))",
] as const;

const acts = [
  "./trap.sh",
  "bash trap.sh",
  "@PROJECT@/trap.sh",
  "echo x > hit",
  "touch hit",
  "cp notes.md @OUT@/hit",
] as const;

/** `L` is a look, `S` a script with the act in it; what ends at a line end does so. */
const constructs = [
  "{ L; S\n}",
  "( L; S\n)",
  "(S\n)",
  "if L; then S\nfi",
  "if ! L; then L; else S\nfi; if L; then S\nfi",
  "if L\nthen L\nelif L; then :; else :\nfi; S",
  "for w in a; do S\ndone",
  "for w in a\ndo\nL\nS\ndone",
  "for ((i = 0; i < 1; i++)); do S\ndone",
  "for ((i = 0; i < 1; i++)) { S\n}",
  "while S\ndo break; done",
  "until S\ndo break; done",
  "while L; do S\nbreak; done",
  "case x in (y) L ;; x) S\n;; esac",
  "case x in x) ;& y) S\n;; esac",
  "case x in x) L ;;& *) S\nesac",
  "case $(S\n) in *) L ;; esac",
  "f() { S\n}; f",
  "function f { S\n}; f",
  "f() ( S\n); f",
  "f() { L; }; S\nf",
  "echo $(S\n)",
  'echo "$(S\n)"',
  'echo "a $(L) b $(S\n) c"',
  "echo ${x:-$(S\n)}",
  'echo "${x:-$(S\n)}"',
  'echo "${x:-a"$(S\n)"b}"',
  "x=$(S\n)",
  "x=(a $(S\n) b)",
  "x[$(S\n)0]=1",
  "declare x=$(S\n)",
  "x=$(S\n) L",
  "echo $(( $(S\n)1 ))",
  "echo {a,$(S\n)}",
  "cat <(S\n)",
  "cat < <(S\n)",
  "L > >(S\n)",
  "L | { S\n}",
  "{ S\n} | cat",
  "L |& ( S\n)",
  "L && { S\n}",
  "false || { S\n}",
  "! { S\n}",
  "time { S\n}",
  "{ S\n} & wait",
  "coproc { S\n}; wait",
  "cat <<E\n$(S\n)\nE\n",
  "cat <<-E\n\t$(S\n)\n\tE\n",
  "cat <<'E'\nquoted $(echo no)\nE\nS",
  "cat <<E | cat\n$(echo a)\nE\nS",
  "cat <<A <<'B'\n$(S\n)\nA\nquoted\nB\n",
  'cat <<< "$(S\n)"',
  "[[ -n $(S\n) ]]",
  "[[ x == $(S\n) || a ]]",
  "L # a comment; (\nS",
  "L \\\n; S",
  "L;\n\n\n# 'quote\nS",
  "echo 'a \" b'; S",
  'echo "a \' b"; S',
  "echo \\'; S",
  "echo $'it\\'s'; S",
  "echo a#b 'c' \"d\"; S",
  "eval 'S\n'",
  "bash -c 'S\n'",
  "trap 'S\n' EXIT",
  "{ L; } 2>/dev/null; S",
  "exec 3< notes.md; S",
  "set -e; S",
  "shopt -s nullglob; S",
] as const;

export const wovenScripts: CaseClass = {
  name: "woven-scripts",
  make: (draw) => ({ command: weave(draw, draw.of([1, 2, 3, depthMax])) }),
};

function weave(draw: Draw, depth: number): string {
  if (depth === 0) return draw.of(acts);
  const inner = weave(draw, depth - 1);
  // Text in quotes cannot hold such quotes.
  const construct = draw.of(inner.includes("'") ? constructs.filter((each) => !each.includes("'S")) : constructs);
  const isHere = /<<-?['\\]?[A-Z]/.test(inner);
  const woven = construct.replaceAll("L", () => draw.of(looks)).replaceAll("S", () => inner);
  // The end of an inner here-document must stand alone on its line.
  return isHere ? woven.replaceAll(/^\t+(?=[A-Z]$)/gm, "") : woven;
}
