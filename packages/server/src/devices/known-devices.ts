/** The devices that are valid now, as the file has them: another process may revoke one at any time. */
import { statSync } from "node:fs";
import { FailureError } from "@kedge/protocol";
import { findByDigest } from "../admission/secret-words.ts";
import {
  changeDevice,
  type DeviceAccess,
  deviceFilePath,
  deviceLifetimeMs,
  readDeviceFile,
  type StoredDevice,
} from "./device-file.ts";

export type KnownDevices = {
  find(secret: string): StoredDevice | undefined;
  /** The ones that are valid. */
  list(): readonly StoredDevice[];
  isValid(deviceId: string): boolean;
  /** It was used just now, which is written down now and then. */
  touch(device: StoredDevice): void;
};

export type KnownDevicesParts = DeviceAccess & {
  /** Of the certificate that the server shows. */
  readonly authority: string;
  /** Something that a person should know and that does not stop the server. */
  readonly onNotice: (message: string) => void;
};

/** Writing with each request would wear out the disk, and nobody needs it to the minute. */
const touchedEveryMs = 10 * 60_000;

/** The file is looked at each time, so that a revoked device is refused from the next request on. */
export function createKnownDevices(parts: KnownDevicesParts): KnownDevices {
  const { home, now, authority, onNotice } = parts;
  type Entry = { readonly digest: Buffer; readonly device: StoredDevice };
  let known: { readonly version: string; readonly entries: readonly Entry[] } = { version: "", entries: [] };

  const entries = (): readonly Entry[] => {
    const version = versionOf(deviceFilePath(home));
    if (version !== known.version) known = { version, entries: read() };
    return known.entries.filter(({ device }) => device.expiresAt > now());
  };

  /** A file that cannot be used lets nobody in. */
  function read(): readonly Entry[] {
    try {
      return readDeviceFile(home)
        .filter((device) => device.authority === authority)
        .map((device) => ({ digest: Buffer.from(device.digest, "hex"), device }));
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      onNotice([error.failure.message, error.failure.recovery].join(" "));
      return [];
    }
  }

  return {
    find: (secret) => findByDigest(entries(), secret)?.device,
    list: () => entries().map(({ device }) => device),
    isValid: (deviceId) => entries().some(({ device }) => device.deviceId === deviceId),
    touch({ deviceId, seenAt }) {
      const time = now();
      if (time - seenAt < touchedEveryMs) return;
      changeDevice(parts, deviceId, (device) => ({ ...device, seenAt: time, expiresAt: time + deviceLifetimeMs }));
    },
  };
}

/** The file is replaced as a whole, so another one has another number. */
function versionOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? "" : [stats.ino, stats.mtimeNs, stats.ctimeNs, stats.size].join(":");
}
