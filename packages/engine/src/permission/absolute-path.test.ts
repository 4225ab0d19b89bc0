/** The quick way gives exactly what the whole way gives. */
import { resolve } from "node:path";
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { absolutePath } from "./absolute-path.ts";

test.each([
  ["/w", "a.ts"],
  ["/w", "deep/b.ts"],
  ["/w", "/x/y"],
  ["/w", "../x"],
  ["/w", "./x"],
  ["/w", "a/../b"],
  ["/w", "a/."],
  ["/w", "a/"],
  ["/w", ""],
  ["/w", "."],
  ["/w", ".env"],
  ["/w", "//x"],
  ["/", "a"],
  ["/w/", "a"],
  ["/w/.hidden", "a"],
  ["/w/../v", "a"],
  ["relative", "a"],
])("%j and %j", (cwd, path) => {
  expect(absolutePath(cwd, path)).toBe(resolve(cwd, path));
});

test("random paths", () => {
  const random = createSeededRandom();
  const pieces = ["a", "b.c", ".", "..", ".d", "/", "//", "e f", ""];
  for (let index = 0; index < 2_000; index += 1) {
    const made = () => Array.from({ length: random.below(6) }, () => pieces[random.below(pieces.length)]).join("");
    const [cwd, path] = [`/${made()}`, made()];
    expect(absolutePath(cwd, path)).toBe(resolve(cwd, path));
  }
});
