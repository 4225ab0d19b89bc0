/** Finds out who a request comes from by the credential it shows, and gives out the short-lived ones. */
import type { IncomingMessage } from "node:http";
import { type Route, routeOf } from "@kedge/protocol";
import { readRows } from "@kedge/protocol/rows";
import type { KnownDevices } from "../devices/known-devices.ts";
import { ProblemError } from "../http/failure-status.ts";
import { isEncrypted } from "./address-check.ts";
import { isLoopbackAddress } from "./addresses.ts";
import type { Admission, Admissions, Caller, Refusal } from "./admissions.ts";
import { createKnownTokens, type KnownTokensParts } from "./known-tokens.ts";
import { createLockOut } from "./lock-out.ts";
import { pathOf } from "./request-shape.ts";
import { createWords, digestOf, findByDigest, newSecret } from "./secret-words.ts";
import { findCredential, type ShownCredential } from "./shown-credential.ts";

export type CallerCheckParts = KnownTokensParts & {
  /** For scripts, with all rights. */
  readonly password?: string;
  /** Everybody on this machine comes in with all rights. Refused when the server can be reached from elsewhere. */
  readonly isDoorOpen?: boolean;
  /** What needs no credential besides the health check: where a browser hands in its code. */
  readonly openRoutes?: readonly Route[];
  /** Files that hold nothing of anybody: they are the same for everyone, so that no credential is looked at. */
  readonly publicRoutes?: readonly Route[];
  /** Where others reach the server, paired devices come in and nobody else: no token, password or code of this machine. */
  readonly devices?: KnownDevices;
};

export type CallerCheck = Pick<Admissions, "issueCode" | "redeemCode" | "issueTicket"> & {
  identify(request: IncomingMessage, options: { readonly isUpgrade: boolean }): Admission;
};

const healthRoute = routeOf(readRows.health);
const codeMs = 60_000;
const ticketMs = 30_000;
const cookieMs = 7 * 86_400_000;
const wordsMax = 1000;
const ticketsPerCallerMax = 20;
const startIdLength = 8;

export function createCallerCheck(parts: CallerCheckParts): CallerCheck {
  const lockOut = createLockOut(parts.now);
  const cookieName = parts.devices === undefined ? cookieNameOf : deviceCookieName;
  const openRoutes = [healthRoute, ...(parts.openRoutes ?? [])];
  const { callerOf, isStillValid, codes, tickets, newCookie } = createCredentialCheck(parts);

  return {
    identify(request, { isUpgrade }) {
      const isPublic = parts.publicRoutes?.some((route) => isRoute(request, route)) === true && !isUpgrade;
      if (isPublic) return admitted(nobody);
      const address = request.socket.remoteAddress ?? "";
      if (parts.isDoorOpen === true && isLoopbackAddress(address))
        return admitted({ scope: "admin", by: "open-door", name: "open-door" });
      const shown = findCredential(request, { isUpgrade, cookieName: cookieName(request) });
      const isHealth = isRoute(request, healthRoute);
      const lockedMs = isHealth && shown.kind === "none" ? 0 : lockOut.remainingMs(address);
      if (lockedMs > 0) return { ok: false, ...lockedOut(lockedMs) };
      const caller = shown.kind === "none" ? undefined : callerOf(shown);
      if (caller !== undefined && caller !== "stale") return admitted(caller);
      if (shown.kind === "none" || caller === "stale") {
        const isOpen = openRoutes.some((route) => isRoute(request, route)) && !isUpgrade;
        return isOpen ? admitted(nobody) : { ok: false, ...unknown(missing) };
      }
      lockOut.fail(address);
      return { ok: false, ...unknown("The credential is invalid or has expired.") };
    },
    issueCode(issuer) {
      if (issuer.by === "cookie" || issuer.deviceId !== undefined) throw new ProblemError(codeByCookie);
      const { word: code, expiresAt } = codes.issue(tokenOf(issuer));
      return { code, expiresAt };
    },
    redeemCode(code, request) {
      const token = codes.take(code);
      if (token === undefined || !isStillValid(token)) {
        lockOut.fail(request.socket.remoteAddress ?? "");
        return undefined;
      }
      const secure = isEncrypted(request) ? "; Secure" : "";
      const value = newCookie(token);
      return `${cookieNameOf(request)}=${value}; Path=/; HttpOnly; SameSite=Strict${secure}`;
    },
    issueTicket(caller) {
      const { word: ticket, expiresAt } = tickets.issue(caller);
      return { ticket, expiresAt };
    },
  };
}

/**
 * Who a credential belongs to. What was given out by another start of the server, or to a token that has
 * ended since, is `stale`, and no attempt to guess.
 */
