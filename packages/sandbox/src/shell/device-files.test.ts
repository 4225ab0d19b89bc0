import { expect, test } from "vitest";
import { isOfProcess, isProcessPattern, judgeDevice } from "./device-files.ts";

test.each([
  ["/proc/1234/environ", "process"],
  ["/proc/self/environ", "process"],
  ["/proc/1/task/2/mem", "process"],
  ["/proc/1/smaps", "process"],
  ["/proc/1/fd/5", "process"],
  ["/proc/1/root/etc/passwd", "process"],
  ["/proc/1/status", "none"],
  ["/proc/cpuinfo", "none"],
  ["/proc/kcore", "refused"],
  ["/dev/null", "free"],
  ["/dev/tcp/a/1", "network"],
] as const)("reading %s is %s", (path, verdict) => expect(judgeDevice(path, "read")).toBe(verdict));

test.each([
  ["/proc/*/environ", true],
  ["/proc/[0-9]*/mem", true],
  ["/proc/1/*", true],
  ["/proc/1/env?ron", true],
  ["/*/1/environ", true],
  ["/proc/*/fd/3", true],
  ["/proc/*/status", false],
  ["/proc/*", false],
  ["/home/dev/*/maps", false],
])("the pattern %s: %s", (path, isSecret) => expect(isProcessPattern(path)).toBe(isSecret));

test("words of any program count", () => {
  expect(["/proc/1/environ", "/proc/*/mem", "/proc/1/comm", "environ"].map(isOfProcess)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
