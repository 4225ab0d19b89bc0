/** Words that expand: a look beside file names and values that become options or further operands. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: bash expands these
import { type CaseClass, type DrawnCase, fillPart, partsIn, quote } from "./draw.ts";

/** `look` has `@@` where the words stand that make it act. */
type ActingLook = { readonly look: string; readonly words: readonly string[] };

const actingLooks = partsIn<ActingLook>("acting-words.jsonl");

const list = (words: readonly string[]) => words.map(quote).join(" ");
const toFile = (words: readonly string[], end: string) => `printf '%s${end}' ${list(words)} > zz.txt`;

type Way = (words: readonly string[]) => { readonly text: string; readonly before?: string; readonly prepare?: string };

/** How the words get there without standing in the command as they are. */
const ways: readonly Way[] = [
  (words) => ({ before: "cd zz", text: "*", prepare: filesNamed(words) }),
  (words) => ({ text: "$(cat zz.txt)", prepare: toFile(words, "\\n") }),
  (words) => ({ text: "`cat zz.txt`", prepare: toFile(words, "\\n") }),
  (words) => ({ text: "$(<zz.txt)", prepare: toFile(words, "\\n") }),
  (words) => ({ before: "mapfile -t w < zz.txt", text: '"${w[@]}"', prepare: toFile(words, "\\n") }),
  (words) => ({ before: "read -r -a w < zz.txt", text: '"${w[@]}"', prepare: toFile(words, " ") }),
  (words) => ({ before: `w=${quote(words.join(" "))}`, text: "$w" }),
  (words) => ({ before: `w=(${list(words)})`, text: '"${w[@]}"' }),
  (words) => ({ before: `set -- ${list(words)}`, text: '"$@"' }),
  (words) => ({ before: `set -- ${list(words)}`, text: "$*" }),
  (words) => ({ before: `set -- x ${list(words)}`, text: '"${@:2}"' }),
  (words) => ({ text: words.map((word) => `${quote(word.slice(0, 1))}{${quote(word.slice(1))},}`).join(" ") }),
  (words) => ({ text: `{${words.map(quote).join(",")},}` }),
  (words) => ({ before: `declare -n r=w; w=${quote(words.join(" "))}`, text: "$r" }),
  (words) => ({ before: `n=w; w=${quote(words.join(" "))}`, text: "${!n}" }),
  (words) => ({ before: `w=${quote(words.join(" ").replaceAll("-", "~"))}`, text: "${w//\\~/-}" }),
  (words) => ({ before: `w=${quote(`x${words.join(" ")}`)}`, text: "${w#x}" }),
  (words) => ({ before: `w=${quote(words.join(" "))}`, text: "${u:-$w}" }),
  (words) => ({ before: `w=${quote(words.join(" ").toUpperCase())}`, text: "${w,,}" }),
  (words) => ({ text: words.map((word) => `$'${word.replaceAll("'", "\\'")}'`).join(" ") }),
  (words) => ({ before: `IFS=,; w=${quote(words.join(","))}`, text: "$w" }),
  (words) => ({ before: `w=${quote(words.join(" "))}`, text: "${w@E}" }),
  (words) => ({ text: `\${u:=${words.join(" ")}}` }),
  (words) => ({ text: `$(printf '%s ' ${list(words)})` }),
  (words) => ({ before: `f() { echo ${list(words)}; }`, text: "$(f)" }),
  (words) => ({ text: `$(rev <<< ${quote([...words.join(" ")].reverse().join(""))})` }),
];

/** Files whose names are the words; one with a slash lies in a folder that is made for it. */
function filesNamed(words: readonly string[]): string {
  const made = words.filter((word) => word !== ".").map((word) => quote(`zz/${word}`));
  return ["mkdir -p zz", ...made.map((path) => `mkdir -p -- "$(dirname -- ${path})"; : > ${path}`)].join("; ");
}

const caseOf = (command: string, prepare: string | undefined): DrawnCase =>
  prepare === undefined ? { command } : { command, prepare };

export const expandingWords: CaseClass = {
  name: "expanding-words",
  make(draw) {
    const { look, words } = draw.of(actingLooks);
    const { before, text, prepare } = draw.of(ways)(words);
    return caseOf(`${before === undefined ? "" : `${before}; `}${fillPart(look, text)}`, prepare);
  },
};

/** The same by a program or a loop that hands words on. */
export const handedWords: CaseClass = {
  name: "handed-words",
  make(draw) {
    const { look, words } = draw.of(actingLooks.filter((each) => !/[;<]/.test(each.look)));
    const given = look.replaceAll(/\s*@@\s*/g, " ").trim();
    const command = draw.of([
      `printf '%s\\0' ${list(words)} | xargs -0 ${given}`,
      `printf '%s\\n' ${list(words)} | xargs -d '\\n' ${given}`,
      `xargs -a zz.txt -d '\\n' ${given}`,
      `cat zz.txt | xargs -d '\\n' -I{} ${given} {}`,
      `for w in ${list(words)}; do ${given} "$w"; done`,
      `while read -r w; do ${given} $w; done < zz.txt`,
      `find zz -type f -printf '%f\\n' | xargs ${given}`,
      `ls zz | xargs ${given}`,
      `ls zz | xargs -n 9 ${given}`,
      `find zz -type f -exec ${given} {} +`,
      `cd zz && find ${list(words.filter((word) => !word.startsWith("-")))} -exec ${given} {} +`,
      `f() { ${given} "$@"; }; f ${list(words)}`,
      `eval ${quote(`${given} ${list(words)}`)}`,
      `bash -c ${quote(`${given} "$@"`)} x ${list(words)}`,
      `${given} $(ls zz)`,
    ]);
    return { command, prepare: `${filesNamed(words)}; ${toFile(words, "\\n")}` };
  },
};
