/** Every row is read strictly: what is misspelt or points nowhere fails here, and asks a person where it was not seen. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkRow } from "../check-row.ts";
import { gitTable } from "../code/git.ts";
import { gitRefinements } from "../code/git-sub-commands.ts";
import { ownPrograms, refinements } from "../program-code.ts";
import { openTable } from "../program-table.ts";
import { findProgram, programTable } from "../programs.ts";
import { look } from "./summarise.ts";

const directory = join(import.meta.dirname, "../rows");
const lines = globSync("*.jsonl", { cwd: directory }).flatMap((file) =>
  readFileSync(join(directory, file), "utf8").trimEnd().split("\n"),
);
const rows = lines.map((line): Record<string, unknown> => JSON.parse(line));

test("every program and every sub-command of git has a row that can be read", () => {
  for (const name of programTable.names()) expect(findProgram(name), name).toBeTypeOf("function");
  for (const name of gitTable.names()) expect(look(`git ${name}`).inner, name).toBeInstanceOf(Array);
});

test("every row is in a table that is opened", () => {
  const names = rows.flatMap((row) => (typeof row["names"] === "string" ? row["names"].split(" ") : []));
  expect([...programTable.names(), ...gitTable.names()].sort()).toEqual(names.sort());
});

test("every set is taken over by a row, and all code is pointed to", () => {
  const text = lines.join("\n");
  const sets = rows.flatMap((row) => (typeof row["set"] === "string" ? [row["set"]] : []));
  const codes = Object.keys({ ...ownPrograms, ...refinements, ...gitRefinements });
  expect(sets.filter((set) => !text.includes(`"like":"${set}"`))).toEqual([]);
  expect(codes.filter((code) => !text.includes(`"code":"${code}"`))).toEqual([]);
});

test.each<[row: unknown, why: string]>([
  ["ls", "not an object"],
  [{ shape: "reader" }, "has no shape"],
  [{ looks: "yes" }, "looks"],
  [{ look: true }, "look"],
  [{ plain: "-a b" }, "plain"],
  [{ plain: "-a  -b" }, "plain"],
  [{ plain: "" }, "plain"],
  [{ special: [["-o:", "writes"]] }, "special"],
  [{ special: [["-o:", "write", ""]] }, "special"],
  [{ special: [] }, "special"],
  [{ operands: "files" }, "operands"],
  [{ suggestedWords: -1 }, "suggestedWords"],
  [{ starts: { to: 1 } }, "starts"],
  [{ skips: 1 }, "skips"],
  [{ shape: "wrapper", looks: true }, "looks"],
  [{ shape: "runner" }, "has no code"],
  [{ shape: "code" }, "has no code"],
  [{ shape: "asks" }, "has no why"],
  [{ shape: "starter" }, "has no starts"],
  [{ shape: "tool", globals: { plain: "x" } }, "globals"],
  [{ shape: "tool", runs: { exec: { skip: 1 } } }, "runs"],
  [{ shape: "interpreter", loadsWith: "(" }, "Invalid regular expression"],
])("the row %j is refused", (row, why) => {
  expect(() => checkRow("x", row)).toThrow(why);
});

test("a row that takes over another has its options as well, but not its code", () => {
  const table = openTable(() => [
    '{"set":"some","plain":"-a","looks":true}\n{"names":"x y","like":"some","plain":"-b","code":"sed"}',
    '{"names":"z","like":"x","looks":false}',
  ]);
  expect(table.find("y")).toEqual({ shape: "ordinary", plain: "-a -b", looks: true, code: "sed" });
  expect(table.find("z")).toEqual({ shape: "ordinary", plain: "-a -b", looks: false });
  expect(table.has("some")).toBe(false);
});

test.each([
  ['{"names":"x"}\n{"names":"y x"}', "x has two rows"],
  ['{"plain":"-a","names":"x"}', "has no names"],
  ['{"names":"x","like":"y"}', "no row y"],
])("the table %s is refused", (text, why) => {
  expect(() => openTable(() => [text]).find("x")).toThrow(why);
});
