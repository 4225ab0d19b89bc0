/** Pairing: short codes that a person reads from the terminal, each good for one device, and a limit on guesses. */
import { randomInt } from "node:crypto";
import type { Scope } from "@kedge/protocol";
import { createLockOut } from "../admission/lock-out.ts";
import { digestOf, findByDigest } from "../admission/secret-words.ts";

export type IssuedCode = { readonly code: string; readonly expiresAt: number; readonly scope: Scope };

export type PairingOutcome =
  | { readonly kind: "paired"; readonly scope: Scope }
  | { readonly kind: "wrong" }
  | { readonly kind: "locked"; readonly remainingMs: number };

export type Pairing = {
  issue(scope: Scope): IssuedCode;
  /** Nobody uses the code again. */
  redeem(code: string, peer: string): PairingOutcome;
};

export type PairingParts = {
  readonly now: () => number;
  /** So many wrong codes came in that those that wait were withdrawn. */
  readonly onWithdrawn: () => void;
};

/** Without letters and digits that look alike. Eight of them are 39 bits. */
const alphabet = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
const codeLength = 8;
const codeMs = 5 * 60_000;
const codesMax = 10;
/** Of one peer; the next attempt finds it locked, with the right code too. */
const failuresMax = 5;
const lockMs = 5 * 60_000;
/** Of all peers together: whoever has many addresses does not guess for longer. */
const failuresOfAllMax = 50;

export function createPairing({ now, onWithdrawn }: PairingParts): Pairing {
  const lockOut = createLockOut(now, { failuresMax, windowMs: lockMs, lockMs });
  let codes: readonly (IssuedCode & { readonly digest: Buffer })[] = [];
  let failures = 0;

  function withdraw(): void {
    failures = 0;
    if (codes.length === 0) return;
    codes = [];
    onWithdrawn();
  }

  return {
    issue(scope) {
      const code = Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join("");
      const issued = { code: `${code.slice(0, 4)}-${code.slice(4)}`, expiresAt: now() + codeMs, scope };
      const valid = codes.filter(({ expiresAt }) => expiresAt > now());
      codes = [...valid, { ...issued, digest: digestOf(code) }].slice(-codesMax);
      failures = 0;
      return issued;
    },
    redeem(given, peer) {
      const remainingMs = lockOut.remainingMs(peer);
      if (remainingMs > 0) return { kind: "locked", remainingMs };
      const found = findByDigest(codes, plainCode(given));
      if (found !== undefined) codes = codes.filter((each) => each !== found);
      if (found !== undefined && found.expiresAt > now()) return { kind: "paired", scope: found.scope };
      lockOut.fail(peer);
      failures += 1;
      if (failures >= failuresOfAllMax) withdraw();
      return { kind: "wrong" };
    },
  };
}

/** People type small letters, spaces and no dash. */
function plainCode(given: string): string {
  return given.toUpperCase().replace(/[\s-]/g, "");
}
