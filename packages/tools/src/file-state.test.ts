import { expect, test } from "vitest";
import { createFileState } from "./file-state.ts";

test("remembers the latest hash of each path", () => {
  const files = createFileState();
  files.remember("/a", "1");
  files.remember("/a", "2");
  expect([files.known("/a"), files.known("/b")]).toEqual(["2", undefined]);
});

test("one at a time for a path, in order, beside other paths, and past failures", async () => {
  const files = createFileState();
  const log: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = files.exclusively("/a", async () => {
    log.push("first begins");
    await gate.promise;
    log.push("first fails");
    throw new Error("broken");
  });
  const second = files.exclusively("/a", async () => log.push("second"));
  const third = files.exclusively("/a", async () => log.push("third"));
  await files.exclusively("/b", async () => log.push("other path"));
  gate.resolve();
  await expect(first).rejects.toThrow("broken");
  await Promise.all([second, third]);
  expect(log).toEqual(["first begins", "other path", "first fails", "second", "third"]);
});