function createCredentialCheck(parts: CallerCheckParts) {
  const { now, password } = parts;
  const words = { countMax: wordsMax, now };
  const codes = createWords<IssuerToken>({ ...words, lifetimeMs: codeMs });
  const perHolder = { countMax: ticketsPerCallerMax, holderOf: ({ name }: Caller) => name };
  const tickets = createWords<Caller>({ ...words, lifetimeMs: ticketMs, perHolder });
  const cookies = createWords<IssuerToken>({ ...words, lifetimeMs: cookieMs });
  const passwords =
    parts.devices !== undefined || password === undefined || password === "" ? [] : [{ digest: digestOf(password) }];
  const known = parts.devices === undefined ? createKnownTokens(parts) : undefined;
  const startId = newSecret().slice(0, startIdLength);

  const isStillValid = ({ tokenId, deviceId }: IssuerToken) => {
    if (parts.devices !== undefined) return deviceId !== undefined && parts.devices.isValid(deviceId);
    return tokenId === undefined || known?.isValid(tokenId) === true;
  };

  const deviceBy = (by: "token" | "cookie", secret: string): Caller | undefined => {
    const device = parts.devices?.find(secret);
    if (device === undefined) return undefined;
    parts.devices?.touch(device);
    return { by, scope: device.scope, name: device.name, deviceId: device.deviceId };
  };

  const callerOf = (shown: Exclude<ShownCredential, { kind: "none" }>): Caller | "stale" | undefined => {
    switch (shown.kind) {
      case "unknown":
        return undefined;
      case "token": {
        if (known === undefined) return deviceBy("token", shown.secret);
        const token = known.find(shown.secret);
        if (token === undefined) return undefined;
        const { scope, name, id } = token;
        return { scope, by: "token", name, ...(id !== undefined && { tokenId: id }) };
      }
      case "password":
        return findByDigest(passwords, shown.secret) && { scope: "admin", by: "password", name: "password" };
      case "ticket": {
        const issuer = tickets.take(shown.secret);
        return issuer && isStillValid(issuer) ? { ...issuer, by: "ticket" } : undefined;
      }
      case "cookie": {
        // One that was revoked may pair again, and nobody guesses 256 bits.
        if (known === undefined) return deviceBy("cookie", shown.secret) ?? "stale";
        const [start, secret = ""] = shown.secret.split(".");
        if (start !== startId) return "stale";
        const token = cookies.find(secret);
        if (token === undefined) return undefined;
        if (!isStillValid(token)) return "stale";
        return { by: "cookie", name: "browser", ...token };
      }
    }
  };
  const newCookie = (token: IssuerToken) => `${startId}.${cookies.issue(token).word}`;
  return { callerOf, isStillValid, codes, tickets, newCookie };
}

/** What a word keeps of whoever it was issued to. */
type IssuerToken = Pick<Caller, "tokenId" | "deviceId" | "scope">;

function tokenOf({ scope, tokenId }: Caller): IssuerToken {
  return { scope, ...(tokenId !== undefined && { tokenId }) };
}

const codeByCookie = {
  status: 403,
  code: "code_by_cookie",
  message: "A browser session cannot authorize another one.",
  recovery: "Request the code with a token, from a terminal.",
} as const;

const missing = "Authentication required: send a bearer token in the Authorization header.";

function admitted(caller: Caller): Admission {
  return { ok: true, caller };
}

/** Browsers keep one set of cookies for all ports of a machine. */
function cookieNameOf({ socket }: IncomingMessage): string {
  return `kedge-${socket.localPort ?? 0}`;
}

/** Bound to this very host and to encryption, by its prefix. */
function deviceCookieName({ socket }: IncomingMessage): string {
  return `__Host-kedge-${socket.localPort ?? 0}`;
}

/** The longest time that browsers keep one; the server forgets an unused device earlier. */
const deviceCookieSeconds = 400 * 86_400;

/** The value of the `Set-Cookie` header for a device that was paired just now. */
export function deviceCookie(request: IncomingMessage, secret: string): string {
  const rights = `Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=${deviceCookieSeconds}`;
  return `${deviceCookieName(request)}=${secret}; ${rights}`;
}

/** A path that ends in `/*` stands for everything below it. */
function isRoute(request: IncomingMessage, { method, path }: Route): boolean {
  const isBelow = path.endsWith("/*") && pathOf(request).startsWith(path.slice(0, -1));
  return request.method === method && (isBelow || pathOf(request) === path);
}

const nobody: Caller = { scope: "read", by: "nobody", name: "nobody" };

/** Bearer alone: for the other scheme browsers would ask the person for a password. */
function unknown(message: string): Refusal {
  return { status: 401, code: "unauthorized", message, headers: { "www-authenticate": 'Bearer realm="kedge"' } };
}

function lockedOut(remainingMs: number): Refusal {
  const seconds = Math.ceil(remainingMs / 1000);
  const message = `Too many failed attempts from this address. Try again in ${seconds} seconds.`;
  return { status: 429, code: "locked_out", message, headers: { "retry-after": String(seconds) } };
}
