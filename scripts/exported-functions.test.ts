import { expect, test } from "vitest";
import { exportedFunctions, onlyPassesOn } from "./exported-functions.ts";

test("a module of functions and types is known by its functions", () => {
  const source = `/** export const in a comment */
import { a } from "./a.ts";
export type Kind = "one";
export interface Shape {}
const inner = 1;
export function one(): number { return inner; }
export async function two(): Promise<void> {}
export function* three() {}
export async function* four() {}
export function one(word: string): number;
`;
  expect(exportedFunctions(source)).toEqual(["one", "two", "three", "four"]);
});

test.each([
  "export const a = 1;\nexport function b() {}",
  "export class A {}",
  "export default function () {}",
  'export * from "./a.ts";',
  "export { a };",
  "export let a: () => void;",
  "export enum A {}",
  "const a = 1;",
  "export type A = 1;",
])("%j exports something else, or nothing", (source) => {
  expect(exportedFunctions(source)).toBe(undefined);
});

test.each([
  [
    '/** All of it. */\nexport * from "./a.ts";\nexport { b, type C } from "./b.ts"; // why\nexport type { D } from "./d.ts";\n',
    true,
  ],
  ['export {\n  a,\n  b,\n} from "./a.ts";\nexport * as names from "./b.ts";', true],
  ['export * from "./a.ts";\nexport const a = 1;', false],
  ['import "./a.ts";\nexport * from "./a.ts";', false],
])("%j: only passes names on: %s", (source, expected) => {
  expect(onlyPassesOn(source)).toBe(expected);
});
