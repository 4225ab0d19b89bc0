/** `kedge serve --lan`, `--tailnet`, `devices` and `desktop` as a person uses them: real processes and interfaces. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type OtherMachine, openOtherMachine, whyNoOtherMachine } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { type ServerProcess, startServerProcess } from "./serve-bench.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
let server: ServerProcess | undefined;
let machine: OtherMachine | undefined;

afterEach(async () => {
  await server?.stop();
  await bench?.close();
  await machine?.close();
  [server, bench, machine] = [undefined, undefined, undefined];
});

const why = whyNoOtherMachine();
const skipped = why === undefined ? "" : ` (skipped: ${why})`;

test("what would open the server to others without TLS or pairing is refused", async () => {
  bench = await openWorkbench(() => ({ text: "Hello." }));
  for (const [words, sentence] of [
    [["--lan", "--insecure"], "--lan always uses TLS."],
    [["--tailnet", "--no-auth"], "--tailnet admits paired devices only."],
    [["--lan", "--tailnet"], "cannot be used together"],
    [["--lan", "--hostname", "127.0.0.1"], "127.0.0.1 is not a private IPv4 address of this machine."],
    [["--lan", "--hostname", "8.8.8.8"], "8.8.8.8 is not a private IPv4 address of this machine."],
  ] as const) {
    const { code, stderr } = await bench.run(["serve", "--json", ...words]);
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining(sentence)]);
  }
});

test.skipIf(why !== undefined)(`--tailnet listens on the Tailscale address alone${skipped}`, async () => {
  bench = await openWorkbench(() => ({ text: "Hello." }));
  machine = await openOtherMachine({ network: "100.101", prefix: "tailscale" });
  server = await startServerProcess(bench, ["--tailnet", "--port", "0"]);
  const { pid } = server.child;
  const listening = execFileSync("ss", ["-H", "-ltnp"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(`pid=${pid},`))
    .map((line) => line.split(/\s+/)[3]?.replace(/:\d+$/, ""));
  expect(listening.toSorted()).toEqual([machine.hostAddress, "127.0.0.1"].toSorted());
});

test("a window of the browser gets a link that works once, and the server ends with the window", async () => {
  bench = await openWorkbench(() => ({ text: "Hello." }));
  const told = join(bench.home, "told");
  const browser = join(bench.home, "browser.sh");
  writeFileSync(browser, `#!/bin/sh\nfor word in "$@"; do echo "$word"; done > ${told}\n`);
  chmodSync(browser, 0o755);
  const environment = { DISPLAY: ":0", KEDGE_BROWSER: browser };
  const { code, stderr } = await bench.run(["desktop", "--port", "0"], { environment });
  expect([code, stderr]).toEqual([0, ""]);
  const words = readFileSync(told, "utf8");
  expect(words).toMatch(/^--app=http:\/\/127\.0\.0\.1:\d+\/#code=[\w-]{43}$/m);
  expect(words).toContain(`--user-data-dir=${join(bench.home, "reach", "desktop")}/`);
});

test("without a browser or a screen, kedge desktop says what to do", async () => {
  bench = await openWorkbench(() => ({ text: "Hello." }));
  const none = await bench.run(["desktop"], { environment: { DISPLAY: ":0", KEDGE_BROWSER: "/none" } });
  expect(none.stderr).toContain("No Chromium, Chrome or Edge was found. Install one, set KEDGE_BROWSER");
  const blind = await bench.run(["desktop"]);
  expect([blind.code, blind.stderr]).toEqual([1, expect.stringContaining("No display found to open a window on.")]);
  expect(existsSync(join(bench.home, "reach"))).toBe(false);
});

test("devices that are not there cannot be changed", async () => {
  bench = await openWorkbench(() => ({ text: "Hello." }));
  expect((await bench.run(["devices", "list"])).stdout).toBe("No devices. Pair one with kedge serve --lan.\n");
  expect((await bench.run(["devices", "list", "--json"])).stdout).toBe("[]\n");
  const { code, stderr } = await bench.run(["devices", "revoke", "Phone"]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining("No device Phone. List devices with kedge devices list."),
  ]);
  expect((await bench.run(["devices", "rename", "Phone"])).code).toBe(2);
});
