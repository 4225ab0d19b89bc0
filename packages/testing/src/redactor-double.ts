/** A redactor for tests: replaces what the test says, and passes pieces of a stream on when it ends. */
import type { Redactor } from "@kedge/protocol";

/** Without a replacement nothing is changed, and every piece is passed on at once. */
export function createRedactorDouble(redact?: (text: string) => string): Redactor {
  if (redact === undefined) {
    return { redact: (text) => text, open: () => ({ write: (chunk) => chunk, end: () => "" }) };
  }
  return {
    redact,
    open() {
      let held = "";
      return {
        write(chunk) {
          held += chunk;
          return "";
        },
        end() {
          const rest = redact(held);
          held = "";
          return rest;
        },
      };
    },
  };
}
