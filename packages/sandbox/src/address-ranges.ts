/** Knows which IP addresses lie on the public internet, and what the others are for. */
import { isIP, isIPv4 } from "node:net";

/**
 * `private` addresses are those a user may run a server on and allow by name; `closed` ones are never meant by a name,
 * only by whoever writes the address itself.
 */
export type AddressKind =
  | { readonly kind: "public" }
  | { readonly kind: "private"; readonly use: string }
  | { readonly kind: "closed"; readonly use: string };

type Range = readonly [block: string, kind: "private" | "closed", use: string];

/** The first match counts, so the narrow ones come first. After IANA's registries of special-purpose addresses. */
const ranges: readonly Range[] = [
  ["100.100.100.200/32", "closed", "a cloud's metadata"],
  ["168.63.129.16/32", "closed", "a cloud's metadata"],
  ["192.0.0.192/32", "closed", "a cloud's metadata"],
  ["fd00:ec2::254/128", "closed", "a cloud's metadata"],
  ["fd20:ce::254/128", "closed", "a cloud's metadata"],
  ["0.0.0.0/8", "closed", "this machine"],
  ["10.0.0.0/8", "private", "a private network"],
  ["100.64.0.0/10", "private", "a carrier's network"],
  ["127.0.0.0/8", "private", "loopback"],
  ["169.254.0.0/16", "closed", "link-local and cloud metadata"],
  ["172.16.0.0/12", "private", "a private network"],
  ["192.0.0.0/24", "closed", "protocols"],
  ["192.0.2.0/24", "closed", "documentation"],
  ["192.88.99.0/24", "closed", "6to4 relays"],
  ["192.168.0.0/16", "private", "a private network"],
  ["198.18.0.0/15", "closed", "benchmarks"],
  ["198.51.100.0/24", "closed", "documentation"],
  ["203.0.113.0/24", "closed", "documentation"],
  ["224.0.0.0/4", "closed", "multicast"],
  ["240.0.0.0/4", "closed", "nothing yet, or broadcast"],
  ["::1/128", "private", "loopback"],
  ["::/128", "closed", "this machine"],
  ["fc00::/7", "private", "a private network"],
  ["fe80::/10", "closed", "link-local"],
  ["fec0::/10", "closed", "a site"],
  ["ff00::/8", "closed", "multicast"],
  ["2001:db8::/32", "closed", "documentation"],
  ["3fff::/20", "closed", "documentation"],
  ["2001::/32", "closed", "Teredo tunnels"],
  ["2001:2::/48", "closed", "benchmarks"],
  ["2001::/23", "closed", "protocols"],
  ["2002::/16", "closed", "6to4 tunnels"],
];

/** IPv6 hands out addresses of the internet from this block alone. */
const globalUnicast = "2000::/3";

/** The last four bytes are an IPv4 address, to which packets go in the end: mapped ones, and those of NAT64. */
const carriers: readonly string[] = ["::ffff:0:0/96", "64:ff9b::/96"];

/** Anything that is not an address in its usual form is closed. */
export function kindOfAddress(address: string): AddressKind {
  const bytes = bytesOf(address);
  if (bytes === undefined) return { kind: "closed", use: "nothing, because it is not an address" };
  const inner = carriers.some((block) => isWithin(bytes, block)) ? bytes.slice(12) : bytes;
  const found = ranges.find(([block]) => isWithin(inner, block));
  if (found !== undefined) return { kind: found[1], use: found[2] };
  if (inner.length === 4) return { kind: "public" };
  if (!isWithin(inner, globalUnicast)) return { kind: "closed", use: "no public host" };
  return isIsatap(inner) ? { kind: "closed", use: "ISATAP tunnels" } : { kind: "public" };
}

/** Four or sixteen bytes; undefined for what is no address. */
function bytesOf(address: string): readonly number[] | undefined {
  // A zone names the network card, which does not change what the address is for.
  const plain = address.replace(/%.*$/s, "");
  if (isIP(plain) === 0) return undefined;
  if (isIPv4(plain)) return plain.split(".").map(Number);
  // The URL parser writes every IPv6 address in groups of hexadecimal digits.
  const [head = "", tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split("::");
  const before = groupsOf(head);
  const after = groupsOf(tail ?? "");
  const missing = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return [...before, ...missing, ...after].flatMap((group) => [group >> 8, group & 0xff]);
}

function groupsOf(text: string): readonly number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
}

function isWithin(bytes: readonly number[], block: string): boolean {
  const [start = "", length = ""] = block.split("/");
  const wanted = bytesOf(start);
  if (wanted === undefined || wanted.length !== bytes.length) return false;
  const bits = Number(length);
  return wanted.every((byte, index) => {
    const counted = Math.min(8, Math.max(0, bits - index * 8));
    const mask = (0xff << (8 - counted)) & 0xff;
    return ((bytes[index] ?? 0) & mask) === (byte & mask);
  });
}

/** Its second half is 0000:5efe or 0200:5efe and an IPv4 address, whatever its first half is. */
function isIsatap(bytes: readonly number[]): boolean {
  return ((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
}
