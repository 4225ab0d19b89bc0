/** What callers may do about devices: pair one, list, rename and revoke them, and switch notifications on or off. */
import { type CommandOf, FailureError, includesScope, type QueryAnswer, type Scope } from "@kedge/protocol";
import type { Caller } from "../admission/admissions.ts";
import { ProblemError } from "../http/failure-status.ts";
import {
  addDevice,
  changeDevice,
  type DeviceAccess,
  readDeviceFile,
  renameDevice,
  revokeDevice,
} from "./device-file.ts";
import type { IssuedCode, Pairing } from "./pairing.ts";
import type { PushSender } from "./push-notices.ts";

/** Of a server that other machines reach. */
export type ReachFacts = {
  readonly url: string;
  /** SHA-256 of the certificate in hexadecimal digits, with colons, as browsers show it. */
  readonly fingerprint: string;
  /** SHA-256 of the certificate of its authority. Devices are tied to it. */
  readonly authority: string;
  readonly pairing: Pairing;
  readonly push?: PushSender;
  /** What a code is for unless somebody asks for less. */
  readonly scope: Scope;
};

export type PairingLink = IssuedCode & { readonly url: string; readonly fingerprint: string };

export type PairedDevice = {
  readonly deviceId: string;
  readonly name: string;
  readonly scope: Scope;
  readonly secret: string;
};

export interface DeviceDesk {
  issue(caller: Pick<Caller, "by" | "scope" | "deviceId">, scope?: Scope): PairingLink;
  /** Throws a ProblemError for a code that is none, and for a peer that tried too often. */
  pair(given: { readonly code: string; readonly name: string; readonly peer: string }): PairedDevice;
  list(caller: Caller): Extract<QueryAnswer<"device.list">, { ok: true }>["value"];
  rename(caller: Caller, deviceId: string, name: string): void;
  revoke(caller: Caller, deviceId: string): void;
  subscribe(caller: Caller, subscription: CommandOf<"push.subscribe">): void;
  unsubscribe(caller: Caller): void;
}

export type DeviceDeskParts = DeviceAccess & {
  /** Undefined while the server listens on this machine only. */
  readonly reach: () => ReachFacts | undefined;
  readonly onNotice: (sentence: string) => void;
};

export function createDeviceDesk(parts: DeviceDeskParts): DeviceDesk {
  const { home, now, onNotice } = parts;

  function demandReach(): ReachFacts {
    const reach = parts.reach();
    if (reach !== undefined) return reach;
    const message = "This server listens on this machine only.";
    const recovery = "Start it with kedge serve --lan or --tailnet.";
    throw new FailureError({ code: "invalid_command", message, recovery, retryable: false });
  }

  return {
    issue({ by, scope: held, deviceId }, wanted) {
      const { pairing, url, fingerprint, scope: usual } = demandReach();
      if (by === "cookie" || deviceId !== undefined) throw new ProblemError(pairedFromElsewhere);
      const scope = wanted ?? (includesScope(held, usual) ? usual : held);
      if (!includesScope(held, scope)) throw new ProblemError(moreThanHeld(scope, held));
      const issued = pairing.issue(scope);
      return { ...issued, fingerprint, url: `${url}/app/pair#${issued.code}.${shortFingerprint(fingerprint)}` };
    },
    pair({ code, name, peer }) {
      const { pairing, authority } = demandReach();
      const outcome = pairing.redeem(code, peer);
      if (outcome.kind === "locked") throw new ProblemError(lockedOut(outcome.remainingMs));
      if (outcome.kind === "wrong") throw new ProblemError(wrongCode);
      const { secret, device } = addDevice(parts, { name, scope: outcome.scope, authority });
      onNotice(`Paired "${device.name}" with the scope ${device.scope}. Undo: kedge devices revoke ${device.deviceId}`);
      return { deviceId: device.deviceId, name: device.name, scope: device.scope, secret };
    },
    list({ scope, deviceId: current }) {
      const reach = parts.reach();
      const isAll = includesScope(scope, "admin");
      const devices = readDeviceFile(home)
        .filter(({ deviceId, expiresAt }) => expiresAt > now() && (isAll || deviceId === current))
        .map(({ deviceId, name, scope: held, createdAt, seenAt, expiresAt, push }) => ({
          ...{ deviceId, name, scope: held, createdAt, seenAt, expiresAt, isNotified: push !== undefined },
          ...(deviceId === current && { isCurrent: true as const }),
        }));
      return {
        devices,
        ...(reach !== undefined && { reach: { url: reach.url, fingerprint: reach.fingerprint } }),
        ...(reach?.push !== undefined && current !== undefined && { pushKey: reach.push.publicKey }),
      };
    },
    rename(caller, deviceId, name) {
      demandOwn(caller, deviceId, "rename");
      if (!renameDevice(parts, deviceId, name)) throw unknownDevice(deviceId);
    },
    revoke(caller, deviceId) {
      demandOwn(caller, deviceId, "revoke");
      if (!revokeDevice(parts, deviceId)) throw unknownDevice(deviceId);
    },
    subscribe(caller, { endpoint, p256dh, auth }) {
      const { push } = demandReach();
      if (push?.accepts(endpoint) !== true) throw new FailureError(unknownService(endpoint));
      const deviceId = demandDevice(caller);
      changeDevice(parts, deviceId, (device) => ({ ...device, push: { endpoint, p256dh, auth } }));
    },
    unsubscribe(caller) {
      changeDevice(parts, demandDevice(caller), ({ push: _, ...device }) => device);
    },
  };
}

