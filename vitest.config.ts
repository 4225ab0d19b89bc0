/** Test runner settings: every test in Node, no network but loopback, workers shared by files. */
import { defineConfig } from "vitest/config";

const endToEnd = ["packages/cli/test/**/*.test.ts", "scripts/**/*.test.ts"];

export default defineConfig({
  test: {
    environment: "node",
    pool: "threads",
    // No module holds state, so files may share a worker: 47 instead of 69 s.
    isolate: false,
    testTimeout: 20_000,
    // Only the tests of the whole program need it built; the others run while it cannot be.
    projects: [
      { extends: true, test: { name: "parts", include: ["packages/*/{src,test}/**/*.test.ts"], exclude: endToEnd } },
      { extends: true, test: { name: "program", include: endToEnd, globalSetup: ["scripts/build-before-tests.ts"] } },
    ],
  },
});
