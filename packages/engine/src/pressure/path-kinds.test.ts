import { expect, test } from "vitest";
import { isTestOrCriteria } from "./path-kinds.ts";

test.each([
  "src/a.test.ts",
  "src/a.spec.jsx",
  "test/harness.ts",
  "packages/engine/test/a.ts",
  "src/__tests__/a.js",
  "tests/test_a.py",
  "pkg/a_test.go",
  "conftest.py",
  "spec/models/a_spec.rb",
  "src/test/java/FooTest.java",
  ".github/workflows/ci.yml",
  ".gitlab-ci.yml",
  ".husky/pre-commit",
  "biome.json",
  ".eslintrc.json",
  "vitest.config.ts",
  "jest.config.js",
  "codecov.yml",
  "src/__snapshots__/a.snap",
  "ruff.toml",
  ".\\test\\a.ts",
])("%s decides about the work", (path) => {
  expect(isTestOrCriteria(path)).toBe(true);
});

test.each([
  "src/a.ts",
  "src/contest.py",
  "src/latest.ts",
  "src/attest/a.go",
  "docs/testing.md",
  "package.json",
  "src/inspector.ts",
])("%s does not", (path) => {
  expect(isTestOrCriteria(path)).toBe(false);
});
