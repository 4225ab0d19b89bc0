/** Which files decide what runs later, in a workspace and outside of one. */
import { expect, test } from "vitest";
import { isProtectedPath } from "./protected-targets.ts";

const place = { home: "/home/dev", root: "/home/dev/proj" };

test.each([
  "/home/dev/proj/.git/hooks/pre-commit",
  "/home/dev/proj/.GIT/config",
  "/home/dev/proj/sub/.envrc",
  "/home/dev/proj/.vscode/tasks.json",
  "/home/dev/proj/.kedge/config.json",
  "/home/dev/proj/.cargo/config.toml",
  "/home/dev/proj/.mvn/jvm.config",
  "/home/dev/proj/.bazelrc",
  "/home/dev/.bashrc",
  "/home/dev/.ssh/authorized_keys",
  "/etc/passwd",
])("%s", (path) => {
  expect(isProtectedPath(path, place)).toBe(true);
});

test.each(["/home/dev/proj/src/a.ts", "/home/dev/proj/.kedge/plans/a.md", "/home/dev/proj/.gitignore", "/tmp/x"])(
  "not %s",
  (path) => {
    expect(isProtectedPath(path, place)).toBe(false);
  },
);

test("in a workspace that lies in a folder of such a name, paths count from the workspace", () => {
  const worktree = { home: "/home/dev", root: "/home/dev/proj/.kedge/worktrees/one" };
  expect(isProtectedPath("/home/dev/proj/.kedge/worktrees/one/src/a.ts", worktree)).toBe(false);
  expect(isProtectedPath("/home/dev/proj/.kedge/worktrees/one/.envrc", worktree)).toBe(true);
  expect(isProtectedPath("/home/dev/proj/.kedge/config.json", worktree)).toBe(true);
});
