import { expect, test } from "vitest";
import { droppedPaths } from "./attachment-paths.ts";

test.each<readonly [string, readonly string[]]>([
  ["/home/me/shot.png", ["/home/me/shot.png"]],
  ["  /home/me/shot.png \n", ["/home/me/shot.png"]],
  ["'/home/me/my shot.png'", ["/home/me/my shot.png"]],
  ['"/home/me/my shot.png"', ["/home/me/my shot.png"]],
  ["/home/me/my\\ shot\\ \\(1\\).png", ["/home/me/my shot (1).png"]],
  ["/home/me/my shot.png", ["/home/me/my shot.png"]],
  ["~/shot.png", ["~/shot.png"]],
  ["/a/b.png /c/d.pdf", ["/a/b.png", "/c/d.pdf"]],
  ["/a/b.png\n/c/d.pdf", ["/a/b.png", "/c/d.pdf"]],
  ["file:///a/b%20%E6%BC%A2.png", ["/a/b 漢.png"]],
  ["file:///a/100%.png", []],
  ["C:\\Users\\me\\my shot.png", ["C:\\Users\\me\\my shot.png"]],
  ["/usr/bin", []],
  ["src/main.ts", []],
  ["see /a/b.png", []],
  ["/a/b.png is broken", []],
  ["", []],
  ["https://example.org/a.png", []],
])("%j", (pasted, paths) => {
  expect(droppedPaths(pasted)).toEqual(paths);
});
