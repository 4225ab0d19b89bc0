import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSeededRandom } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLookAtPath } from "../look-at-path.ts";
import { analyseShell } from "./index.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kedge-mentioned-"));
  for (const name of ["app.key", "open.txt"]) writeFileSync(join(root, name), "");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const readsOf = (command: string) =>
  analyseShell(command, { cwd: root, root, home: "/home/dev", lookAtPath: createLookAtPath({ root, added: [] }) })
    .files.filter(({ access, path }) => access === "read" && path === join(root, "app.key"))
    .map(({ isMentioned = "read" }) => isMentioned);

test("any program that names an existing file in any way may read it", () => {
  const random = createSeededRandom();
  const letters = "abcdefghijklmnopqrstuvwxyz";
  const forms = ["%", "-x %", "--in=%", "-i%", "@%", "in=%", "-- %", "file:%", "app.k*", `${root}/%`, "./%", "a b % c"];
  for (const form of forms) {
    const program = `q${Array.from({ length: 4 }, () => letters[random.below(letters.length)]).join("")}`;
    const command = `${program} ${form.replace("%", "app.key")}`;
    expect(readsOf(command), command).toEqual(["word"]);
  }
  for (const command of ["sqlite3 :memory: '.read app.key'", `foo "open('app.key')"`, "foo 'x;app.key'"])
    expect(readsOf(command), command).toEqual(["text"]);
});

test("what only uses a name, removes or describes a file reads none", () => {
  for (const command of ["rm app.key", "chmod 600 app.key", "echo app.key", "test -f app.key", "touch app.key"])
    expect(readsOf(command), command).toEqual([]);
  expect(readsOf("git commit -m 'Move app.key elsewhere'")).toEqual([]);
  expect(readsOf("foo missing.key")).toEqual([]);
});
