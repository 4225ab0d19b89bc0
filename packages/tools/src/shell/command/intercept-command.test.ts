import { withPatience } from "@kedge/testing";
import { expect, test } from "vitest";
import { createInterceptor } from "./intercept-command.ts";

const openWith = (...tools: readonly string[]) => createInterceptor({ isOffered: (tool) => tools.includes(tool) });

test.each([
  ["ls && cat notes.md", "look at files with read", "cat notes.md"],
  ["head -n 20 'notes.md'", "look at files with read", "head -n 20 notes.md"],
  ["tail -20 /var/log/x", "look at files with read", "tail -20 /var/log/x"],
  ["cd sub; LC_ALL=C /bin/cat   notes.md", "look at files with read", "cat notes.md"],
  ["for f in a b; do cat a.txt; done", "look at files with read", "cat a.txt"],
  ['echo "$(cat notes.md)"', "look at files with read", "cat notes.md"],
  ["(cd x && cat notes.md)", "look at files with read", "cat notes.md"],
  ["if true; then sudo cat notes.md; fi", "look at files with read", "cat notes.md"],
  ["x=`cat notes.md`", "look at files with read", "cat notes.md"],
  ["cat notes.md | wc -l", "look at files with read", "cat notes.md"],
  ["grep -r x .", "search in files with grep", "grep -r x ."],
  ["true || find . -name a", "find files with glob", "find . -name a"],
  ["sed -i s/a/b/ file", "change files with edit", "sed -i s/a/b/ file"],
  ["perl -pi -e 's/a/b/' file", "change files with edit", "perl -pi -e s/a/b/ file"],
  ["echo a > b", "write files with write", "echo a > b"],
  ["cat > file <<'EOF'\ngrep x\nEOF\nls", "write files with write", "cat > file <<EOF"],
  ["tee file <<EOF\nx\nEOF", "write files with write", "tee file <<EOF"],
])("turned away: %s", (command, why, part) => {
  expect(openWith("read", "grep", "glob", "edit", "write").refuse(command)).toBe(
    `Blocked: ${why}. The command was: ${part}`,
  );
});

test.each([
  "git log | grep x",
  "git log |& tail -5",
  "cat a b",
  "tail -f log",
  "echo a",
  "echo 'a > b'",
  'printf "%s" "x > y" | sh',
  "echo done >/dev/null",
  "make 2>&1 | tee log",
  "echo x >&2",
  "node <<'EOF'\ncat notes.md\nEOF",
  "ls # cat notes.md",
  "git grep x",
  "echo 'cat notes.md'",
  `: ${"x ".repeat(20_000)}; cat notes.md`,
])("runs: %s", (command) => {
  expect(openWith("read", "grep", "glob", "edit", "write").refuse(command)).toBeUndefined();
});

test("a rule counts only while its tool is offered, whichever of the editing tools that is", () => {
  expect(openWith("read").refuse("grep x a")).toBeUndefined();
  expect(openWith("apply_patch").refuse("sed -i s/a/b/ f")).toMatch(/^Blocked: change files with apply_patch/);
  expect(openWith("edit_lines", "write").refuse("sed -i s/a/b/ f")).toMatch(/^Blocked: change files with edit_lines/);
  expect(openWith("apply_patch").refuse("echo a > b")).toMatch(/^Blocked: write files with apply_patch/);
});

test("own rules replace the usual ones; a pattern that is none is left out and said", () => {
  const rules = [
    { pattern: "(", tool: "read", message: "never" },
    { pattern: "^vim", tool: "read", message: "no editors" },
  ];
  const own = createInterceptor({ isOffered: () => true, rules });
  expect(own.refuse("vim a")).toBe("Blocked: no editors. The command was: vim a");
  expect(own.refuse("cat a")).toBeUndefined();
  expect(own.problems()).toEqual([
    "bash.interceptor.rules: Invalid regular expression: /(/s: Unterminated group. The rule for read is left out.",
  ]);
  expect(openWith().problems()).toEqual([]);
});

test("a long text with open quotes and many brackets costs no time", () => {
  for (const text of ["$(".repeat(4_900), `${"a 'b' ".repeat(1_600)}"`, "`".repeat(9_999), "\\".repeat(9_999)])
    withPatience(() => openWith("read").refuse(text));
});
