/** Whether looks can be confined: found by trying, and never assumed. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkLooks } from "../check-sandbox.ts";
import { createLookView } from "./look-view.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kedge-programs-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const linux = { platform: "linux", architecture: "x64", isRoot: process.getuid?.() === 0 };

function provide(script: string): void {
  writeFileSync(join(directory, "bwrap"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

test("this machine can", async () => {
  expect(await checkLooks({ ...linux, architecture: process.arch })).toMatchObject({ ok: true });
});

test("another system or processor, a missing program and missing namespaces are told with what to do", async () => {
  const here = { ...linux, directories: [directory] };
  expect(await checkLooks({ ...here, platform: "darwin" })).toMatchObject({
    ok: false,
    sentence: "The read-only view needs Linux; darwin is not supported yet.",
  });
  expect(await checkLooks({ ...here, architecture: "riscv64" })).toMatchObject({ ok: false });
  expect(await checkLooks(here)).toMatchObject({
    missing: "bwrap",
    sentence: "The read-only view needs the program bwrap.",
    howTo: expect.stringContaining("bubblewrap"),
  });
  provide("echo 'bwrap: no namespaces here' >&2; exit 1");
  expect(await checkLooks(here)).toMatchObject({
    missing: "user-namespaces",
    sentence: "bubblewrap does not start (bwrap: no namespaces here).",
  });
});

test("root without the right to make namespaces has one for users", async () => {
  provide('case "$*" in *--unshare-user*) exit 0;; *) exit 1;; esac');
  expect(await checkLooks({ ...linux, isRoot: true, directories: [directory] })).toMatchObject({
    ok: true,
    hasUserNamespace: true,
  });
});

test("where none can be confined, none starts, and nothing is made", async () => {
  const temporaryRoot = mkdtempSync(join(tmpdir(), "kedge-looks-"));
  const place = { temporaryRoot, roots: [directory], home: directory, own: [], shown: [], now: () => 0 };
  const view = createLookView({ ...linux, ...place, directories: [directory] });
  const command = { file: "/bin/true", args: [], cwd: directory, environment: {} };
  const wrapped = await view.wrap(command, {
    hidden: { isHidden: () => false, isClosedByRule: () => false, places: [] },
    shown: [],
  });
  expect(wrapped).toMatchObject({ problem: expect.stringContaining("needs the program bwrap") });
  view.close();
  expect(readdirSync(temporaryRoot)).toEqual([]);
  rmSync(temporaryRoot, { recursive: true });
});
