/** Proves on an assembled kedge: only the tools that were named are offered, and added directories count as inside. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { explainToolCall } from "../../src/explain/explain-permission.ts";
import {
  type AssembleOptions,
  assemble,
  findProject,
  type Kedge,
  loadConfiguration,
  openHome,
} from "../../src/index.ts";

let directory = "";
let opened: Kedge[] = [];
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-added-")));
  for (const name of ["home", "project", "beside"]) mkdirSync(join(directory, name));
  writeFileSync(join(directory, "beside/words.txt"), "a needle\n");
  symlinkSync(join(directory, "beside"), join(directory, "link"));
});
afterEach(async () => {
  for (const kedge of opened) await kedge.close();
  opened = [];
  rmSync(directory, { recursive: true, force: true });
});

async function open(given: Pick<AssembleOptions, "toolNames" | "addedDirectories">) {
  const project = findProject(join(directory, "project"));
  const place = { home: join(directory, "home"), cwd: project.cwd, projectRoot: project.root };
  const loaded = await loadConfiguration({
    ...{ ...place, userDirectory: directory, environment: {}, files: [], isTrusted: true },
  });
  const home = openHome(join(directory, "home"));
  if (!loaded.ok || !home.ok) throw new Error("the test cannot begin");
  const assembled = await assemble({
    ...{ configuration: loaded.configuration, home: home.home, project, environment: {}, userDirectory: directory },
    commandLineRules: { source: "command-line", rules: [] },
    ...{ interactive: true, unattended: false, kedgeVersion: "0.0.0", onNotice: () => undefined },
    ...given,
  });
  if (assembled.ok) opened.push(assembled.kedge);
  return assembled;
}

test("only the tools that were named are offered, by any of their names", async () => {
  const assembled = await open({ toolNames: ["Read", "find"] });
  if (!assembled.ok) throw new Error(assembled.failure.message);
  expect(assembled.kedge.toolNames()).toEqual(["glob", "read"]);
});

test("a name that no tool has is refused with the nearest", async () => {
  expect(await open({ toolNames: ["read", "greb"] })).toEqual({
    ok: false,
    failure: {
      code: "configuration",
      message: 'Unknown tool "greb".',
      recovery: "Did you mean grep?",
      retryable: false,
    },
  });
  expect(await open({ toolNames: ["zzz"] })).toMatchObject({
    failure: { recovery: expect.stringMatching(/^Available: agent, apply_patch, .*\bbash\b/) },
  });
});

test("what lies in an added directory is read like the project, and nothing beside it", async () => {
  const read = async (kedge: Kedge, path: string) => {
    const answer = await kedge.door.ask<"file.read">({ type: "file.read", path });
    return answer.ok ? answer.value.content : answer.failure.code;
  };
  const path = join(directory, "beside/words.txt");
  const plain = await open({});
  // A relative path counts from where kedge was started, and a link from where it leads to.
  const added = await open({ addedDirectories: ["../beside", "../link"] });
  if (!plain.ok || !added.ok) throw new Error("the test cannot begin");
  expect(await read(plain.kedge, path)).not.toBe("a needle\n");
  expect(await read(added.kedge, path)).toBe("a needle\n");
  expect(await read(added.kedge, join(directory, "home/config.json"))).not.toContain("{");
});

test("an added directory is explained as a part of the workspace", () => {
  const root = join(directory, "project");
  const path = join(directory, "beside/words.txt");
  const around = { cwd: root, root, home: directory, kedgeHome: join(directory, "home"), rules: [] } as const;
  const verdictOf = (addedDirectories: readonly string[]) =>
    explainToolCall("read", path, { ...around, mode: "default", isSandboxed: false, addedDirectories }).verdict;
  expect([verdictOf([]), verdictOf([join(directory, "beside")])]).toEqual(["ask", "allow"]);
});

test.each([
  ["../nowhere", "Cannot add the directory ../nowhere: "],
  ["../beside/words.txt", "Cannot add the directory ../beside/words.txt: it is a file."],
])("%s is refused", async (path, message) => {
  expect(await open({ addedDirectories: [path] })).toEqual({
    ok: false,
    failure: {
      code: "configuration",
      message: expect.stringContaining(message),
      recovery: "Pass an existing directory.",
      retryable: false,
    },
  });
});
