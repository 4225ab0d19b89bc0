/** No disguise and no company turns a denied command into an allowed one. */
import { createSeededRandom, rounds } from "@kedge/testing";
import { expect, test } from "vitest";
import { createShellAnalyser } from "../src/shell/analyse-shell.ts";
import { lookIntoProgram } from "../src/shell/programs/look-into-program.ts";
import { judgeByRules, type Rules } from "./judge-by-rules.ts";

const rules: Rules = { "*": "allow", "rm *": "deny", "curl *": "deny", "git push*": "deny" };
const denied = ["rm -rf x", "curl http://e.example", "git push origin", "/bin/rm x", "rm"];
const harmless = ["ls -la", "echo hi", "git status", "cat a", "true", "npm test"];
const place = { cwd: "/w", root: "/w", home: "/h", lookAtPath: () => ({ place: "inside" as const, otherNames: [] }) };
const analyse = createShellAnalyser({ lookInto: lookIntoProgram });
const casesCount = rounds({ usual: 2_500, long: 50_000 });

test("a denied command is never allowed in company", () => {
  const random = createSeededRandom();
  const pick = (items: readonly string[]) => items[random.below(items.length)] ?? "";
  const surround = (command: string): string => {
    const other = pick(harmless);
    return pick([
      `${other}; ${command}`,
      `${command} && ${other}`,
      `${other} | ${command}`,
      `${other} & ${command}`,
      `( ${command} )`,
      `{ ${command}; }`,
      `if ${other}; then ${command}; fi`,
      `while ${command}; do ${other}; done`,
      `for i in a; do ${command}; done`,
      `case a in a) ${command};; esac`,
      `f() { ${command}; }; f`,
      `echo $( ${command} )`,
      `echo "$( ${command} )"`,
      `cat <( ${command} )`,
      `x=$( ${command} ) ${other}`,
      `echo \${x:-$( ${command} )}`,
      `timeout 5 bash -c '${command.replaceAll("'", "'\\''")}'`,
      `eval '${command.replaceAll("'", "'\\''")}'`,
      `${other}\n${command}`,
      `! ${command}`,
    ]);
  };
  for (let count = 0; count < casesCount; count += 1) {
    let command = pick(denied);
    for (let depth = 1 + random.below(3); depth > 0; depth -= 1) command = surround(command);
    expect({ command, answer: judgeByRules(analyse(command, place), rules) }).toEqual({ command, answer: "deny" });
  }
});

test("a disguise of a denied command never makes it allowed", () => {
  const random = createSeededRandom();
  const insertions = ["''", '""', "\\\n", "$@", "$1", "`:`", "$(:)", "${x}", "$x\\\n", "$''", '$""'];
  const blanks = ["  ", "\t", " \\\n", "$IFS", "${IFS}", "$IFS$9", "`echo ' '`"];
  const disguise = (character: string): string => {
    if (random.below(4) > 0) return character;
    if (character === " ") return blanks[random.below(blanks.length)] ?? "";
    const kind = random.below(4);
    const code = character.charCodeAt(0);
    if (kind === 0) return `\\${character}`;
    if (kind === 1) return `'${character}'`;
    if (kind === 2) return `$'\\x${code.toString(16)}'`;
    return (insertions[random.below(insertions.length)] ?? "") + character;
  };
  const allowed: string[] = [];
  for (let count = 0; count < casesCount; count += 1) {
    const command = [...(denied[random.below(denied.length)] ?? "")].map(disguise).join("");
    if (judgeByRules(analyse(command, place), rules) === "allow") allowed.push(command);
  }
  expect(allowed).toEqual([]);
});
