/**
 * The server of the conformance suite: our endpoint, our admissions and our tasks, with the tools, resources and prompts
 * that the scenarios name in the place of kedge's own. Prints its address, and ends with its standard input.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveFetch } from "@kedge/server";
import { createHttpEndpoint, endpointPath } from "../../src/mcp/serve/index.ts";
import { createFixtureServer } from "./fixture-server.ts";

const home = mkdtempSync(join(tmpdir(), "kedge-conformance-"));
/** Requests that break the protocol are what the suite sends on purpose; defects are not. */
const onBug = (error: unknown) => console.error(error);
const fixture = createFixtureServer((kind) =>
  kind === "tools" ? endpoint.notify.toolsChanged() : endpoint.notify.promptsChanged(),
);
const endpoint = createHttpEndpoint(fixture, {
  newSessionId: () => crypto.randomUUID(),
  now: Date.now,
  onError: () => undefined,
});
const server = await serveFetch({
  fetch: endpoint.fetch,
  directory: home,
  home,
  port: 0,
  hosts: [],
  origins: [],
  environment: process.env,
  now: Date.now,
  // The suite brings no credential. With the door open, names and origins are checked all the same.
  isDoorOpen: true,
  scope: "approve",
  onNotice: onBug,
  onBug,
});
console.log(`${server.url}${endpointPath}`);
process.stdin.resume();
process.stdin.once("end", async () => {
  await endpoint.close();
  await server.close(0);
  rmSync(home, { recursive: true, force: true });
  process.exit(0);
});
