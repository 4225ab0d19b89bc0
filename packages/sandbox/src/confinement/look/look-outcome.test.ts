/** What the end of a look says about the view it ran in. */
import { expect, test } from "vitest";
import { type LookEnd, lookOutcome } from "./look-outcome.ts";

const user = { hidden: ["/w/.env", "/w/a/key.pem"], isRoot: false };
const root = { ...user, isRoot: true };

function end(complaint: string, change: Partial<LookEnd> = {}): LookEnd {
  return { exitCode: 1, hasOutput: false, complaint, shown: complaint, ...change };
}

test.each([
  ["touch: cannot touch 'a': Read-only file system", "it tried to write"],
  ["Error: EROFS: read-only file system, open 'a'", "it tried to write"],
  ["curl: (6) Could not resolve host: example.org", "it tried to reach the network"],
  ["connect: Network is unreachable", "it tried to reach the network"],
  ["bwrap: Can't bind mount /a on /b", "the view could not be set up"],
  ["cat: .env: Permission denied", ".env may contain secrets and is hidden there"],
])("%s", (complaint, blocked) => {
  expect(lookOutcome(end(complaint), user)).toEqual({ blocked });
});

test("what ended well is never held back, whatever it printed", () => {
  const shown = "Read-only file system\nNetwork is unreachable\nPermission denied";
  expect(lookOutcome(end(shown, { exitCode: 0 }), root)).toEqual({});
});

test("a hidden file that a result names is noted, and only a result without anything else is held back", () => {
  const note = "(hidden from commands that run without permission: .env; size, mode and content are not the real ones)";
  expect(lookOutcome(end("grep: ./.env: Permission denied", { hasOutput: true }), user)).toEqual({ note });
  expect(lookOutcome(end("", { exitCode: 0, shown: "-rw 0 .env" }), user)).toEqual({ note });
});

test("what is closed to others is closed to a user outside as well, but not to root", () => {
  const complaint = "cat: x: Permission denied";
  expect(lookOutcome(end(complaint), user)).toEqual({ note: "(ran in a read-only view without network)" });
  expect(lookOutcome(end(complaint), root)).toEqual({ blocked: "it tried to read a file of another user" });
});

test("a failure for an unknown reason has a note, one without words nothing", () => {
  expect(lookOutcome(end("cat: x: No such file or directory"), user)).toEqual({
    note: "(ran in a read-only view without network)",
  });
  expect(lookOutcome(end(""), user)).toEqual({});
  expect(lookOutcome(end("", { exitCode: null }), user)).toEqual({});
});
