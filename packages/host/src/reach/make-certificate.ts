/** Makes the two certificates of a server that others reach: an authority of its own, and what the server shows. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIPv4 } from "node:net";
import { bits, boolean, explicit, implicit, integer, objectId, octets, sequence, setOf, time, utf8 } from "./der.ts";

export type MadeCertificate = { readonly certPem: string; readonly keyPem: string };

type Issuer = { readonly name: string; readonly key: KeyObject; readonly keyId: Buffer };

type Wanted = {
  readonly name: string;
  readonly publicKey: KeyObject;
  readonly issuer: Issuer;
  readonly from: number;
  readonly until: number;
  readonly extensions: readonly Buffer[];
};

const dayMs = 86_400_000;
/** Clocks of devices run ahead and behind. */
const earlierMs = dayMs;
const authorityMs = 3650 * dayMs;
/** Browsers refuse certificates that hold for longer than 398 days. */
const serverMs = 397 * dayMs;
const serialBytes = 16;
const ecdsaWithSha256 = sequence(objectId("1.2.840.10045.4.3.2"));

/**
 * Networks that certificates of the authority may be for. A device that trusts it trusts it for nothing else: whoever
 * steals its key can pretend to be no site of the internet.
 */
const permittedNetworks: readonly string[] = [
  "10.0.0.0/255.0.0.0",
  "172.16.0.0/255.240.0.0",
  "192.168.0.0/255.255.0.0",
  "169.254.0.0/255.255.0.0",
  "100.64.0.0/255.192.0.0",
];
/** A name that can never be one; without any, all names would be permitted. */
const permittedName = "kedge.invalid";

export function makeAuthority(machine: string, now: number): MadeCertificate {
  const { publicKey, privateKey } = newKeys();
  const name = `kedge on ${machine.replace(/[^\w.-]/g, "-")}`.slice(0, 64);
  const cert = certificate({
    ...{ name, publicKey, from: now - earlierMs, until: now + authorityMs },
    issuer: { name, key: privateKey, keyId: keyIdOf(publicKey) },
    extensions: [
      extension("2.5.29.19", sequence(boolean(true), integer(Uint8Array.of(0))), true),
      extension("2.5.29.15", bits(Uint8Array.of(0b0000_0110), 1), true),
      extension("2.5.29.30", sequence(explicit(0, ...permitted())), true),
    ],
  });
  return { certPem: pem("CERTIFICATE", cert), keyPem: pemOfKey(privateKey) };
}

export type ServerCertificateParts = {
  readonly address: string;
  readonly authority: { readonly name: string; readonly key: KeyObject; readonly publicKey: KeyObject };
  readonly now: number;
};

export function makeServerCertificate({ address, authority, now }: ServerCertificateParts): MadeCertificate {
  if (!isIPv4(address)) throw new Error(`no IPv4 address: ${address}`);
  const { publicKey, privateKey } = newKeys();
  const cert = certificate({
    ...{ name: `kedge at ${address}`, publicKey, from: now - earlierMs, until: now + serverMs },
    issuer: { name: authority.name, key: authority.key, keyId: keyIdOf(authority.publicKey) },
    extensions: [
      extension("2.5.29.19", sequence(), true),
      extension("2.5.29.15", bits(Uint8Array.of(0b1000_0000), 7), true),
      extension("2.5.29.37", sequence(objectId("1.3.6.1.5.5.7.3.1"))),
      extension("2.5.29.17", sequence(implicit(7, bytesOf(address)))),
    ],
  });
  return { certPem: pem("CERTIFICATE", cert), keyPem: pemOfKey(privateKey) };
}

function newKeys() {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

function certificate({ name, publicKey, issuer, from, until, extensions }: Wanted): Buffer {
  const serial = randomBytes(serialBytes);
  const spki = publicKey.export({ type: "spki", format: "der" });
  const identifiers = [
    extension("2.5.29.14", octets(keyIdOf(publicKey))),
    extension("2.5.29.35", sequence(implicit(0, issuer.keyId))),
  ];
  const body = sequence(
    ...[explicit(0, integer(Uint8Array.of(2))), integer(serial), ecdsaWithSha256, nameOf(issuer.name)],
    ...[sequence(time(from), time(until)), nameOf(name), spki],
    explicit(3, sequence(...extensions, ...identifiers)),
  );
  return sequence(body, ecdsaWithSha256, bits(sign("sha256", body, issuer.key)));
}

/** As RFC 5280 suggests it: the digest of the bits of the key. */
function keyIdOf(publicKey: KeyObject): Buffer {
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const point = [Buffer.from([4]), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")];
  return createHash("sha1").update(Buffer.concat(point)).digest();
}

function extension(id: string, value: Buffer, isCritical = false): Buffer {
  return sequence(objectId(id), ...(isCritical ? [boolean(true)] : []), octets(value));
}

function nameOf(commonName: string): Buffer {
  return sequence(setOf(sequence(objectId("2.5.4.3"), utf8(commonName))));
}

function permitted(): readonly Buffer[] {
  const networks = permittedNetworks.map((network) => {
    const [address = "", mask = ""] = network.split("/");
    return sequence(implicit(7, Buffer.concat([bytesOf(address), bytesOf(mask)])));
  });
  return [...networks, sequence(implicit(2, Buffer.from(permittedName, "ascii")))];
}

function bytesOf(ipv4: string): Buffer {
  return Buffer.from(ipv4.split(".").map(Number));
}

function pem(kind: string, der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${kind}-----`, ...lines, `-----END ${kind}-----`, ""].join("\n");
}

function pemOfKey(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}
