/** Proves which of the addresses of a machine others may reach it by. */
import type { NetworkInterfaceInfo } from "node:os";
import { FailureError } from "@kedge/protocol";
import { expect, test } from "vitest";
import { chooseLanAddress, chooseTailnetAddress } from "./reach-address.ts";

const at = (...addresses: readonly string[]): readonly NetworkInterfaceInfo[] =>
  addresses.map((address) => ({
    ...{ address, netmask: "255.255.255.0", family: "IPv4", mac: "00:00:00:00:00:00", internal: false, cidr: null },
  }));
const loopback = { lo: at("127.0.0.1").map((each) => ({ ...each, internal: true })) };

const sentenceOf = (choose: () => unknown): string => {
  try {
    return String(choose());
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return [error.failure.message, error.failure.recovery].join(" ");
  }
};

test("the address that leads out is taken, and bridges of containers are not", () => {
  const interfaces = { ...loopback, docker0: at("172.17.0.1"), eth0: at("192.168.1.5"), wlan0: at("10.0.0.7") };
  expect(chooseLanAddress({ interfaces }, "10.0.0.7")).toEqual({ address: "10.0.0.7", others: ["192.168.1.5"] });
  expect(chooseLanAddress({ interfaces }, undefined).address).toBe("192.168.1.5");
  expect(chooseLanAddress({ interfaces }, "172.17.0.1").address).toBe("192.168.1.5");
  expect(chooseLanAddress({ interfaces, wanted: "172.17.0.1" }, undefined)).toEqual({
    address: "172.17.0.1",
    others: [],
  });
});

test("public addresses, loopback and others' addresses are refused in words that help", () => {
  const interfaces = { ...loopback, eth0: at("203.0.113.9"), ppp0: at("100.64.3.3") };
  expect(sentenceOf(() => chooseLanAddress({ interfaces }, "203.0.113.9"))).toBe(
    "This machine has no address in a local network. Connect it to one. For a public address, use --hostname with --tls-cert and --tls-key.",
  );
  for (const wanted of ["203.0.113.9", "127.0.0.1", "0.0.0.0", "10.1.1.1", "example.com"]) {
    expect(sentenceOf(() => chooseLanAddress({ interfaces, wanted }, undefined))).toContain(
      `${wanted} is not a private`,
    );
  }
});

test("the tailnet is what Tailscale says it is, not what a provider uses", () => {
  const mobile = { wwan0: at("100.72.1.1") };
  expect(sentenceOf(() => chooseTailnetAddress({ interfaces: mobile }, undefined))).toContain("no Tailscale address");
  expect(chooseTailnetAddress({ interfaces: mobile }, "100.72.1.1").address).toBe("100.72.1.1");
  const both = { ...mobile, tailscale0: at("100.101.102.103") };
  expect(chooseTailnetAddress({ interfaces: both }, undefined)).toEqual({ address: "100.101.102.103", others: [] });
  // What the program says must be an address of this machine.
  expect(chooseTailnetAddress({ interfaces: both }, "100.99.9.9").address).toBe("100.101.102.103");
});
