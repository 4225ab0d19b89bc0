/**
 * Test runner settings: every test in Node, no network but loopback, workers shared by files.
 *
 * A file says by its suffix which tier it is in: `.test.ts` takes milliseconds, `.slow.test.ts` starts processes or takes
 * seconds (`./test`), `.long.test.ts` has hundreds of kills or wide random cases (`./test --long`).
 */
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { createTestSummary } from "./scripts/test-summary.ts";

const tier = process.env["KEDGE_TEST_TIER"] ?? "slow";
// One for the whole run, so that one number repeats every random case of it. The usual run has always the same cases:
// a change then fails before it is handed over or not at all. New ones are drawn with `--long` and with `--repeat`.
const seed = process.env["KEDGE_TEST_SEED"] ?? (tier === "long" ? String(Math.floor(Math.random() * 2 ** 32)) : "1");
const program = ["packages/cli/test/**", "packages/web/test/**", "scripts/**"];
const slowSuffix = tier === "long" ? "{slow,long}" : "slow";
// On a build machine a test of real processes that meets a bad moment is repeated once and named at the end. Everywhere
// else it fails.
const retry = process.env["CI"] === undefined || tier === "long" ? 0 : 1;
const slow = ["**/*.slow.test.ts", "**/*.long.test.ts"];

// Helper programs of the tests run from their sources: stripped and compiled once, each starts in a third of the time.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/compile");

/** Tests of real processes wait as often as they compute: a third worker uses what is left of two cores. */
const waiting = { pool: "forks", retry, maxWorkers: 3, sequence: { groupOrder: 1 } } as const;

export default defineConfig({
  test: {
    environment: "node",
    pool: "threads",
    env: { KEDGE_TEST_SEED: seed },
    reporters: [
      "default",
      createTestSummary({
        root: import.meta.dirname,
        seed,
        tier,
        write: (text) => process.stdout.write(text),
        failuresFile: process.env["KEDGE_TEST_FAILURES"],
      }),
    ],
    // No module holds state, so files may share a worker: 47 instead of 69 s.
    isolate: false,
    // On two cores a second worker saves 40 % of the time of tests that compute, a third one loses it again.
    maxWorkers: 2,
    // Long enough for a machine that does much else at the same time: what hangs is found all the same.
    testTimeout: tier === "long" ? 1_800_000 : 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "parts",
          include: ["packages/*/{src,test}/**/*.test.ts"],
          exclude: [...program, ...slow],
        },
      },
      // Only the tests of the whole program need it built; the others run while it cannot be.
      {
        extends: true,
        test: {
          ...waiting,
          name: "program",
          include: program.map((folder) => `${folder}/*.test.ts`),
          exclude: tier === "fast" ? slow : tier === "long" ? [] : ["**/*.long.test.ts"],
          globalSetup: ["scripts/build-before-tests.ts"],
        },
      },
      // Each file in a process of its own: starting a process from one that has grown to a gigabyte takes so long that the
      // undo suite needed nine minutes; here it needs one.
      ...(tier === "fast"
        ? []
        : [
            {
              extends: true as const,
              test: {
                ...waiting,
                name: "slow",
                isolate: true,
                include: [`packages/*/{src,test}/**/*.${slowSuffix}.test.ts`],
                exclude: program,
              },
            },
          ]),
    ],
  },
});
