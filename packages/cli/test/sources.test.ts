/** The sources run as they are, without a build, and the first request stays small. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { openWorkbench } from "./workbench.ts";

const entry = join(import.meta.dirname, "../src/run.ts");
const requestBytesMax = 8 * 1024;

test("a prompt is answered by the sources, with a first request of at most 8 KB", async () => {
  const bench = await openWorkbench([{ text: "From the sources." }]);
  try {
    const environment = { PATH: process.env["PATH"], HOME: bench.directory, KEDGE_HOME: bench.home };
    const child = promisify(execFile)(process.execPath, [entry, "-p", "hi"], { cwd: bench.project, env: environment });
    child.child.stdin?.end();
    expect(await child).toEqual({ stdout: "From the sources.\n", stderr: "" });
    expect(bench.model.requests).toHaveLength(1);
    expect(bench.model.requests[0]?.raw.length).toBeLessThanOrEqual(requestBytesMax);
    expect(bench.model.requests[0]?.body.tools).toHaveLength(9);
  } finally {
    await bench.close();
  }
});
