/** Sources of plugins, as users type them and as catalogues list them. */
import { expect, test } from "vitest";
import { parseSource, sourceText } from "../../src/plugins/index.ts";
import { readSource } from "../../src/plugins/plugin-source.ts";

const sha = "a".repeat(40);
const sum = "b".repeat(64);

test.each([
  ["./tea", { kind: "path", path: "/here/./tea" }],
  ["/tea", { kind: "path", path: "/here//tea" }],
  ["~/tea", { kind: "path", path: "/here/~/tea" }],
  ["owner/repo", { kind: "git", url: "https://github.com/owner/repo.git" }],
  ["owner/repo#v1.2", { kind: "git", url: "https://github.com/owner/repo.git", ref: "v1.2" }],
  [
    `owner/repo#${sha}:plugins/tea`,
    { kind: "git", url: "https://github.com/owner/repo.git", sha, path: "plugins/tea" },
  ],
  ["git@host.example:team/repo.git", { kind: "git", url: "git@host.example:team/repo.git" }],
  ["ssh://git@host.example/repo", { kind: "git", url: "ssh://git@host.example/repo" }],
  ["https://host.example/repo.git#:inner", { kind: "git", url: "https://host.example/repo.git", path: "inner" }],
  ["file:///repo", { kind: "git", url: "file:///repo" }],
  ["npm:@team/tea@^1.0.0", { kind: "npm", package: "@team/tea", version: "^1.0.0" }],
  [`https://host.example/tea.tgz#sha256=${sum}`, { kind: "archive", url: "https://host.example/tea.tgz", sha256: sum }],
  ["https://host.example/marketplace.json", { kind: "file", url: "https://host.example/marketplace.json" }],
])("%s is read", (text, source) => {
  const read = parseSource(text, (path) => `/here/${path}`);
  expect(read).toEqual({ ok: true, source });
});

test.each([
  ["http://host.example/repo"],
  ["ext::sh -c id"],
  ["--upload-pack=x"],
  ["https://-x"],
  ["owner/repo#--x"],
  ["owner/repo#a..b"],
  ["owner/repo#main:../x"],
  ["npm:-g"],
  ["npm:tea@git+ssh://x"],
  ["https://host.example/tea.tgz"],
  ["https://host.example/tea.tgz#sha256=123"],
])("%s is refused", (text) => {
  expect(parseSource(text, (path) => path)).toEqual({ ok: false, why: expect.any(String) });
});

test.each([
  ["./plugins/tea", { kind: "inside", path: "plugins/tea" }],
  ["tea", { kind: "inside", path: "base/tea" }],
  [
    { source: "local", path: "./tea" },
    { kind: "inside", path: "tea" },
  ],
  [
    { source: "github", repo: "o/r", ref: "main", sha },
    { kind: "git", url: "https://github.com/o/r.git", ref: "main", sha },
  ],
  [
    { source: "url", url: "https://host.example/r.git" },
    { kind: "git", url: "https://host.example/r.git" },
  ],
  [
    { source: "git-subdir", url: "o/r", path: "tea" },
    { kind: "git", url: "https://github.com/o/r.git", path: "tea" },
  ],
  [
    { source: "npm", package: "tea", version: "1.0.0" },
    { kind: "npm", package: "tea", version: "1.0.0" },
  ],
  [
    { source: "archive", url: "https://x.example/t.tgz", sha256: sum },
    { kind: "archive", url: "https://x.example/t.tgz", sha256: sum },
  ],
])("an entry with %j is read", (value, source) => {
  expect(readSource(value, "base")).toEqual({ ok: true, source });
});

test.each([
  ["../tea", /not a path inside/],
  ["./a/../../tea", /points outside the catalog/],
  ["/tea", /not a path inside/],
  ["https://host.example/r", /not a path inside/],
  [undefined, /has no source/],
  [{ source: "command", command: "x" }, /which kedge does not run/],
  [{ source: "github", repo: "https://x" }, /owner\/name/],
  [{ source: "github", repo: "o/r", sha: "abc" }, /full commit hash/],
  [{ source: "url", url: "http://169.254.169.254/x" }, /neither owner\/repo nor/],
  [{ source: "npm", package: "tea", registry: "https://x" }, /names a registry/],
  [{ source: "archive", url: "https://x.example/t.tgz" }, /SHA-256/],
  [{ source: "pigeon" }, /unknown type/],
])("an entry with %j is refused", (value, why) => {
  expect(readSource(value)).toEqual({ ok: false, why: expect.stringMatching(why) });
});

test("a source is written as it is typed", () => {
  for (const text of [
    `https://github.com/o/r.git#${sha}:a`,
    "https://github.com/o/r.git",
    "npm:tea@1",
    "https://github.com/o/r.git#:a",
  ]) {
    const read = parseSource(text, (path) => path);
    expect(read.ok && sourceText(read.source)).toBe(text);
  }
});
