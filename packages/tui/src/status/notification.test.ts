/** Proves that a notification says what happened and nothing else. */
import { expect, test } from "vitest";
import { type NotificationTrigger, notificationSequence } from "./notification.ts";

test("each way has the sequence of its terminals", () => {
  expect(notificationSequence("finished", ["bell"], "/work")).toBe("\u0007");
  expect(notificationSequence("finished", [], "/work")).toBe("");
  expect(notificationSequence("permission", ["osc", "desktop"], "/work")).toBe(
    "\u001b]9;kedge needs your answer (/work)\u0007" +
      "\u001b]777;notify;kedge;kedge needs your answer (/work)\u0007" +
      "\u001b]99;;kedge needs your answer (/work)\u001b\\",
  );
});

test("the name of a directory can neither end the sequence nor add a field", () => {
  const hostile = "/work;\u0007\u001b]52;c;AAAA\u0007\u001b\\\u009c\u009d;\r\nx\u202e";
  for (const trigger of ["permission", "finished", "task", "error"] satisfies NotificationTrigger[]) {
    for (const way of ["osc", "desktop"] as const) {
      const sequence = notificationSequence(trigger, [way], hostile);
      for (const text of sequence.matchAll(/\(([^)]*)\)/g)) {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these must be gone.
        expect(text[1]).not.toMatch(/[;\u0000-\u001f\u007f-\u009f\u202e]/);
      }
      expect(sequence.split("\u001b").length - 1).toBe(2);
    }
  }
});
