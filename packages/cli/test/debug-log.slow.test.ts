/** Proves the debug log with the real program: a file beside the session, nothing of it on standard output. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

function logsOf({ home }: Workbench): readonly string[] {
  const directory = join(home, "log", "debug");
  return readdirSync(directory).map((name) => readFileSync(join(directory, name), "utf8"));
}

test("--debug and KEDGE_DEBUG write one, by areas, and deleting the session deletes it", async () => {
  bench = await openWorkbench([{ text: "One." }, { text: "Two." }]);
  expect(await bench.run(["-p", "first", "--debug"])).toEqual({ code: 0, stdout: "One.\n", stderr: "" });
  const [log = ""] = logsOf(bench);
  expect(log).toMatch(/^\S+Z \[session\] session\.created$/m);
  expect(log).toMatch(/^\S+Z \[api\] answered in \d+ ms, input \d+/m);
  expect(log).not.toContain("first");
  expect(log).not.toContain("One.");
  const second = await bench.run(["-p", "second"], { environment: { KEDGE_DEBUG: "api" } });
  expect(second.stdout).toBe("Two.\n");
  const logs = logsOf(bench);
  expect(logs).toHaveLength(2);
  expect(logs.filter((text) => text.includes("[session]"))).toHaveLength(1);
  const [session] = JSON.parse((await bench.run(["session", "list", "--json"])).stdout) as {
    id?: string;
    sessionId?: string;
  }[];
  await bench.run(["session", "delete", session?.sessionId ?? session?.id ?? "", "--yes"]);
  expect(logsOf(bench)).toHaveLength(1);
});

test("an unknown area is refused with the list, and --debug leaves the prompt alone", async () => {
  bench = await openWorkbench([{ text: "Done." }]);
  const refused = await bench.run(["-p", "x", "--debug=apis"]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("--debug must be a list of api, retry, cache,");
  expect((await bench.run(["-p", "--debug", "say it"])).stdout).toBe("Done.\n");
});
