/** Finds out who a request comes from by the credential it shows, and gives out the short-lived ones. */
import type { IncomingMessage } from "node:http";
import { type Route, readRoutes, type Scope } from "@kedge/protocol";
import { isEncrypted } from "./address-check.ts";
import { isLoopbackAddress } from "./addresses.ts";
import type { Admission, Caller, Gate, Refusal } from "./gate.ts";
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
};

export type CallerCheck = Pick<Gate, "issueCode" | "redeemCode" | "issueTicket"> & {
  identify(request: IncomingMessage, options: { readonly isUpgrade: boolean }): Admission;
};

const codeMs = 60_000;
const ticketMs = 30_000;
const cookieMs = 7 * 86_400_000;
const wordsMax = 1000;
const startIdLength = 8;

export function createCallerCheck(parts: CallerCheckParts): CallerCheck {
  const lockOut = createLockOut(parts.now);
  const openRoutes = [readRoutes.health, ...(parts.openRoutes ?? [])];
  const { callerOf, codes, tickets, newCookie } = createCredentialCheck(parts);

  return {
    identify(request, { isUpgrade }) {
      const address = request.socket.remoteAddress ?? "";
      if (parts.isDoorOpen === true && isLoopbackAddress(address))
        return admitted({ scope: "admin", by: "open-door", name: "open-door" });
      const shown = findCredential(request, { isUpgrade, cookieName: cookieNameOf(request) });
      const isHealth = isRoute(request, readRoutes.health);
      const lockedMs = isHealth && shown.kind === "none" ? 0 : lockOut.remainingMs(address);
      if (lockedMs > 0) return { ok: false, ...lockedOut(lockedMs) };
      const caller = shown.kind === "none" ? undefined : callerOf(shown);
      if (caller !== undefined && caller !== "stale") return admitted(caller);
      if (shown.kind === "none" || caller === "stale") {
        const isOpen = openRoutes.some((route) => isRoute(request, route)) && !isUpgrade;
        return isOpen ? admitted({ scope: "read", by: "nobody", name: "nobody" }) : { ok: false, ...unknown(missing) };
      }
      lockOut.fail(address);
      return { ok: false, ...unknown("The credential is not valid, or is no longer.") };
    },
    issueCode(scope = "approve") {
      const { word: code, expiresAt } = codes.issue(scope);
      return { code, expiresAt };
    },
    redeemCode(code, request) {
      const scope = codes.take(code);
      if (scope === undefined) {
        lockOut.fail(request.socket.remoteAddress ?? "");
        return undefined;
      }
      const secure = isEncrypted(request) ? "; Secure" : "";
      const value = newCookie(scope);
      return `${cookieNameOf(request)}=${value}; Path=/; HttpOnly; SameSite=Strict${secure}`;
    },
    issueTicket(caller) {
      const { word: ticket, expiresAt } = tickets.issue(caller);
      return { ticket, expiresAt };
    },
  };
}

/** Who a credential belongs to. What was given out by another start of the server is `stale`, and no attempt to guess. */
function createCredentialCheck(parts: CallerCheckParts) {
  const { now, password } = parts;
  const words = { countMax: wordsMax, now };
  const codes = createWords<Scope>({ ...words, lifetimeMs: codeMs });
  const tickets = createWords<Caller>({ ...words, lifetimeMs: ticketMs });
  const cookies = createWords<Scope>({ ...words, lifetimeMs: cookieMs });
  const passwords = password === undefined || password === "" ? [] : [{ digest: digestOf(password) }];
  const findToken = createKnownTokens(parts);
  const startId = newSecret().slice(0, startIdLength);

  const callerOf = (shown: Exclude<ShownCredential, { kind: "none" }>): Caller | "stale" | undefined => {
    switch (shown.kind) {
      case "unknown":
        return undefined;
      case "token": {
        const token = findToken(shown.secret);
        return token && { scope: token.scope, by: "token", name: token.name };
      }
      case "password":
        return findByDigest(passwords, shown.secret) && { scope: "admin", by: "password", name: "password" };
      case "ticket": {
        const issuer = tickets.take(shown.secret);
        return issuer && { scope: issuer.scope, by: "ticket", name: issuer.name };
      }
      case "cookie": {
        const [start, secret = ""] = shown.secret.split(".");
        if (start !== startId) return "stale";
        const scope = cookies.find(secret);
        return scope && { scope, by: "cookie", name: "browser" };
      }
    }
  };
  return { callerOf, codes, tickets, newCookie: (scope: Scope) => `${startId}.${cookies.issue(scope).word}` };
}

const missing = "This needs a credential: send a token in the Authorization header, as Bearer.";

function admitted(caller: Caller): Admission {
  return { ok: true, caller };
}

/** Browsers keep one set of cookies for all ports of a machine. */
function cookieNameOf({ socket }: IncomingMessage): string {
  return `kedge-${socket.localPort ?? 0}`;
}

function isRoute(request: IncomingMessage, { method, path }: Route): boolean {
  return request.method === method && pathOf(request) === path;
}

/** Bearer alone: for the other scheme browsers would ask the person for a password. */
function unknown(message: string): Refusal {
  return { status: 401, code: "unauthorized", message, headers: { "www-authenticate": 'Bearer realm="kedge"' } };
}

function lockedOut(remainingMs: number): Refusal {
  const seconds = Math.ceil(remainingMs / 1000);
  const message = `Too many wrong credentials came from this address. Try again in ${seconds} seconds.`;
  return { status: 429, code: "locked_out", message, headers: { "retry-after": String(seconds) } };
}
