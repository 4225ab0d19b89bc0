/** The certificate that a server shows on an address, kept in kedge's own directory so that devices meet the same one again. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { FailureError, reasonOf } from "@kedge/protocol";
import { type HostAccess, reachFolder } from "@kedge/server";
import { makeAuthority, makeServerCertificate } from "./make-certificate.ts";

export type ReachCertificate = {
  readonly tls: { readonly certPath: string; readonly keyPath: string };
  /** SHA-256 in hexadecimal digits with colons, as browsers show it. */
  readonly fingerprint: string;
  /** The same of the authority. */
  readonly authority: string;
  readonly authorityPem: string;
};

export type ReachCertificateParts = Pick<HostAccess, "home" | "now" | "replaceFile" | "whileLocked"> & {
  readonly address: string;
  /** The name of this machine, for the list of authorities on a device. */
  readonly machine: string;
};

const ownerOnlyFolder = 0o700;
const ownerOnly = 0o600;
/** So that no device meets one that ends while it is in use. */
const renewedBeforeMs = 30 * 86_400_000;

/** Throws a FailureError when the files cannot be used or written. */
export function openReachCertificate(parts: ReachCertificateParts): ReachCertificate {
  const { home, address, whileLocked } = parts;
  const folder = reachFolder(home);
  const authorityFiles = { certPath: join(folder, "ca.crt"), keyPath: join(folder, "ca.key") };
  const tls = { certPath: join(folder, `${address}.crt`), keyPath: join(folder, `${address}.key`) };
  try {
    mkdirSync(folder, { recursive: true, mode: ownerOnlyFolder });
    chmodSync(folder, ownerOnlyFolder);
    return whileLocked(authorityFiles.certPath, () => {
      const authority = openAuthority(parts, authorityFiles);
      const server = openServer(parts, tls, authority);
      const { fingerprint256: fingerprint } = server;
      return { tls, fingerprint, authority: authority.fingerprint256, authorityPem: authority.toString() };
    });
  } catch (error) {
    if (error instanceof FailureError || !(error instanceof Error)) throw error;
    throw unusable(folder, error);
  }
}

type Files = ReachCertificate["tls"];

function openAuthority(parts: ReachCertificateParts, files: Files): X509Certificate {
  const existing = readPair(files);
  if (existing !== undefined && endOf(existing) > parts.now() + renewedBeforeMs) return existing;
  return write(parts, files, makeAuthority(parts.machine, parts.now()));
}

function openServer(parts: ReachCertificateParts, files: Files, authority: X509Certificate): X509Certificate {
  const existing = readPair(files);
  const isOurs = existing?.checkIP(parts.address) === parts.address && existing.verify(authority.publicKey);
  if (existing !== undefined && isOurs && endOf(existing) > parts.now() + renewedBeforeMs) return existing;
  const key = createPrivateKey(readFileSync(join(reachFolder(parts.home), "ca.key")));
  const name = /CN=(.*)/.exec(authority.subject)?.[1] ?? "kedge";
  return write(
    ...[parts, files],
    makeServerCertificate({
      address: parts.address,
      authority: { name, key, publicKey: authority.publicKey },
      now: parts.now(),
    }),
  );
}

function write(
  { replaceFile }: ReachCertificateParts,
  { certPath, keyPath }: Files,
  made: { readonly certPem: string; readonly keyPem: string },
): X509Certificate {
  // The key first: a certificate without its key is made again, a key alone too.
  replaceFile(keyPath, made.keyPem);
  replaceFile(certPath, made.certPem);
  return new X509Certificate(made.certPem);
}

/** Undefined when one is missing or they do not belong together. */
function readPair({ certPath, keyPath }: Files): X509Certificate | undefined {
  if (!existsSync(certPath) || !existsSync(keyPath)) return undefined;
  if ((statSync(keyPath).mode & 0o077) !== 0) chmodSync(keyPath, ownerOnly);
  const certificate = new X509Certificate(readFileSync(certPath));
  return certificate.checkPrivateKey(createPrivateKey(readFileSync(keyPath))) ? certificate : undefined;
}

function endOf({ validTo }: X509Certificate): number {
  return Date.parse(validTo);
}

function unusable(folder: string, cause: Error): FailureError {
  const message = `Cannot use the certificates in ${folder} (${reasonOf(cause)}).`;
  const recovery = "Fix them, or delete that directory and pair all devices again.";
  return new FailureError({ code: "configuration", message, recovery, retryable: false }, cause);
}
