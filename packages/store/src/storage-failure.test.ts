/** Proves that trouble is told by its code, that bugs pass unchanged, and that failures are not wrapped twice. */
import { FailureError } from "@kedge/protocol";
import { expect, test } from "vitest";
import { failure, storageError } from "./storage-failure.ts";

const sqlite = (errcode: number) => Object.assign(new Error("some text"), { code: "ERR_SQLITE_ERROR", errcode });
const system = (code: string) => Object.assign(new Error("some text"), { code, syscall: "mkdir" });
const sentence = (error: unknown) => {
  const known = storageError(error, "/data/kedge.db");
  return known instanceof FailureError ? known.failure.message : "a bug";
};

test.each([
  [sqlite(13), "The disk is full: /data/kedge.db cannot grow."],
  [sqlite(8), "/data/kedge.db cannot be written."],
  [sqlite(8 | (3 << 8)), "/data/kedge.db cannot be written."],
  [sqlite(5), "/data/kedge.db is locked by another process."],
  [sqlite(11), "/data/kedge.db is damaged."],
  [sqlite(14), "/data/kedge.db cannot be opened."],
  [sqlite(10 | (2 << 8)), "The disk reported an error while using /data/kedge.db."],
  [sqlite(1), "a bug"],
  [system("ENOSPC"), "The disk is full: /data/kedge.db cannot grow."],
  [system("EROFS"), "/data/kedge.db cannot be written."],
  [system("EACCES"), "/data/kedge.db cannot be written."],
  [system("ENOTDIR"), "/data/kedge.db cannot be opened."],
  [new TypeError("some text"), "a bug"],
])("%o becomes %s", (error, expected) => {
  expect(sentence(error)).toBe(expected);
});

test("a failure that was already named keeps its name", () => {
  const named = new FailureError(failure("It was this.", "Do that."));
  expect(storageError(named, "/data/kedge.db")).toBe(named);
});
