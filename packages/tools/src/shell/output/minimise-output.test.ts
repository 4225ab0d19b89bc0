/** Proves for each filter, with output as the program prints it, what goes and that all that tells something stays. */
import { withPatience } from "@kedge/testing";
import { expect, test } from "vitest";
import { outputSamples } from "../../../test/output-samples.ts";
import { minimiseOutput } from "./minimise-output.ts";
import { outputFilters } from "./output-filters.ts";

test.each(outputSamples)("$program: $command", ({ command, lines, kept }) => {
  const output = lines.join("\n");
  const minimised = minimiseOutput(command, output);
  const shown = minimised?.text.split("\n") ?? [];
  expect(shown.filter((line) => !line.startsWith("[… "))).toEqual(kept);
  expect(minimised?.shortenedLines).toBe(lines.length - kept.length);
});

test("every filter has a sample, and they save two fifths and more", () => {
  const sampled = new Set(outputSamples.map(({ program }) => program));
  expect(outputFilters.flatMap(({ program }) => (sampled.has(program) ? [] : [program]))).toEqual([]);
  const savings = outputSamples.map(({ command, lines }) => {
    const { length } = lines.join("\n");
    return 1 - (minimiseOutput(command, lines.join("\n"))?.text.length ?? length) / length;
  });
  expect(savings.reduce((sum, saving) => sum + saving, 0) / savings.length).toBeGreaterThan(0.4);
});

const tellingLines = [
  "error: linker failed",
  "npm warn deprecated thing@1.0.0: use another",
  "FAIL src/a.test.ts",
  "Tests:       1 failed, 99 passed, 100 total",
  "panicked at src/lib.rs:3",
  "fatal: refusing to merge",
  "make: *** [all] Error 2",
  "Process exited with code 137",
  "3 vulnerabilities found",
];

test.each(outputSamples)(
  "what tells something survives in the midst of the noise of $program",
  ({ command, lines }) => {
    const mixed = lines.flatMap((line, index) => {
      const telling = tellingLines[index % 7 === 3 ? Math.floor(index / 7) % tellingLines.length : -1];
      return telling === undefined ? [line] : [line, telling];
    });
    const shown = minimiseOutput(command, mixed.join("\n"))?.text ?? mixed.join("\n");
    const said = (text: string) => text.split("\n").filter((line) => tellingLines.includes(line));
    expect(said(shown)).toEqual(said(mixed.join("\n")));
  },
);

const passes = Array.from({ length: 60 }, (_, index) => `test case_${index} ... ok`).join("\n");

test("a line of noise with a telling word in it stays", () => {
  const text = `${passes}\ntest handles_error_of_disk ... ok\n${passes}`;
  expect(minimiseOutput("cargo test", text)).toEqual({
    text: "[… 60 lines: passing tests …]\ntest handles_error_of_disk ... ok\n[… 60 lines: passing tests …]",
    shortenedLines: 120,
  });
});

test("what an unknown program prints stays as it is, also beside a known one", () => {
  for (const command of ["cat log", "./run-tests", "cargo test; cat log", "cargo test | grep ok", "x=$(cat log)", "ls"])
    expect(minimiseOutput(command, passes), command).toBeUndefined();
  for (const command of [
    "cargo test",
    "cd sub && RUST_BACKTRACE=1 cargo test --all",
    "cargo test 2>&1 | tee log",
    "timeout 60 cargo test && echo done",
    "npm test",
    "make test",
  ])
    expect(minimiseOutput(command, passes)?.text, command).toBe("[… 60 lines: passing tests …]");
});

test("small gains are none", () => {
  expect(minimiseOutput("cargo test", passes.slice(0, 499))).toBeUndefined();
  const report = Array.from({ length: 900 }, (_, index) => `thread ${index} says ${"x".repeat(index % 50)}`).join("\n");
  expect(minimiseOutput("cargo test", `${passes}\n${report}`)).toBeUndefined();
});

test("runs of the same line and of the same progress are counted, numbers in results are not", () => {
  const waiting = Array.from({ length: 40 }, () => "waiting for the server to come up");
  const copied = Array.from({ length: 40 }, (_, index) => `copied ${index}/40 files into place`);
  const differences = Array.from({ length: 40 }, (_, index) => `+   ${index},`);
  expect(minimiseOutput("make test", [...waiting, ...copied, ...differences].join("\n"))?.text.split("\n")).toEqual([
    "waiting for the server to come up",
    "[… 39 lines: the same …]",
    "copied 0/40 files into place",
    "[… 38 lines: the same progress …]",
    "copied 39/40 files into place",
    ...differences,
  ]);
});

test("4 MiB of anything take little time", () => {
  const compiling = "Compiling something v1.0.0 but not in the usual way at all, with some more words\n";
  const odd = [
    compiling,
    "x\n",
    " ".repeat(999),
    `${" ".repeat(999)}\n`,
    `${"9".repeat(999)}\n`,
    `#${" ".repeat(900)}x\n`,
  ];
  for (const piece of [...odd, `gcc ${"-I x ".repeat(190)}\n`, `${"a.py::".repeat(160)}\n`, "[… 9 lines: "]) {
    withPatience(() => minimiseOutput("npm test", piece.repeat(Math.floor((4 * 1_024 * 1_024) / piece.length))));
  }
});