/** The same number in fewer letters, so that a picture of the link has fewer dots. */
function shortFingerprint(fingerprint: string): string {
  return Buffer.from(fingerprint.replaceAll(":", ""), "hex").toString("base64url");
}

function demandOwn(caller: Caller, deviceId: string, what: string): void {
  if (caller.deviceId === deviceId || includesScope(caller.scope, "admin")) return;
  throw new ProblemError({
    ...{ status: 403, code: "scope", message: `Only the scope admin may ${what} other devices.` },
    recovery: `Use kedge devices ${what} on the server's machine.`,
  });
}

function demandDevice({ deviceId }: Caller): string {
  if (deviceId !== undefined) return deviceId;
  const message = "Notifications are sent to paired devices only.";
  const recovery = "Pair this browser first: kedge serve --lan.";
  throw new FailureError({ code: "invalid_command", message, recovery, retryable: false });
}

function unknownDevice(deviceId: string): FailureError {
  const recovery = "List devices with kedge devices list.";
  return new FailureError({ code: "not_found", message: `No device ${deviceId}.`, recovery, retryable: false });
}

function unknownService(endpoint: string) {
  const { host } = URL.canParse(endpoint) ? new URL(endpoint) : { host: "unknown" };
  const message = `The push service ${host} is not allowed.`;
  const recovery = "If you trust it, add its origin to the setting server.pushServices.";
  return { code: "invalid_command", message, recovery, retryable: false } as const;
}

const pairedFromElsewhere = {
  ...{ status: 403, code: "code_by_cookie", message: "A browser or device cannot pair another one." },
  recovery: "Request the code in the terminal of the server, or with a token.",
} as const;

function moreThanHeld(wanted: Scope, held: Scope) {
  return {
    ...{ status: 403, code: "scope", message: `A device with the scope ${wanted} cannot be paired with ${held}.` },
    recovery: "Use a token with that scope.",
  } as const;
}

const wrongCode = {
  ...{ status: 401, code: "unauthorized", message: "The pairing code is wrong, already used, or expired." },
  recovery: "Show a new code in the terminal of the server.",
} as const;

function lockedOut(remainingMs: number) {
  const seconds = Math.ceil(remainingMs / 1000);
  return {
    ...{ status: 429, code: "locked_out", headers: { "retry-after": String(seconds) } },
    message: `Too many wrong pairing codes from this address. Try again in ${seconds} seconds.`,
    recovery: "Wait, then use a new code.",
  } as const;
}
