/** Proves which addresses are asked for a server: its own, and those that it names. */
import { expect, test } from "vitest";
import { createAddressJudge, refuseServerAddress } from "./server-addresses.ts";

test.each([
  ["user", "http://localhost:1/", "127.0.0.1", true],
  ["project", "http://localhost:1/", "127.0.0.1", true],
  ["user", "https://intern.test/", "10.1.2.3", true],
  ["project", "https://intern.test/", "10.1.2.3", false],
  ["user", "http://169.254.169.254/", "169.254.169.254", false],
  ["user", "https://meta.test/", "fd00:ec2::254", false],
  ["project", "https://docs.test/", "93.184.216.34", true],
] as const)("a server of the scope %s may ask %s at %s: %s", (scope, url, address, isAllowed) => {
  expect(refuseServerAddress({ scope }, url, [address]) === undefined).toBe(isAllowed);
});

const loopback = ["http://localhost:9/token", ["127.0.0.1"]] as const;
const network = ["https://sso.corp.test/", ["10.0.0.8"]] as const;
const elsewhere = ["https://sso.test/", ["93.184.216.35"]] as const;
const metadata = ["http://169.254.169.254/latest", ["169.254.169.254"]] as const;

test.each([
  ["elsewhere", "https://docs.test/mcp", ["93.184.216.34"], [elsewhere], [loopback, network, metadata]],
  ["on the network", "https://docs.corp.test/mcp", ["10.1.2.3"], [elsewhere, network, loopback], [metadata]],
  ["on this machine", "http://127.0.0.1:7/mcp", ["127.0.0.1"], [elsewhere, network, loopback], [metadata]],
] as const)("a server %s leads to no service that is nearer than itself", (_, url, own, asked, refused) => {
  const judge = createAddressJudge({ scope: "user", transport: { type: "http", url, headers: {} } });
  expect(judge(url, own)).toBeUndefined();
  for (const [named, addresses] of asked) expect([named, judge(named, addresses)]).toEqual([named, undefined]);
  for (const [named, addresses] of refused) expect([named, typeof judge(named, addresses)]).toEqual([named, "string"]);
});

test("one whose own address only a proxy knows leads to nothing near", () => {
  const url = "https://docs.test/mcp";
  const judge = createAddressJudge({ scope: "user", transport: { type: "http", url, headers: {} } });
  expect(judge(url)).toBeUndefined();
  expect(judge(...elsewhere)).toBeUndefined();
  expect(judge(...loopback)).toBe("localhost is on this machine or its network, and the server is not");
});
