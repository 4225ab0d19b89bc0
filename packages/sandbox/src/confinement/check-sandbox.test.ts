import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkLooks, checkSandbox } from "./check-sandbox.ts";
import { findProgram } from "./find-program.ts";
import { installCommand } from "./install-commands.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kedge-programs-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const provide = (name: string) => symlinkSync(findProgram(name) ?? "", join(directory, name));
const linux = { platform: "linux", architecture: "x64", needsBridge: false };

describe("a machine on which commands can be confined", () => {
  test("is told by trying", async () => {
    expect(await checkSandbox({ ...linux, needsBridge: true })).toEqual({ ok: true });
  });
});

describe("a machine that lacks something", () => {
  test("another system", async () => {
    expect(await checkSandbox({ ...linux, platform: "darwin" })).toMatchObject({
      missing: "other",
      sentence: "The sandbox needs Linux; darwin is not supported yet.",
    });
  });

  test("another processor", async () => {
    expect(await checkSandbox({ ...linux, architecture: "riscv64" })).toMatchObject({ ok: false, missing: "other" });
  });

  test("programs, one after the other", async () => {
    const check = () => checkSandbox({ ...linux, needsBridge: true, directories: [directory] });
    expect(await check()).toMatchObject({ missing: "bwrap", sentence: "The sandbox needs the program bwrap." });
    provide("bwrap");
    expect(await check()).toMatchObject({ missing: "nsenter" });
    provide("nsenter");
    expect(await check()).toMatchObject({
      missing: "socat",
      sentence: "The sandbox needs the program socat, which connects to the allowed hosts.",
    });
    provide("socat");
    expect(await check()).toEqual({ ok: true });
  });

  test("namespaces for users", async () => {
    provide("nsenter");
    writeFileSync(join(directory, "bwrap"), "#!/bin/sh\necho 'bwrap: no namespaces here' >&2; exit 1\n", {
      mode: 0o755,
    });
    expect(await checkSandbox({ ...linux, directories: [directory] })).toMatchObject({
      missing: "user-namespaces",
      sentence: "This system does not let bubblewrap make user namespaces (bwrap: no namespaces here).",
    });
  });

  test("no answer in time says nothing about the machine", async () => {
    provide("nsenter");
    writeFileSync(join(directory, "bwrap"), "#!/bin/sh\nexec sleep 600\n", { mode: 0o755 });
    const parts = { ...linux, directories: [directory], answerMsMax: 50 };
    expect(await checkSandbox(parts)).toMatchObject({ missing: "answer" });
    expect(await checkLooks({ ...parts, isRoot: true })).toMatchObject({ missing: "answer" });
  });

  test("what comes with the mounts", async () => {
    provide("nsenter");
    writeFileSync(join(directory, "bwrap"), '#!/bin/sh\ncase "$*" in *--proc*) exit 1;; esac\n', { mode: 0o755 });
    expect(await checkSandbox({ ...linux, directories: [directory] })).toMatchObject({ missing: "other" });
  });
});

test.each([
  ["ID=debian", "Run: sudo apt install bubblewrap"],
  ['ID=linuxmint\nID_LIKE="ubuntu debian"', "Run: sudo apt install bubblewrap"],
  ["ID=fedora", "Run: sudo dnf install bubblewrap"],
  ['ID="rocky"\nID_LIKE="rhel centos fedora"', "Run: sudo dnf install bubblewrap"],
  ["ID=arch", "Run: sudo pacman -S bubblewrap"],
  ["ID=nixos", "Run: nix-env -iA nixos.bubblewrap"],
  ["", "Install the package bubblewrap of your system."],
])("%j: %s", (osRelease, command) => {
  expect(installCommand("bwrap", osRelease)).toBe(command);
});
