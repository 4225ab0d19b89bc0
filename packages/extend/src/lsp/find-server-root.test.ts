import { expect, test } from "vitest";
import { createServerRoots } from "./find-server-root.ts";
import type { ServerDefinition } from "./server-definition.ts";

const definition: ServerDefinition = {
  name: "x",
  languages: { ".x": "x" },
  commands: [["x"]],
  markers: ["x.json"],
  origin: "test",
};
const strict: ServerDefinition = { ...definition, name: "strict", needsMarker: true };

test("the nearest marker counts, and a directory is looked at once until a marker is written", () => {
  const files = new Set(["/p/x.json", "/p/a/b/x.json"]);
  let looks = 0;
  const roots = createServerRoots("/p", new Set(["x.json"]), (path) => {
    looks += 1;
    return files.has(path);
  });
  expect(roots.find(definition, "/p/a/b/c/f.x")).toBe("/p/a/b");
  expect(roots.find(definition, "/p/a/f.x")).toBe("/p");
  const before = looks;
  for (let edit = 0; edit < 100; edit += 1) roots.find(definition, "/p/a/b/c/other.x");
  expect(looks).toBe(before);
  roots.written("/p/a/b/c/f.x");
  expect(looks).toBe(before);
  files.add("/p/a/b/c/x.json");
  roots.written("/p/a/b/c/x.json");
  expect(roots.find(definition, "/p/a/b/c/f.x")).toBe("/p/a/b/c");
});

test("without a marker it is the workspace, or nothing where one is needed; never anything outside", () => {
  const roots = createServerRoots("/p", new Set(["x.json"]), () => false);
  expect(roots.find(definition, "/p/a/f.x")).toBe("/p");
  expect(roots.find(strict, "/p/a/f.x")).toBeUndefined();
  expect(roots.find(definition, "/project-of-others/f.x")).toBeUndefined();
  const everywhere = createServerRoots("/p", new Set(["x.json"]), () => true);
  expect(everywhere.find(definition, "/elsewhere/f.x")).toBeUndefined();
});
