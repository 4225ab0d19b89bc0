/** Proves that certificates are kept, renewed and closed to others, and hold for private addresses only. */
import { execFileSync } from "node:child_process";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, createServer } from "node:tls";
import { afterEach, beforeEach, expect, test } from "vitest";
import { whileLocked } from "../machine/file-lock.ts";
import { replaceFile } from "../machine/replace-file.ts";
import { makeAuthority, makeServerCertificate } from "./make-certificate.ts";
import { openReachCertificate } from "./reach-certificate.ts";

let home: string;
let now = 0;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "kedge-certificate-"));
  now = Date.now();
});

afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

const open = (address: string) =>
  openReachCertificate({ home, address, machine: "laptop", now: () => now, whileLocked, replaceFile });

test("it stays the same until it is about to end, and its authority outlives it", () => {
  const first = open("192.168.1.5");
  expect(open("192.168.1.5")).toEqual(first);
  const other = open("10.0.0.7");
  expect([other.authority === first.authority, other.fingerprint === first.fingerprint]).toEqual([true, false]);
  now += 368 * 86_400_000;
  const renewed = open("192.168.1.5");
  expect([renewed.authority === first.authority, renewed.fingerprint === first.fingerprint]).toEqual([true, false]);
  const modes = ["ca.key", "ca.crt", "192.168.1.5.key"].map((name) => statSync(join(home, "reach", name)).mode & 0o777);
  expect([statSync(join(home, "reach")).mode & 0o777, ...modes]).toEqual([0o700, 0o600, 0o600, 0o600]);
});

test("a key that does not belong to its certificate is replaced", () => {
  const first = open("192.168.1.5");
  writeFileSync(first.tls.keyPath, readFileSync(join(home, "reach", "ca.key")));
  const second = open("192.168.1.5");
  expect(second.fingerprint).not.toBe(first.fingerprint);
  expect(new X509Certificate(readFileSync(second.tls.certPath)).checkIP("192.168.1.5")).toBe("192.168.1.5");
});

test("OpenSSL accepts it for its address, and refuses one of the same authority for an address of the internet", () => {
  const { certPem: authorityPem, keyPem } = makeAuthority("laptop", now);
  const { publicKey } = new X509Certificate(authorityPem);
  const authority = { name: "kedge on laptop", key: createPrivateKey(keyPem), publicKey };
  writeFileSync(join(home, "ca.pem"), authorityPem);
  const verdictOn = (address: string) => {
    writeFileSync(join(home, "server.pem"), makeServerCertificate({ address, authority, now }).certPem);
    const words = ["verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", "ca.pem", "-verify_ip", address];
    try {
      return execFileSync("openssl", [...words, "server.pem"], { cwd: home, encoding: "utf8", stdio: "pipe" }).trim();
    } catch (error) {
      return String(error).includes("permitted subtree violation") ? "not permitted" : String(error);
    }
  };
  expect(["192.168.1.5", "100.101.102.103", "8.8.8.8", "127.0.0.1"].map(verdictOn)).toEqual([
    ...["server.pem: OK", "server.pem: OK", "not permitted", "not permitted"],
  ]);
});

test("a client that trusts the authority connects, under the right address only", async () => {
  const { tls, authorityPem } = open("192.168.1.5");
  const server = createServer({ cert: readFileSync(tls.certPath), key: readFileSync(tls.keyPath) });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const outcomeOf = (host: string) =>
    new Promise<string>((resolve) => {
      const lookup = connect({
        port,
        host: "127.0.0.1",
        ca: [authorityPem],
        checkServerIdentity: (_, cert) =>
          cert.subjectaltname === `IP Address:${host}` ? undefined : new Error("another name"),
      });
      lookup.once("secureConnect", () => resolve("connected"));
      lookup.once("error", ({ message }) => resolve(message));
      lookup.once("secureConnect", () => lookup.destroy());
    });
  expect([await outcomeOf("192.168.1.5"), await outcomeOf("192.168.1.6")]).toEqual(["connected", "another name"]);
  server.close();
});
