/** Sends notices to browsers through the push service of each, sealed for that browser (RFC 8291) and signed with a key of ours (RFC 8292). */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { FailureError, isJsonObject, reasonOf } from "@kedge/protocol";
import {
  type HostAccess,
  type PushMessage,
  type PushOutcome,
  type PushSender,
  type PushSubscription,
  reachFolder,
} from "@kedge/server";

export type PushSenderParts = Pick<HostAccess, "home" | "replaceFile" | "whileLocked"> & {
  /** Origins that the user allows beside those of the browsers. */
  readonly services: readonly string[];
  readonly onNotice: (sentence: string) => void;
};

/** Of Chrome and its kin, Firefox, Safari and Edge. */
const knownServices: readonly RegExp[] = [
  /^fcm\.googleapis\.com$/,
  /^updates\.push\.services\.mozilla\.com$/,
  /^web\.push\.apple\.com$/,
  /^[a-z0-9-]+\.notify\.windows\.com$/,
];
const sendMsMax = 10_000;
/** Whom a push service writes to when something is wrong; none of its users has to name a person. */
const subject = "https://kedge.invalid/";

type Keys = { readonly publicKey: string; readonly privateKey: string };

export async function createPushSender(parts: PushSenderParts): Promise<PushSender> {
  const { services, onNotice } = parts;
  // 50 ms, and only servers that others reach need it.
  const { default: webPush } = await import("web-push");
  const keys = openKeys(parts, () => webPush.generateVAPIDKeys());
  const accepts = (endpoint: string) => isAllowed(endpoint, services);
  let isTold = false;

  return {
    publicKey: keys.publicKey,
    accepts,
    async send(subscription, message) {
      // The setting may have changed since the device subscribed.
      if (!accepts(subscription.endpoint)) return "failed";
      const outcome = await post(() => details(webPush, keys, subscription, message));
      if (typeof outcome === "string") return outcome;
      if (!isTold) onNotice(`A notification was not sent: ${outcome.why}. Further failures are not reported.`);
      isTold = true;
      return "failed";
    },
  };
}

function isAllowed(endpoint: string, services: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, origin, hostname, port, username, password } = new URL(endpoint);
  if (protocol !== "https:" || username !== "" || password !== "") return false;
  if (services.some((service) => service.replace(/\/$/, "") === origin)) return true;
  return port === "" && knownServices.some((known) => known.test(hostname));
}

type Library = typeof import("web-push");

function details(
  webPush: Library,
  { publicKey, privateKey }: Keys,
  { endpoint, p256dh, auth }: PushSubscription,
  { text, ttlSeconds, urgency, topic }: PushMessage,
) {
  return webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
    vapidDetails: { subject, publicKey, privateKey },
    ...{ TTL: ttlSeconds, urgency, topic, contentEncoding: "aes128gcm" },
  });
}

/** Not by the library, which follows no limit of time. The answer is of no interest beyond its status. */
async function post(make: () => ReturnType<Library["generateRequestDetails"]>): Promise<PushOutcome | { why: string }> {
  try {
    const { endpoint, method, headers, body } = make();
    const status = await new Promise<number>((resolve, reject) => {
      const signal = AbortSignal.timeout(sendMsMax);
      const sending = request(endpoint, { method, headers, signal, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sending.on("error", reject);
      sending.end(body);
    });
    if (status >= 200 && status < 300) return "sent";
    return status === 404 || status === 410 ? "gone" : { why: `the push service answered with status ${status}` };
  } catch (error) {
    // A browser can hand in keys that are none, and the network can fail in many ways: no run depends on either.
    return { why: reasonOf(error) };
  }
}

function openKeys({ home, replaceFile, whileLocked }: PushSenderParts, make: () => Keys): Keys {
  const folder = reachFolder(home);
  const path = join(folder, "push-keys.json");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return whileLocked(path, () => {
    const known = existsSync(path) ? readKeys(path) : undefined;
    if (known !== undefined) return known;
    const keys = make();
    replaceFile(path, `${JSON.stringify(keys)}\n`);
    return keys;
  });
}

function readKeys(path: string): Keys {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    const { publicKey, privateKey } = isJsonObject(value) ? value : {};
    if (typeof publicKey === "string" && typeof privateKey === "string") return { publicKey, privateKey };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const message = `Cannot read the keys for notifications in ${path}.`;
  const recovery = "Delete the file and turn notifications on again on each device.";
  throw new FailureError({ code: "configuration", message, recovery, retryable: false });
}
