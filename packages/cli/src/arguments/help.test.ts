/** Proves that the tables of commands and flags, the help and the parser speak of the same things. */
import { expect, test } from "vitest";
import { actionsOf, commandTable } from "../commands/command-table.ts";
import { parseArguments } from "./arguments.ts";
import { flagNames, flagTable } from "./flags.ts";
import { commandHelps, commandHelpText, flagHelps, helpText } from "./help.ts";

const flagsIn = (text: string) => text.match(/(?<![\w-])--?[a-z][a-z-]*/g) ?? [];
const firstNames = flagTable.map(({ names: [first = ""] }) => first);

test("every flag has a summary, and no other", () => {
  expect(Object.keys(flagHelps()).toSorted()).toEqual(firstNames.toSorted());
});

test("every command and every action of sessions has help, and no other", () => {
  const names = commandTable.flatMap((row) => [
    row.name,
    ...(row.name === "session" ? actionsOf(row).map((action) => `session ${action}`) : []),
  ]);
  expect(Object.keys(commandHelps()).toSorted()).toEqual(names.toSorted());
});

test("every flag is named by the help of kedge or of a command, and no other is", () => {
  const texts = [helpText(), ...Object.keys(commandHelps()).map((name) => commandHelpText(name.split(" ")))];
  expect([...new Set(texts.flatMap(flagsIn))].toSorted()).toEqual([...new Set(flagNames)].toSorted());
});

test("the help of kedge names every command", () => {
  const named = [...helpText().matchAll(/^ {2}kedge ([a-z]+) /gm)].map(([, name]) => name);
  expect(named).toEqual(commandTable.map(({ name }) => name));
});

test.each(Object.entries(commandHelps()))("kedge %s: its flags exist and its examples are understood", (name, help) => {
  expect(help.flags.filter((flag) => !firstNames.includes(flag))).toEqual([]);
  expect(help.examples).toHaveLength(2);
  expect(parseArguments([...name.split(" "), "--help"])).toEqual({
    ok: true,
    invocation: { kind: "command-help", topic: name.split(" ") },
  });
  const [command = ""] = name.split(" ");
  for (const example of help.examples) {
    const argv = wordsOf(example.slice(example.indexOf("kedge ") + "kedge ".length));
    expect(argv.slice(0, name.split(" ").length).join(" ")).toContain(name === "help" ? "" : command);
    expect(parseArguments(argv)).toMatchObject({ ok: true });
  }
});

/** As a shell splits them, as far as the examples need it; what comes after kedge itself is left out. */
function wordsOf(line: string): readonly string[] {
  const own = line.split(/ [|>] |\)"$/, 1)[0] ?? "";
  return [...own.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = ""]) => quoted ?? plain);
}

test("what is told about a command", () => {
  expect(commandHelpText(["models"])).toMatchInlineSnapshot(`
    "kedge models [provider]
      List usable models with context sizes and prices

    Flags
          --all                        Include everything: all projects, all entries, models without a key
          --verbose                    Print progress to standard error; show more model details
          --refresh                    Fetch the newest list first
          --json                       Print JSON instead of a table

    Examples
      kedge models
      kedge models anthropic --json

    For all flags, run kedge --help."
  `);
});
