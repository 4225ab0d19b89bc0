/** Proves that late modules of Node are loaded by their first use, and others at once. */
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { requireBuiltin } from "./builtin-modules.ts";

const requireHere = createRequire(import.meta.url);

function loading() {
  const loaded: string[] = [];
  const load = (name: string): unknown => {
    loaded.push(name);
    return requireHere(name);
  };
  return { loaded, load };
}

test("a late module is loaded when something of it is used, and is the real one", () => {
  const { loaded, load } = loading();
  const late = requireBuiltin("node:fs/promises", load) as typeof import("node:fs/promises");
  expect(loaded).toEqual([]);
  expect(late.readFile).toBe(requireHere("node:fs/promises").readFile);
  expect("writeFile" in late).toBe(true);
  expect(loaded[0]).toBe("node:fs/promises");
});

test("any other module is loaded at once", () => {
  const { loaded, load } = loading();
  expect(requireBuiltin("node:path", load)).toBe(requireHere("node:path"));
  expect(loaded).toEqual(["node:path"]);
});
