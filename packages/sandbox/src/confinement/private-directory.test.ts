/** What a killed process left is cleared by the next one; what lives, is foreign or only looks like it stays. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makePrivateDirectory } from "./private-directory.ts";

test.runIf(process.platform === "linux")("directories of processes that are gone are cleared, all others stay", () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "kedge-private-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const first = basename(makePrivateDirectory(root, "look"));
  const [, , processes = ""] = first.split("-");
  const gone = spawnSync("true").pid;
  const elsewhere = `kedge-look-1${processes}-${gone}-abcdef`;
  const stays = [elsewhere, "kedge-look-abcdef", `kedge-sandbox-${processes}-1-abcdef`, first];
  const goes = [`kedge-look-${processes}-${gone}-abcdef`, `kedge-sandbox-${processes}-${gone}-abcdef`];
  for (const name of [...stays.slice(0, 3), ...goes]) {
    mkdirSync(join(root, name));
    writeFileSync(join(root, name, "filter"), "", { mode: 0o400 });
  }
  const outside = join(root, "outside");
  mkdirSync(outside);
  symlinkSync(outside, join(root, `kedge-look-${processes}-${gone}-linked`));
  const second = basename(makePrivateDirectory(root, "sandbox"));
  expect(readdirSync(root).toSorted()).toEqual(
    [...stays, second, "outside", `kedge-look-${processes}-${gone}-linked`].toSorted(),
  );
});
