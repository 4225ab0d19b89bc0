/** Proves that an approval holds for one project and one signature, and that a broken file approves nothing. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openApprovals } from "./approvals.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "kedge-approvals-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test("an approval is kept, for this project and this signature", () => {
  openApprovals(home, "/a").approve("s", "1");
  expect(openApprovals(home, "/a").isApproved("s", "1")).toBe(true);
  expect(openApprovals(home, "/a").isApproved("s", "2")).toBe(false);
  expect(openApprovals(home, "/b").isApproved("s", "1")).toBe(false);
  expect(statSync(join(home, "mcp-approvals.json")).mode & 0o077).toBe(0);
  openApprovals(home, "/a").forget("s");
  expect(openApprovals(home, "/a").isApproved("s", "1")).toBe(false);
});

test("a broken file approves nothing", () => {
  openApprovals(home, "/a").approve("s", "1");
  writeFileSync(join(home, "mcp-approvals.json"), "{");
  expect(openApprovals(home, "/a").isApproved("s", "1")).toBe(false);
});

test("the first description of a tool is remembered until the user accepts another", async () => {
  const approvals = openApprovals(home, "/a");
  expect(approvals.firstDigest("server", "tool", "one")).toBe("one");
  expect(approvals.firstDigest("server", "tool", "two")).toBe("one");
  await new Promise((resolve) => setImmediate(resolve));
  const later = openApprovals(home, "/a");
  expect(later.firstDigest("server", "tool", "two")).toBe("one");
  later.acceptTools("server");
  expect(later.firstDigest("server", "tool", "two")).toBe("two");
  await new Promise((resolve) => setImmediate(resolve));
});

test("a directory that cannot be written costs nothing but the memory of it", async () => {
  const approvals = openApprovals(join(home, "gone"), "/a");
  expect(approvals.firstDigest("server", "tool", "one")).toBe("one");
  await new Promise((resolve) => setImmediate(resolve));
  expect(approvals.firstDigest("server", "tool", "two")).toBe("one");
});
