/** Proves with the real sandbox that confined commands may change the directories that were added, and no other. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openHome } from "../../src/index.ts";
import { createCommandSandbox } from "../../src/shell/command-sandbox.ts";

// Commands have temporary files of their own, so what they shall see of the outside must not lie among those.
const place = join(import.meta.dirname, "../../../../node_modules/.cache");
let directory = "";
beforeEach(() => {
  mkdirSync(place, { recursive: true });
  directory = realpathSync(mkdtempSync(join(place, "kedge-added-")));
  for (const name of ["home", "project", "beside", "other"]) mkdirSync(join(directory, name));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("a confined command writes to an added directory", async () => {
  const home = openHome(join(directory, "home"));
  if (!home.ok) throw new Error(home.failure.message);
  const at = (name: string) => join(directory, name);
  const sandbox = createCommandSandbox({
    settings: { mode: "on", autoAllow: true, allowedHosts: [], writable: [] },
    ...{ home: home.home, roots: [at("project"), at("beside")], userDirectory: at("home") },
    ...{ temporaryDirectory: tmpdir(), readable: [] },
  });
  const line = ["project", "beside", "other"].map((name) => `echo words > ${at(name)}/made.txt`).join("; ");
  const started = await sandbox?.confine({
    ...{ file: "/bin/sh", args: ["-c", line], cwd: at("project"), hasTerminal: false },
    environment: { PATH: process.env["PATH"] ?? "" },
  });
  if (started === undefined || "problem" in started) throw new Error(started?.problem ?? "there is no sandbox");
  const child = spawn(started.file, started.args, {
    cwd: at("project"),
    env: started.environment,
    stdio: ["ignore", "ignore", "ignore", "ignore", ...started.descriptors],
  });
  await once(child, "close");
  await started.release();
  await sandbox?.close();
  const made = ["project", "beside", "other"].filter((name) => existsSync(join(at(name), "made.txt")));
  expect(made).toEqual(["project", "beside"]);
});
