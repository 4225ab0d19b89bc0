import { expect, test } from "vitest";
import { createEscalationWatch } from "./escalation.ts";

const rejected = "! [rejected] main -> main (non-fast-forward)";

function afterFailure(command: string) {
  const watch = createEscalationWatch();
  watch.observe({ command, outcome: "completed", exitCode: 1, output: rejected });
  return watch;
}

const repeats: readonly (readonly [string, string])[] = [
  ["git push origin main", "git push --force origin main"],
  ["git push origin main", "git push origin main -f"],
  ["git push origin main --tags", "git push --tags --force-with-lease origin main"],
  ["git push --force-with-lease origin main", "git push --force origin main"],
  ["git branch -d topic", "git branch -D topic"],
  ["git reset HEAD~1", "git reset --hard HEAD~1"],
  ["git reset --keep HEAD~1", "git reset --hard HEAD~1"],
  ["git commit -m 'a b'", 'git commit --no-verify -m "a b"'],
  ["npm init", "npm init --yes"],
  ["apt-get install jq", "sudo apt-get install -y jq"],
  ["apt-get install jq", "sudo apt-get install jq"],
  ["rm -r out", "rm -rf out"],
  ["deno run main.ts", "deno run --allow-net main.ts"],
  ["./build.sh", "chmod +x build.sh && ./build.sh"],
  ["cd app && git push", "git push --force"],
];

test.each(repeats)("%s, then %s", (before, after) => {
  expect(afterFailure(before).earlierFailure(after)).toEqual({ command: before, error: rejected });
});

const others: readonly (readonly [string, string])[] = [
  ["git push origin main", "git push origin main"],
  ["git push --force origin main", "git push origin main --force"],
  ["git push origin main", "git push --force origin other"],
  ["npm test", "chmod +x build.sh && npm test"],
  ["grep -r pattern src", "grep -rf patterns src"],
];

test.each(others)("%s, then %s is no escalation", (before, after) => {
  expect(afterFailure(before).earlierFailure(after)).toBeUndefined();
});

test("a refused command counts, one that worked or was interrupted does not", () => {
  const watch = createEscalationWatch();
  watch.observe({ command: "rm out", outcome: "completed", exitCode: 0, output: "" });
  watch.observe({ command: "rm lib", outcome: "interrupted", output: "" });
  expect([watch.earlierFailure("rm -f out"), watch.earlierFailure("rm -f lib")]).toEqual([undefined, undefined]);
  watch.observe({ command: "rm out", outcome: "refused", output: "The user declined." });
  expect(watch.earlierFailure("rm -f out")).toEqual({ command: "rm out", error: "The user declined." });
});

test("rights changed in a call of their own count as well", () => {
  const watch = afterFailure("./build.sh all");
  watch.observe({ command: "chmod 755 ./build.sh", outcome: "completed", exitCode: 0, output: "" });
  expect(watch.earlierFailure("./build.sh all")?.command).toBe("./build.sh all");
});

test("after ten more calls the failure is forgotten", () => {
  const watch = afterFailure("git push");
  for (let count = 0; count < 9; count += 1) watch.observe({ outcome: "completed", output: "" });
  expect(watch.earlierFailure("git push -f")).toBeDefined();
  watch.observe({ outcome: "completed", output: "" });
  expect(watch.earlierFailure("git push -f")).toBeUndefined();
});

test("of a long error its end is kept", () => {
  const watch = createEscalationWatch();
  watch.observe({ command: "make", outcome: "completed", exitCode: 2, output: `${"line\n".repeat(1_000)}the cause\n` });
  const error = watch.earlierFailure("sudo make")?.error ?? "";
  expect([error.length, error.endsWith("the cause")]).toEqual([500, true]);
});
