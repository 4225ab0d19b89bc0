/** Proves that ordinary project text is left alone: the sources of this repository, its documents and its lock file. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRedactor } from "./create-redactor.ts";

const root = join(import.meta.dirname, "../../../..");

/** Files in which something stands that is a secret by its form, because the text is about secrets. */
const known: { readonly [path: string]: readonly string[] } = {
  // A made-up token that the manual tells kedge and then scrubs from the session.
  "docs/sessions.md": ["[REDACTED:github-token]"],
  // Commands that carry a password, which the classifier has to judge.
  "packages/engine/src/classifier/labelled-calls.jsonl": ["[REDACTED:assignment]", "[REDACTED:url-credentials]"],
  // An example of the table itself.
  "packages/memory/src/redaction/secret-kinds.jsonl": ["[REDACTED:login-option]"],
};

test("no false hit in sources, documents and the lock file of this repository", () => {
  const { redact } = createRedactor({ values: () => [] });
  const patterns = ["packages/*/src/**/*.{ts,json,jsonl,md,sql}", "docs/**/*.{md,json}", "*.{md,json}", "scripts/*.ts"];
  const paths = globSync(patterns, { cwd: root }).filter(
    (path) => !/\.test\.ts$|\/fixtures\/|packages\/testing/.test(path),
  );
  expect(paths.length).toBeGreaterThan(1_000);
  const hits: Record<string, readonly string[]> = {};
  for (const path of paths) {
    const text = readFileSync(join(root, path), "utf8");
    const redacted = redact(text);
    if (redacted !== text) hits[path] = newMarks(redacted, text);
  }
  expect(hits).toEqual(known);
});

function newMarks(redacted: string, text: string): readonly string[] {
  const marks: readonly string[] = redacted.match(/\[REDACTED:[a-z0-9-]+\]/g) ?? [];
  return marks.filter((mark) => !text.includes(mark));
}
