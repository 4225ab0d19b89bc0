/** Which folders hold code, of a project and of the user. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bringsCode, hasCodeFolders, projectCodeFolders, userCodeFolders } from "./code-folders.ts";

let user = "";
beforeEach(() => {
  user = realpathSync(mkdtempSync(join(tmpdir(), "kedge-folders-")));
});
afterEach(() => rmSync(user, { recursive: true, force: true }));

const make = (...paths: readonly string[]) => {
  for (const path of paths) mkdirSync(join(user, path), { recursive: true });
};
const siteOf = (disabled: readonly string[] = []) => {
  return { root: join(user, "project"), kedgeHome: join(user, ".kedge"), userDirectory: user, disabled };
};
const shown = (folders: readonly { readonly path: string; readonly kind: string }[]) =>
  folders.map(({ path, kind }) => `${kind} ${path.slice(user.length + 1)}`);

test("both agents' folders of the project and the user count, and installed plugins do not", () => {
  make("project/.kedge/tools", "project/.opencode/plugin", ".kedge/tool", ".kedge/plugin", ".kedge/plugins/store");
  make(".config/opencode/plugins", "project/.claude/tools");
  expect(shown(projectCodeFolders(siteOf()))).toEqual([
    "tools project/.kedge/tools",
    "plugin project/.opencode/plugin",
  ]);
  expect(shown(userCodeFolders(siteOf()))).toEqual([
    "tools .kedge/tool",
    "plugin .kedge/plugin",
    "plugin .config/opencode/plugins",
  ]);
  expect(shown(projectCodeFolders(siteOf(["opencode"])))).toEqual(["tools project/.kedge/tools"]);
  expect(bringsCode(join(user, "project"))).toBe(true);
});

test("omp has tools, extensions and hooks, and folders of agents with other tools count where they are wanted", () => {
  make("project/.omp/tools", "project/.omp/hooks/pre", "project/.claude/tools", ".omp/agent/extensions");
  expect(shown(projectCodeFolders(siteOf()))).toEqual(["tools project/.omp/tools", "hooks project/.omp/hooks/pre"]);
  expect(shown(userCodeFolders(siteOf()))).toEqual(["plugin .omp/agent/extensions"]);
  expect(shown(projectCodeFolders({ ...siteOf(["omp"]), hasOtherTools: true }))).toEqual([
    "tools project/.claude/tools",
  ]);
});

test("without a folder there is nothing, and a file is no folder", () => {
  make("project/.kedge", ".kedge/plugins");
  writeFileSync(join(user, "project/.kedge/tools"), "");
  expect([hasCodeFolders(siteOf()), bringsCode(join(user, "project"))]).toEqual([false, false]);
});

test("in the home directory kedge's own folder is the user's alone", () => {
  make(".kedge/tools");
  expect(projectCodeFolders({ ...siteOf(), root: user })).toEqual([]);
});
