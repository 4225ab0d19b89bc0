/** Programs of the project that the search path leads to. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createProjectPrograms } from "./project-programs.ts";

let at = "";
beforeEach(() => {
  at = realpathSync(mkdtempSync(join(tmpdir(), "kedge-path-")));
  for (const path of ["project/bin", "project/sub", "system"]) mkdirSync(join(at, path), { recursive: true });
  for (const path of ["project/bin/ls", "project/ls", "project/bin/lint", "system/ls"]) program(path);
});
afterEach(() => rmSync(at, { recursive: true, force: true }));

const program = (path: string) => {
  writeFileSync(join(at, path), "#!/bin/sh\n");
  chmodSync(join(at, path), 0o755);
};

function find(searchPath: string, name: string, { isKnown = false, cwd = "project" } = {}) {
  const project = join(at, "project");
  const isInside = (path: string) => realpathSync(path).startsWith(`${project}/`);
  const programs = createProjectPrograms({ searchPath: () => searchPath.replaceAll("@", at), isInside });
  return programs(name, { cwd: join(at, cwd), isKnown })?.slice(at.length + 1);
}

test.each([
  ["@/project/bin:@/system", "project/bin/ls"],
  [".:@/system", "project/ls"],
  [":@/system", "project/ls"],
  ["bin:@/system", "project/bin/ls"],
  ["@/system:@/project/bin", undefined],
  ["@/system", undefined],
])("ls with the search path %s is %s", (searchPath, found) => {
  expect(find(searchPath, "ls")).toBe(found);
});

test("a program that only the project has is meant, unless it is known by its name", () => {
  expect(find("@/project/bin:@/system", "lint")).toBeUndefined();
  expect(find("@/project/bin:@/system", "lint", { isKnown: true })).toBe("project/bin/lint");
});

test("a link to a program of the machine is that program", () => {
  symlinkSync(join(at, "system/ls"), join(at, "project/sub/ls"));
  expect(find("@/project/sub:@/system", "ls")).toBeUndefined();
});

test("what is named by a path is no matter of the search path", () => {
  expect(find("@/project/bin:@/system", "./ls")).toBeUndefined();
});
