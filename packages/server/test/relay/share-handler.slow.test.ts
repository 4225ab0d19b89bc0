/** The user's own upload handler: what it gets, what becomes of what it says, and that nothing else happens when it fails. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSharedSite, type SharedSite } from "./shared-site.ts";

const secret = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
let shared: SharedSite;

beforeEach(async () => {
  shared = await openSharedSite([]);
  const { site, sessionId, relay } = shared;
  const set = await site.call("PATCH", "/config", { body: { layer: "user", key: "share.serverUrl", value: relay } });
  expect(set.status).toBe(200);
  await site.call("POST", `/session/${sessionId}/prompt`, { body: { text: `Keep ${secret} in mind, apricot` } });
});
afterEach(() => shared?.close());

const handlerFile = (name = "share.ts") => join(shared.site.home, name);
const handle = (code: string, name?: string) => writeFileSync(handlerFile(name), code);
const share = (body: object) => shared.site.call("POST", `/session/${shared.sessionId}/share`, { body });
const uploaded = async () => (await shared.site.call("GET", "/share")).json;

test("it gets a redacted page once the user agrees, and what it returns is shown", async () => {
  const copy = join(shared.site.home, "copy.json");
  handle(`import { readFileSync, writeFileSync } from "node:fs";
export default async function share(path: string): Promise<string> {
  writeFileSync(${JSON.stringify(copy)}, JSON.stringify({ path, page: readFileSync(path, "utf8") }));
  return "https://example.com/session\\u001b[2J";
}
`);
  const asked = await share({});
  expect(asked.json).toMatchObject({ isUploaded: false, isHandler: true, server: handlerFile() });
  expect(existsSync(copy)).toBe(false);
  const sent = await share({ isConfirmed: true });
  expect(sent.json).toMatchObject({ isUploaded: true, isHandler: true, link: "https://example.com/session" });
  const { path, page } = JSON.parse(readFileSync(copy, "utf8")) as { readonly path: string; readonly page: string };
  expect([page.includes("<html"), page.includes("apricot"), page.includes(secret)]).toEqual([true, true, false]);
  expect([path.endsWith(".html"), existsSync(path)]).toEqual([true, false]);
  expect(await uploaded()).toEqual({ shares: [] });
});

test.each([
  ["throws", 'export default () => { throw new Error("no room"); };', "no room"],
  ["ends its process", "export default () => process.exit(3);", "exited with code 3"],
  ["returns nothing", "export default () => {};", "it returned no address or message"],
  ["is no function", "export default 3;", "its default export is not a function"],
  ["waits for nothing that comes", "export default () => new Promise(() => process.exit());", "exited with code 0"],
  ["cannot be read", "export default (", "failed"],
  ["loads what is not its own", 'import "../outside.mjs"; export default () => "x";', "was not loaded"],
])("one that %s fails the command, and nothing goes to the server", async (_, code, problem) => {
  writeFileSync(join(shared.site.home, "..", "outside.mjs"), "export {};");
  handle(code, "share.mjs");
  const sent = await share({ isConfirmed: true });
  expect(sent.status).toBeGreaterThanOrEqual(400);
  expect(sent.text).toContain("The upload handler");
  expect(sent.text).toContain(problem);
  expect(await uploaded()).toEqual({ shares: [] });
});

test("it does not run where sharing is turned off", async () => {
  handle('export default () => "shared";', "share.js");
  await shared.site.call("PATCH", "/config", { body: { layer: "user", key: "share.enabled", value: false } });
  const sent = await share({ isConfirmed: true });
  expect(sent.text).toContain("Uploading copies is turned off.");
});
