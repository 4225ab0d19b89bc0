/** Finds out who a request comes from by the credential it shows, and gives out the short-lived ones. */
import type { IncomingMessage } from "node:http";
import { type Route, routeOf } from "@kedge/protocol";
import { readRows } from "@kedge/protocol/rows";
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
  const openRoutes = [healthRoute, ...(parts.openRoutes ?? [])];
  const { callerOf, isStillValid, codes, tickets, newCookie } = createCredentialCheck(parts);

  return {
    identify(request, { isUpgrade }) {
      const address = request.socket.remoteAddress ?? "";
      if (parts.isDoorOpen === true && isLoopbackAddress(address))
        return admitted({ scope: "admin", by: "open-door", name: "open-door" });
      const shown = findCredential(request, { isUpgrade, cookieName: cookieNameOf(request) });
      const isHealth = isRoute(request, healthRoute);
      const lockedMs = isHealth && shown.kind === "none" ? 0 : lockOut.remainingMs(address);
      if (lockedMs > 0) return { ok: false, ...lockedOut(lockedMs) };
      const caller = shown.kind === "none" ? undefined : callerOf(shown);
      if (caller !== undefined && caller !== "stale") return admitted(caller);
      if (shown.kind === "none" || caller === "stale") {
        const isOpen = openRoutes.some((route) => isRoute(request, route)) && !isUpgrade;
        return isOpen ? admitted({ scope: "read", by: "nobody", name: "nobody" }) : { ok: false, ...unknown(missing) };
      }
      lockOut.fail(address);
      return { ok: false, ...unknown("The credential is invalid or has expired.") };
    },
    issueCode(issuer) {
      if (issuer.by === "cookie") throw new ProblemError(codeByCookie);
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
  const passwords = password === undefined || password === "" ? [] : [{ digest: digestOf(password) }];
  const known = createKnownTokens(parts);
  const startId = newSecret().slice(0, startIdLength);

  const isStillValid = ({ tokenId }: IssuerToken) => tokenId === undefined || known.isValid(tokenId);

  const callerOf = (shown: Exclude<ShownCredential, { kind: "none" }>): Caller | "stale" | undefined => {
    switch (shown.kind) {
      case "unknown":
        return undefined;
      case "token": {
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
        const [start, secret = ""] = shown.secret.split(".");
        if (start !== startId) return "stale";
        const token = cookies.find(secret);
        if (token === undefined) return undefined;
        if (!isStillValid(token)) return "stale";
        return { scope: "approve", by: "cookie", name: "browser", ...token };
      }
    }
  };
  const newCookie = (token: IssuerToken) => `${startId}.${cookies.issue(token).word}`;
  return { callerOf, isStillValid, codes, tickets, newCookie };
}

/** What a word keeps of whoever it was issued to. */
type IssuerToken = Pick<Caller, "tokenId">;

function tokenOf(issuer: Caller | undefined): IssuerToken {
  return issuer?.tokenId === undefined ? {} : { tokenId: issuer.tokenId };
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

function isRoute(request: IncomingMessage, { method, path }: Route): boolean {
  return request.method === method && pathOf(request) === path;
}

/** Bearer alone: for the other scheme browsers would ask the person for a password. */
function unknown(message: string): Refusal {
  return { status: 401, code: "unauthorized", message, headers: { "www-authenticate": 'Bearer realm="kedge"' } };
}

function lockedOut(remainingMs: number): Refusal {
  const seconds = Math.ceil(remainingMs / 1000);
  const message = `Too many failed attempts from this address. Try again in ${seconds} seconds.`;
  return { status: 429, code: "locked_out", message, headers: { "retry-after": String(seconds) } };
}
