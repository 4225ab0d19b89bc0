/** `/mcp auth` in a real terminal: the address fits on a line, and the server is signed in to when the browser is done. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AuthorizationServer, openAuthorizationServer } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openTerminal, type Terminal } from "../terminal.ts";
import { openWorkbench, type Workbench } from "../workbench.ts";

let bench: Workbench | undefined;
let terminal: Terminal | undefined;
let site: AuthorizationServer | undefined;
afterEach(async () => {
  await terminal?.close();
  await bench?.close();
  await site?.[Symbol.asyncDispose]();
});

test.each([
  ["signs in", false, "Signed in to tracker."],
  ["is refused", true, "Access was denied in the browser."],
])("a person who %s in the browser", { timeout: 120_000 }, async (_, denies, sentence) => {
  site = await openAuthorizationServer(Date.now, { requiredScope: "read", denies });
  bench = await openWorkbench([], { mcp: { tracker: { url: site.serverUrl } } });
  terminal = openTerminal(bench, []);
  await terminal.shows("mock/mock-model · default");
  terminal.type("/mcp auth tracker");
  await terminal.shows("❯ /mcp auth tracker");
  terminal.press("Enter");
  const screen = await terminal.shows("In a browser on another machine");
  const [, address = ""] = /Sign in to tracker at 127\.0\.0\.1:\d+\. Open (http\S+)/.exec(screen) ?? [];
  await (await fetch(address)).text();
  await terminal.shows(sentence);
  const kept = () => readFileSync(join(bench?.home ?? "", "mcp-credentials.json"), "utf8");
  if (denies) expect(kept).toThrow("ENOENT");
  else expect(Object.keys(JSON.parse(kept()).keys)).toEqual([site.serverUrl]);
});
