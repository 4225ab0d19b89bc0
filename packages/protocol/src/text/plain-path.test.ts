import { posix } from "node:path";
import { expect, test } from "vitest";
import { isPlainAbsolutePath, isPlainPath } from "./plain-path.ts";

const parts = ["a", "b c", ".", "..", "", ".env", "ä", "x.ts", "a\\b"];

test("a plain absolute path is what it resolves to", () => {
  const paths = parts.flatMap((one) => parts.flatMap((two) => [`/${one}/${two}`, `/${one}/${two}/`, `//${one}${two}`]));
  for (const path of [...paths, "/", ""]) {
    if (isPlainAbsolutePath(path)) expect(posix.resolve("/elsewhere", path)).toBe(path);
  }
  expect(paths.filter(isPlainAbsolutePath)).toContain("/a/x.ts");
});

test("a plain relative path follows its directory as it is", () => {
  for (const one of parts) {
    for (const two of parts) {
      const path = `${one}/${two}`;
      if (isPlainPath(path) && !path.startsWith("/")) expect(posix.resolve("/w", path)).toBe(`/w/${path}`);
    }
  }
  expect(isPlainPath("a/x.ts")).toBe(true);
});
