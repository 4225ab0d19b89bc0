/** A push service on loopback: takes what a server sends for a browser, and opens it as the browser would (RFC 8291). */
import { execFileSync } from "node:child_process";
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";

type ReceivedPush = {
  readonly path: string;
  readonly text: string;
  readonly ttl: string;
  readonly urgency: string;
  /** Of whom the signed token says it comes from. */
  readonly audience: string;
  readonly isSignedBy: (publicKey: string) => boolean;
};

export type PushService = {
  readonly origin: string;
  readonly received: readonly ReceivedPush[];
  /** What it answers from now on. */
  answer(status: number): void;
  /** A browser that subscribes. */
  subscribe(name: string): { readonly endpoint: string; readonly p256dh: string; readonly auth: string };
  close(): void;
};

export async function openPushService(): Promise<PushService> {
  const received: ReceivedPush[] = [];
  const browsers = new Map<string, { readonly keys: ReturnType<typeof createECDH>; readonly auth: Buffer }>();
  let status = 201;
  const { certPem, keyPem } = selfSigned();
  const before = getCACertificates("default");
  setDefaultCACertificates([...before, certPem]);
  const server = createServer({ cert: certPem, key: keyPem }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const browser = browsers.get(request.url ?? "");
      const [, token = "", key = ""] = /^vapid t=([^,]+), k=(.+)$/.exec(request.headers.authorization ?? "") ?? [];
      const [head = "", claims = "", signature = ""] = token.split(".");
      if (browser !== undefined) {
        received.push({
          path: request.url ?? "",
          text: open(Buffer.concat(chunks), browser),
          ttl: String(request.headers["ttl"]),
          urgency: String(request.headers["urgency"]),
          audience: String((JSON.parse(Buffer.from(claims, "base64url").toString()) as { readonly aud: string }).aud),
          isSignedBy: (publicKey) => key === publicKey && isSigned(`${head}.${claims}`, signature, publicKey),
        });
      }
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `https://127.0.0.1:${port}`;
  return {
    ...{ origin, received },
    answer(next) {
      status = next;
    },
    subscribe(name) {
      const keys = createECDH("prime256v1");
      const auth = randomBytes(16);
      browsers.set(`/push/${name}`, { keys, auth });
      const p256dh = keys.generateKeys("base64url");
      return { endpoint: `${origin}/push/${name}`, p256dh, auth: auth.toString("base64url") };
    },
    close() {
      server.close();
      server.closeAllConnections();
      setDefaultCACertificates(before);
    },
  };
}

function open(
  body: Buffer,
  { keys, auth }: { readonly keys: ReturnType<typeof createECDH>; readonly auth: Buffer },
): string {
  const salt = body.subarray(0, 16);
  const length = body[20] ?? 0;
  const sender = body.subarray(21, 21 + length);
  const sealed = body.subarray(21 + length);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), keys.getPublicKey(), sender]);
  const secret = Buffer.from(hkdfSync("sha256", keys.computeSecret(sender), auth, info, 32));
  const key = hkdfSync("sha256", secret, salt, "Content-Encoding: aes128gcm\0", 16);
  const nonce = hkdfSync("sha256", secret, salt, "Content-Encoding: nonce\0", 12);
  const opening = createDecipheriv("aes-128-gcm", Buffer.from(key), Buffer.from(nonce));
  opening.setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([opening.update(sealed.subarray(0, -16)), opening.final()]);
  // One record, which ends with the mark of the last one.
  return plain.subarray(0, plain.lastIndexOf(2)).toString("utf8");
}

function isSigned(text: string, signature: string, publicKey: string): boolean {
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString("base64url")) as [
    string,
    string,
  ];
  const key = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  return verify("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"));
}

/** For loopback, which no authority of kedge may speak for. */
function selfSigned(): { readonly certPem: string; readonly keyPem: string } {
  const folder = mkdtempSync(join(tmpdir(), "kedge-push-"));
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const names = ["-subj", "/CN=push service", "-addext", "subjectAltName=IP:127.0.0.1"];
  execFileSync("openssl", [...words, ...names, "-keyout", key, "-out", cert], { stdio: "ignore" });
  const made = { certPem: readFileSync(cert, "utf8"), keyPem: readFileSync(key, "utf8") };
  rmSync(folder, { recursive: true, force: true });
  return made;
}
