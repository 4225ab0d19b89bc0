/** Test runner settings: every test in Node, no network but loopback, one process per file group. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/{src,test}/**/*.test.ts", "scripts/**/*.test.ts"],
    environment: "node",
    globalSetup: ["scripts/build-before-tests.ts"],
    pool: "threads",
    testTimeout: 20_000,
  },
});
