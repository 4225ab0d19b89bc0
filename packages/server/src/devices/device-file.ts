/** The file of paired devices: digests, names and rights. The credential of a device is handed to it once and kept nowhere. */
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Failure, FailureError, isJsonObject, reasonOf, type Scope, scopes } from "@kedge/protocol";
import { digestOf, newToken } from "../admission/secret-words.ts";
import type { HostAccess, OwnFiles } from "../host-access.ts";

/** What a push service needs to reach one browser. */
export type PushSubscription = { readonly endpoint: string; readonly p256dh: string; readonly auth: string };

export type StoredDevice = {
  readonly deviceId: string;
  readonly name: string;
  readonly scope: Scope;
  /** SHA-256 in hexadecimal digits. */
  readonly digest: string;
  /** The authority whose certificate it accepted when it was paired. Under another one it has to pair again. */
  readonly authority: string;
  /** In milliseconds since the epoch, as the two below. */
  readonly createdAt: number;
  readonly seenAt: number;
  readonly expiresAt: number;
  readonly push?: PushSubscription;
};

export type DeviceAccess = OwnFiles & Pick<HostAccess, "now">;

export type NewDevice = Pick<StoredDevice, "name" | "scope" | "authority">;

const format = 1;
const ownerOnly = 0o600;
const ownerOnlyFolder = 0o700;
const idBytes = 8;
const nameLengthMax = 60;
/** More are nobody's. The one that was not used for longest goes. */
const devicesMax = 100;
/** A device that nobody uses for so long has to be paired again. */
export const deviceLifetimeMs = 90 * 86_400_000;

/** Keys, certificates and devices of servers that others reach. */
export function reachFolder(home: string): string {
  return join(home, "reach");
}

export function deviceFilePath(home: string): string {
  return join(reachFolder(home), "devices.json");
}

/** The credential is in the answer and nowhere else. */
export function addDevice(
  access: DeviceAccess,
  { name, scope, authority }: NewDevice,
): { readonly secret: string; readonly device: StoredDevice } {
  const secret = newToken();
  const createdAt = access.now();
  const device: StoredDevice = {
    ...{ deviceId: `dev_${randomBytes(idBytes).toString("hex")}`, name: cleanName(name), scope, authority },
    ...{ digest: digestOf(secret).toString("hex"), createdAt, seenAt: createdAt },
    expiresAt: createdAt + deviceLifetimeMs,
  };
  changeDeviceFile(access, (devices) => {
    const valid = devices.filter(({ expiresAt }) => expiresAt > createdAt);
    const newest = valid.toSorted((left, right) => right.seenAt - left.seenAt).slice(0, devicesMax - 1);
    return [...valid.filter((each) => newest.includes(each)), device];
  });
  return { secret, device };
}

/** Names are shown in terminals and on pages, and came from elsewhere. */
function cleanName(name: string): string {
  const plain = name
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, " ")
    .replace(/ +/g, " ")
    .trim();
  return [...plain].slice(0, nameLengthMax).join("") || "Device";
}

/** False when there is no such device. */
export function changeDevice(
  access: OwnFiles,
  deviceId: string,
  change: (device: StoredDevice) => StoredDevice | undefined,
): boolean {
  let isThere = false;
  changeDeviceFile(access, (devices) => {
    isThere = devices.some((each) => each.deviceId === deviceId);
    if (!isThere) return devices;
    return devices.flatMap((each) => (each.deviceId === deviceId ? (change(each) ?? []) : each));
  });
  return isThere;
}

export function renameDevice(access: OwnFiles, deviceId: string, name: string): boolean {
  return changeDevice(access, deviceId, (device) => ({ ...device, name: cleanName(name) }));
}

export function revokeDevice(access: OwnFiles, deviceId: string): boolean {
  return changeDevice(access, deviceId, () => undefined);
}

/** No devices when there is no file. Throws a FailureError when there is one that cannot be used. */
export function readDeviceFile(home: string): readonly StoredDevice[] {
  const path = deviceFilePath(home);
  if (!existsSync(path)) return [];
  try {
    // Whoever may write here may let himself in.
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, ownerOnly);
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (!isJsonObject(value) || value["format"] !== format || !Array.isArray(value["devices"])) {
      throw new FailureError(unusable(path, "it has an unsupported version"));
    }
    return value["devices"].filter(isStoredDevice);
  } catch (error) {
    if (error instanceof FailureError) throw error;
    const why = error instanceof SyntaxError ? "it is not valid JSON" : reasonOf(error);
    throw new FailureError(unusable(path, why), error);
  }
}

function changeDeviceFile(
  { home, whileLocked, replaceFile }: OwnFiles,
  change: (devices: readonly StoredDevice[]) => readonly StoredDevice[],
): void {
  const path = deviceFilePath(home);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: ownerOnlyFolder });
    whileLocked(path, () => {
      const current = readDeviceFile(home);
      const devices = change(current);
      if (devices !== current) replaceFile(path, `${JSON.stringify({ format, devices }, undefined, 2)}\n`);
    });
  } catch (error) {
    if (error instanceof FailureError || !(error instanceof Error && "code" in error)) throw error;
    throw new FailureError(unusable(path, reasonOf(error)), error);
  }
}

function isStoredDevice(value: unknown): value is StoredDevice {
  if (!isJsonObject(value)) return false;
  const { scope, digest, push } = value;
  const texts = ["deviceId", "name", "authority"].every((name) => typeof value[name] === "string");
  const times = ["createdAt", "seenAt", "expiresAt"].every((name) => typeof value[name] === "number");
  const isDigest = typeof digest === "string" && /^[0-9a-f]{64}$/.test(digest);
  return texts && times && isDigest && scopes.some((known) => known === scope) && isPush(push);
}

function isPush(value: unknown): boolean {
  if (value === undefined) return true;
  return isJsonObject(value) && ["endpoint", "p256dh", "auth"].every((name) => typeof value[name] === "string");
}

function unusable(path: string, why: string): Failure {
  return {
    code: "configuration",
    message: `Cannot use the list of devices ${path}: ${why}.`,
    recovery: "Fix it, or delete it and pair the devices again.",
    retryable: false,
  };
}
