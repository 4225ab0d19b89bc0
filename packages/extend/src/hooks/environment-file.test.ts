/** What hooks write into the file of CLAUDE_ENV_FILE, in the ways that scripts do it. */
import { expect, test } from "vitest";
import { readEnvironmentText } from "./environment-file.ts";

const known = { PATH: "/usr/bin", USER: "ada" };
const read = (text: string) => {
  const { variables, refused } = readEnvironmentText(text, known);
  return { variables: Object.fromEntries(variables), refused };
};

test.each([
  ["export NODE_ENV=production\n", { NODE_ENV: "production" }],
  ["NODE_ENV=test", { NODE_ENV: "test" }],
  ['declare -x GREETING="hello \\"you\\""', { GREETING: 'hello "you"' }],
  [`export A='one $USER'\nexport B="two $USER"\nexport C=\${A}-x`, { A: "one $USER", B: "two ada", C: "one $USER-x" }],
  ['export PATH="$PATH:./node_modules/.bin"', { PATH: "/usr/bin:./node_modules/.bin" }],
  ["# a comment\n\nexport X=1; \r\nexport Y=2 # two\n", { X: "1", Y: "2" }],
  ["export LINES='first\nsecond'", { LINES: "first\nsecond" }],
  ["export EMPTY=\nexport MIXED=a'b c'\"d\"", { EMPTY: "", MIXED: "ab cd" }],
  ["export X=1\nexport X=2", { X: "2" }],
])("%j", (text, variables) => {
  expect(read(text)).toEqual({ variables, refused: [] });
});

test.each([
  "export NOW=$(date)",
  "export NOW=`date`",
  `export X="\${Y:-z}"`,
  "source ~/.nvm/nvm.sh",
  "export A=b c",
  "export Q='open",
])("only a shell could tell: %s", (line) => {
  expect(read(line)).toEqual({ variables: {}, refused: [line] });
});
