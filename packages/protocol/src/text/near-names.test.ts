import { expect, test } from "vitest";
import { nearNames, similarity } from "./near-names.ts";

const commands = ["demo", "session", "undo", "redo", "run"];

test.each([
  ["sesion", ["session"]],
  ["udno", ["undo"]],
  ["SESSIONS", ["session"]],
  ["rn", ["run"]],
  ["xyzzy", []],
  ["", []],
])("%s is near to %j", (wanted, expected) => {
  expect(nearNames(wanted, commands, { countMax: 1 })).toEqual(expected);
});

test("the nearest come first, equal ones by name; on demand even far ones", () => {
  expect(nearNames("edo", commands, { countMax: 3 })[0]).toBe("redo");
  expect(nearNames("zzz", commands, { countMax: 9, anyHow: true })).toEqual([...commands].sort());
});

test("similarity ignores case and white space", () => {
  expect(similarity("const a = 1", "CONST  a=1")).toBe(1);
  expect(similarity("abc", "xyz")).toBe(0);
});
