/** Proves what `--debug-startup` tells of a start, that nothing is told without it, and how soon a prompt can be typed. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { dropCodeCaches } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openTerminal, type Terminal } from "./terminal.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
let terminal: Terminal | undefined;
afterEach(async () => {
  await terminal?.close();
  await bench?.close();
  terminal = undefined;
  bench = undefined;
});

type Told = { readonly stages: readonly string[]; readonly times: readonly number[]; readonly other: string };

/** What stands on standard error, the stages apart from everything else. */
function readStages(stderr: string): Told {
  const lines = [...stderr.matchAll(/^ *(\d+\.\d) ms {2}(.+)\n/gm)];
  return {
    stages: lines.map(([, , stage = ""]) => stage),
    times: lines.map(([, ms]) => Number(ms)),
    other: stderr.replace(/^ *\d+\.\d ms {2}.+\n/gm, ""),
  };
}

const untilSession = ["guards", "program", "arguments", "trust", "configuration", "assemble", "session"];

test.each<[string, readonly string[], { readonly [name: string]: string }]>([
  ["the flag", ["--debug-startup"], {}],
  ["the variable", [], { KEDGE_DEBUG_STARTUP: "1" }],
])(
  "%s tells of each stage of a headless run when it was passed, and of the code cache",
  async (_, flags, variables) => {
    const work = { toolCalls: [{ name: "list", input: {} }] };
    bench = await openWorkbench([work, { text: "Fine." }]);
    dropCodeCaches(bench.home);
    const { code, stdout, stderr } = await bench.run(["-p", "hi", ...flags], { environment: variables });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Fine.\n" });
    const { stages, times, other } = readStages(stderr);
    // Two requests were sent, and only the first one belongs to the start.
    expect(stages).toEqual([...untilSession, "first request", "first tool", "end"]);
    expect(times).toEqual([...times].sort((left, right) => left - right));
    expect(times[0]).toBeGreaterThan(0);
    expect(other).toBe("code cache: miss\n");
  },
);

test("the console tells when its prompt is ready, once", async () => {
  bench = await openWorkbench([{ text: "Fine." }]);
  const { code, stderr } = await bench.run(["--console", "--debug-startup"], { input: "hi\n/status\n" });
  expect(code).toBe(0);
  expect(readStages(stderr).stages).toEqual([...untilSession, "prompt ready", "end"]);
});

test("the last stage told is the one before the failure", async () => {
  bench = await openWorkbench([]);
  writeFileSync(join(bench.home, "config.json"), "{ half");
  const { code, stderr } = await bench.run(["-p", "hi", "--debug-startup"]);
  expect(code).toBe(1);
  expect(readStages(stderr).stages).toEqual(["guards", "program", "arguments", "trust", "end"]);
});

test.each([[["-p", "hi"]], [["-p", "--", "--debug-startup"]]])("%j tells nothing of its start", async (argv) => {
  bench = await openWorkbench([{ text: "Fine." }]);
  expect(await bench.run(argv)).toEqual({ code: 0, stdout: "Fine.\n", stderr: "" });
});

test("a prompt can be typed in a real terminal", async () => {
  bench = await openWorkbench([]);
  terminal = openTerminal(bench, ["--console", "--debug-startup"], { environment: { KEDGE_CATALOGUE_URL: "off" } });
  await terminal.shows(" ms  prompt ready");
  terminal.type("/exit");
  terminal.press("Enter");
  expect(await terminal.ended()).toBe(0);
});
