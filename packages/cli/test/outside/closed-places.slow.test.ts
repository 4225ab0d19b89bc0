/** Tries edits by lines and second names of files on every kind of closed place: rules, secrets, the home, kedge's own files. */
import { linkSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockToolCall } from "@kedge/testing";
import { expect, test } from "vitest";
import { canary } from "./closed-files-project.ts";
import { runCalls } from "./run-calls.ts";

const lines = (path: string): MockToolCall => ({
  name: "edit_lines",
  input: { input: `[${path}#0000]\nSWAP 1.=3:\nnew` },
});
const shown = (calls: readonly MockToolCall[], results: readonly { readonly output: string }[]) =>
  calls.flatMap((made, at) =>
    /canary7q|root:x/.test(results[at]?.output ?? "")
      ? [`${JSON.stringify(made.input)}: ${results[at]?.output.slice(0, 300)}`]
      : [],
  );

test("an edit by lines that fails tells nothing of a file that may not be read", async () => {
  const text = `${canary} one\n${canary} two\n`;
  const calls = [
    ".env",
    "../.ssh/id_rsa",
    "../elsewhere.txt",
    "/etc/passwd",
    "../home/config.json",
    "../home/auth.json",
    "../home/data/x.txt",
    "app.key",
    "drafts/a.md",
    "link.txt",
    "id_rsa",
    "server.pem",
  ].map(lines);
  const more: readonly MockToolCall[] = [
    { name: "edit", input: { filePath: "app.key", input: "[app.key#0000]\nSWAP 1.=3:\nnew" } },
    { name: "edit", input: { input: "[app.key#0000]\nSWAP 1.=3:\nnew" } },
    { name: "edit_lines", input: { input: "[app.key#0000]\nDEL 1.=2" } },
    { name: "edit_lines", input: { input: "[open.txt#0000]\nSWAP 1.=1:\nx\n[app.key#0000]\nSWAP 1.=3:\nnew" } },
    { name: "apply_patch", input: { patch: "[app.key#0000]\nSWAP 1.=3:\nnew" } },
  ];
  const run = await runCalls([...calls, ...more], {
    settings: { permission: { read: { "*.key": "deny", "drafts/*": "ask" } } },
    prepare: ({ project, directory, home }) => {
      for (const folder of [join(directory, ".ssh"), join(project, "drafts"), join(home, "data")])
        mkdirSync(folder, { recursive: true });
      for (const path of [
        ".env",
        "../.ssh/id_rsa",
        "../elsewhere.txt",
        "../home/auth.json",
        "../home/data/x.txt",
        "app.key",
        "drafts/a.md",
        "open.txt",
        "id_rsa",
        "server.pem",
      ])
        writeFileSync(join(project, path), path === "open.txt" ? "open\n" : text);
    },
  });
  expect(shown([...calls, ...more], run.results)).toEqual([]);
});

const rules: { readonly [rule: string]: string } = {
  "secret/**": "secret/a.txt",
  "secret/*": "secret/a.txt",
  "secret/a.txt": "secret/a.txt",
  "**/a.txt": "secret/a.txt",
  "*.key": "x.key",
  "deep/*.key": "deep/x.key",
  "*.sec": "deep/er/x.sec",
  "x.key": "x.key",
};
for (const action of ["deny", "ask"])
  test(`a hard link to a file is judged as the file, for rules that ${action}`, async () => {
    const found: string[] = [];
    for (const [rule, path] of Object.entries({ ...rules, "": ".env", " ": "sub/.env", "  ": "sub/id_rsa" })) {
      const calls: readonly MockToolCall[] = [
        { name: "read", input: { filePath: "other.txt" } },
        { name: "grep", input: { pattern: "one", path: "." } },
        { name: "bash", input: { command: "cat other.txt", description: "x" } },
        { name: "bash", input: { command: "grep -rn one .", description: "x" } },
      ];
      const run = await runCalls(calls, {
        settings: rule.trim() === "" ? {} : { permission: { read: { [rule]: action } } },
        prepare: ({ project }) => {
          mkdirSync(join(project, path, ".."), { recursive: true });
          writeFileSync(join(project, path), `${canary} one\n`);
          linkSync(join(project, path), join(project, "other.txt"));
        },
      });
      for (const leak of shown(calls, run.results)) found.push(`${rule} -> ${path}: ${leak.slice(0, 120)}`);
    }
    expect(found).toEqual([]);
  });
