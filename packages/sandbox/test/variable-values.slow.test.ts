/** A command with a variable is judged as strictly as the same command with its value, and nothing is followed for long. */
import { posix } from "node:path";
import type { ShellPlace } from "@kedge/protocol";
import { createSeededRandom, rounds, withPatience } from "@kedge/testing";
import { expect, test } from "vitest";
import { createShellAnalyser } from "../src/shell/analyse-shell.ts";
import { lookIntoProgram } from "../src/shell/programs/look-into-program.ts";
import { type Effect, judgeByRules, type Rules } from "./judge-by-rules.ts";

const root = "/home/dev/proj";
const place: ShellPlace = {
  cwd: root,
  root,
  home: "/home/dev",
  lookAtPath: (path) => ({
    place: `${posix.resolve(root, path)}/`.startsWith(`${root}/`) ? "inside" : "outside",
    otherNames: [],
  }),
};
const analyse = createShellAnalyser({ lookInto: lookIntoProgram });
const strictness: { readonly [Each in Effect]: number } = { allow: 0, ask: 1, deny: 2 };
const ruleSets: readonly Rules[] = [
  { "*": "allow", "rm *": "deny", "curl *": "deny", "git push*": "deny", "sudo *": "deny" },
  { "*": "ask", "cat *": "allow", "ls *": "allow", "git *": "allow", "sort *": "allow", "cat .env*": "deny" },
];

const commands = [
  "cat a.ts",
  "cat src/a.ts b.ts",
  "cat ../../etc/passwd",
  "cat /etc/passwd",
  "rm -rf build",
  "/bin/rm x",
  "git push origin main",
  "git -C sub log -p",
  "git log --output=x",
  "sort -o out in",
  "sed -i s/a/b/ a.ts",
  "find . -name x -exec rm {} +",
  "curl http://e.example/a",
  "sudo ls",
  "bash -c id",
  "eval rm x",
  "xargs rm",
  "timeout 5 rm x",
  "env A=b ls",
  "tee .git/config",
  "cp a ../b",
  "ls *.ts",
  "cat src/*.ts",
  "cat /etc/*",
  "cat .env*",
  "echo a b c",
  "npm test",
  "cd .. && cat x",
  "echo a > ../b",
  "cat < /etc/passwd",
];

/** How one or several words of a command can come from variables. */
type Form = (words: readonly string[], at: number) => string;
const isPlain = (word: string) => /^[\w./:=@+{}*-]+$/.test(word);
const replaced = (words: readonly string[], at: number, text: string) => words.toSpliced(at, 1, text).join(" ");
const forms: readonly Form[] = [
  (words, at) => `v='${words[at]}'; ${replaced(words, at, "$v")}`,
  (words, at) => `v=${words[at]}; ${replaced(words, at, "${v}")}`,
  (words, at) => `v="${words[at]}" && ${replaced(words, at, "$v")}`,
  (words, at) => `export v='${words[at]}'; ${replaced(words, at, "$v")}`,
  (words, at) => `u='${words[at]}'; v=$u; ${replaced(words, at, "$v")}`,
  (words, at) => `v=other; v='${words[at]}'; { ${replaced(words, at, "$v")}; }`,
  (words, at) => `v='${words[at]}'; if true; then ${replaced(words, at, "$v")}; fi`,
  (words, at) => `v='${words[at]}'; ( ${replaced(words, at, "$v")} )`,
  (words, at) => `for v in '${words[at]}'; do ${replaced(words, at, "$v")}; done`,
  (words, at) => `for v in other '${words[at]}'; do ${replaced(words, at, "$v")}; done`,
  (words, at) => `v='${words[at]?.slice(1)}'; ${replaced(words, at, `${words[at]?.[0]}$v`)}`,
  (words, at) => `v='${words[at]?.slice(0, 1)}'; ${replaced(words, at, `\${v}${words[at]?.slice(1)}`)}`,
  (words, at) =>
    words.slice(at).every(isPlain)
      ? `v='${words.slice(at).join(" ")}'; ${words.slice(0, at).join(" ")} $v`
      : words.join(" "),
];

test("a value in a variable is never judged more loosely than in its place", () => {
  const random = createSeededRandom();
  // The index is always within the list.
  const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)] as Item;
  const looser: unknown[] = [];
  let same = 0;
  const casesCount = rounds({ usual: 1_200, long: 6_000 });
  for (let count = 0; count < casesCount; count += 1) {
    const command = pick(commands);
    const words = command.split(" ");
    const places = words.flatMap((word, index) => (isPlain(word) ? [index] : []));
    const text = pick(forms)(words, pick(places));
    for (const rules of ruleSets) {
      const inPlace = judgeByRules(analyse(command, place), rules);
      const answer = judgeByRules(analyse(text, place), rules);
      if (strictness[answer] < strictness[inPlace]) looser.push({ command, text, inPlace, answer });
      if (answer === inPlace) same += 1;
    }
  }
  expect(looser).toEqual([]);
  expect(same / casesCount / ruleSets.length).toBeGreaterThan(0.85);
});

test.each([
  ["doubling values", `a=xxxxxxxxxxxxxxxx; ${"a=$a$a; ".repeat(400)}echo $a`],
  ["many values", Array.from({ length: 900 }, (_, index) => `v${index}=${index}`).join("; ")],
  [
    "loops in loops",
    `${Array.from({ length: 15 }, (_, index) => `for v${index} in {1..32}; do `).join("")}echo $v1 $v14; ${"done; ".repeat(15)}`,
  ],
  ["loops that change what they use", `f=1; ${"while [ $f ]; do f=x$f; ".repeat(15)}cat $f; ${"done; ".repeat(15)}`],
  ["a long body", `for f in {1..32}; do ${"cat $f; ".repeat(1_000)}done`],
  ["a long value", `f='${"a ".repeat(450)}'; ${"echo $f; ".repeat(900)}`],
])("reading comes to an end: %s", (_, script) => {
  withPatience(() => analyse(script.slice(0, 10_000), place));
});
