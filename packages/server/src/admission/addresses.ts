/** Reads IP addresses, and knows which of them and which names mean this machine itself. */
import { isIPv4 } from "node:net";

/** By its name alone: what another name resolves to may change between two looks. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || isLoopbackAddress(host.replace(/^\[(.*)\]$/, "$1"));
}

export function isLoopbackAddress(address: string): boolean {
  const plain = plainAddress(address);
  return plain === "::1" || (isIPv4(plain) && plain.startsWith("127."));
}

/** Stands for all addresses of the machine, so nobody calls it by that. */
export function isWildcardHost(host: string): boolean {
  return host === "0.0.0.0" || host === "::" || host === "";
}

/** An IPv4 peer of a socket for both families is shown as IPv6. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

/** The eight numbers of an IPv6 address. */
export function wordsOfIpv6(address: string): readonly number[] {
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const middle = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => "0");
  return [...first, ...middle, ...last].map((word) => Number.parseInt(word, 16));
}
