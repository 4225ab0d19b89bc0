/** With every command allowed, programs that are given the name of a closed file are still refused. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { canary } from "./closed-files-project.ts";
import { runCalls } from "./run-calls.ts";

const forms = [
  "pr F",
  "fmt F",
  "ptx F",
  "ul F",
  "shuf F",
  "expand F",
  "iconv F",
  "hexdump -C F",
  "basenc --base16 F",
  "base32 F",
  "cpp F",
  "gcc -E -x c F",
  "as F",
  "groff F",
  "sqlite3 :memory: '.read F'",
  "openssl base64 -in F",
  "gzip -c F",
  "bash -v F",
  "perl -pe 1 F",
  "xargs -a F echo",
  "date -f F",
  "find . -path ./F -exec cat {} \\;",
  "find . -name '*.key' -exec cat {} +",
  "env -S 'cat F'",
  "exec 3< F; cat <&3",
  "curl -s file://$PWD/F",
  "git diff --no-index /dev/null F",
  "cp F /dev/stdout",
  "tar cO F",
  'cat "$(echo F)"',
];

test("no program shows a file that is named and closed", async () => {
  const commands = forms.map((form) => form.replaceAll(/\bF\b/g, "app.key"));
  const calls = commands.map((command) => ({ name: "bash", input: { command, description: "x", timeout: 5 } }));
  const run = await runCalls(calls, {
    settings: { permission: { bash: "allow", edit: "allow", external_directory: "allow", read: { "*.key": "deny" } } },
    prepare: ({ project }) => writeFileSync(join(project, "app.key"), `${canary}-key\nsecond ${canary}\n`),
  });
  const shown = commands.filter((_, at) => /canary7q|63616e61|Y2FuYXJ5/i.test(run.results[at]?.output ?? ""));
  expect(shown).toEqual([]);
});
