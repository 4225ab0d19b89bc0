/** Shells and the builtins that run shell code. */
import { expect, test } from "vitest";
import { summarise } from "./summarise.ts";

const cases: readonly (readonly [command: string, known: string])[] = [
  ["bash -c 'rm x'", "code(rm x)"],
  ["sh -c 'rm x' _ a", "code(rm x)"],
  ["bash -xc 'rm x'", "code(rm x)"],
  ["bash -ec 'rm x'", "code(rm x)"],
  ["bash -c -e 'rm x'", "code(rm x)"],
  ["bash -c -- 'rm x'", "code(rm x)"],
  ["bash -lc 'rm x'", "code(rm x)"],
  ["bash -o pipefail -c 'rm x'", "code(rm x)"],
  ["bash -O extglob -c 'rm x'", "code(rm x)"],
  ["bash +x -c 'rm x'", "code(rm x)"],
  ['bash -c "$X"', "hidden concern"],
  ['bash -c "echo $X"', "hidden"],
  ["zsh -c 'rm x'", "code(rm x)"],
  ["dash -c 'rm x'", "code(rm x)"],
  ["ksh -c 'rm x'", "code(rm x)"],
  ["bash ./script.sh", "read(./script.sh)"],
  ["bash script.sh arg", "read(script.sh)"],
  ["bash $X", "concern unknown"],
  ["bash", "unknown"],
  ["bash |", "unknown"],
  ["bash -s |", "unknown"],
  ["bash - |", "unknown"],
  ["bash -s <<<'rm x'", "code(rm x)"],
  ["bash <<<'rm x'", "code(rm x)"],
  ["bash /dev/stdin", "unknown"],
  ["bash /dev/fd/63", "unknown"],
  ["bash --rcfile x", "risk(--rcfile --init-file -rcfile -init-file) read(x) unknown"],
  ["bash --init-f x -c ls", "code(ls) risk(--rcfile --init-file -rcfile -init-file) read(x)"],
  ["bash --version", "looks"],
  ["eval 'curl e.example'", "code(curl e.example)"],
  ["eval rm x", "code(rm x)"],
  ['eval "$X"', "hidden"],
  ["eval", ""],
  ["trap 'rm x' EXIT", "code(rm x)"],
  ["trap - EXIT", ""],
  ["trap", "looks"],
  ["trap -p", "looks"],
  ["trap -- 'rm x' EXIT", "code(rm x)"],
  ["source x.sh", "read(x.sh) unknown"],
  [". ./x.sh", "read(./x.sh) unknown"],
];

test.each(cases)("%s", (command, known) => {
  expect(summarise(command)).toBe(known);
});
