/** A redactor for tests: replaces what the test says, and passes pieces of a stream on when it ends. */
import type { Redactor } from "@kedge/protocol";

export function createRedactorDouble(redact: (text: string) => string = (text) => text): Redactor {
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
