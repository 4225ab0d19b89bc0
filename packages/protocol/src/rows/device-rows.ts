/** Rows of devices: browsers and programs elsewhere that were paired with a server, and how they are notified. */
import { flag, list, matching, object, optional, text, textWithin, words, yes } from "../json/schema.ts";
import { scopes } from "../wire/scope.ts";
import type { CommandRows, QueryRows } from "./row.ts";
import { nothing, time } from "./words.ts";

const deviceId = matching("^dev_[0-9a-f]{16}$");
const deviceName = textWithin({ minLength: 1, maxLength: 60 });
const scope = words(...scopes);

const device = object({
  deviceId: text,
  name: text,
  scope,
  createdAt: time,
  /** Accurate to some minutes. */
  seenAt: time,
  /** Moves on whenever the device is used. */
  expiresAt: time,
  /** It gets notifications. */
  isNotified: flag,
  /** The one that asks. */
  isCurrent: optional(yes),
});

const reach = object({
  /** Where devices reach the server. */
  url: text,
  /** SHA-256 of the certificate, as browsers show it. */
  fingerprint: text,
});

export const deviceCommandRows = {
  /** A code with which one device is paired, once and within five minutes. The server must be reachable by others. */
  "pairing.issue": {
    route: "POST /pairing",
    scope: "approve",
    /** At most the rights of the caller; `approve` without it, or less if the caller has less. */
    fields: { scope: optional(scope) },
    answer: object({
      code: text,
      expiresAt: time,
      scope,
      /** For the browser of the device, with the code and the fingerprint where no server and no log sees them. */
      url: text,
      fingerprint: text,
    }),
  },
  "device.rename": {
    route: "PATCH /device/:deviceId",
    scope: "prompt",
    fields: { deviceId, name: deviceName },
    answer: nothing,
  },
  /** Ends its connections at once. A device may revoke itself; others need `admin`. */
  "device.revoke": { route: "DELETE /device/:deviceId", scope: "prompt", fields: { deviceId }, answer: nothing },
  /** Notifies the calling device of questions and of ends of runs. Replaces an earlier subscription. */
  "push.subscribe": {
    route: "PUT /push",
    scope: "prompt",
    fields: {
      endpoint: textWithin({ minLength: 1, maxLength: 1000 }),
      p256dh: matching("^[A-Za-z0-9_-]{80,100}=*$"),
      auth: matching("^[A-Za-z0-9_-]{16,30}=*$"),
    },
    answer: nothing,
  },
  "push.unsubscribe": { route: "DELETE /push", scope: "prompt", fields: {}, answer: nothing },
} as const satisfies CommandRows;

export const deviceQueryRows = {
  "device.list": {
    route: "GET /device",
    scope: "read",
    fields: {},
    answer: object({
      /** All of them for `admin`; otherwise the calling device alone. */
      devices: list(device),
      /** Absent when the server listens on this machine only. */
      reach: optional(reach),
      /** The public key that a browser subscribes with; absent where notifications cannot be sent. */
      pushKey: optional(text),
    }),
  },
} as const satisfies QueryRows;

/** Where a device, which has no credential yet, exchanges the code of `pairing.issue` for one of its own. No command. */
export const pairRow = {
  route: "POST /auth/pair",
  fields: {
    code: textWithin({ minLength: 1, maxLength: 40 }),
    name: deviceName,
    /** `cookie` for browsers, `token` for programs. */
    wants: optional(words("cookie", "token")),
  },
  answer: object({ deviceId: text, name: text, scope, token: optional(text) }),
} as const;
