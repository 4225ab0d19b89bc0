/** What a signature covers, and what it says about a chain. */
import type { HeadSignature, JournalKey, SignatureState } from "@kedge/protocol";
import type { Head } from "./chain.ts";

/** The record that was last when it was signed. There is one for each session: an older one would vouch for a cut chain. */
export type SignedHead = Head & HeadSignature;

/** Gives the hash that stands at a number of the chain, and undefined where there is no such record. */
export type HashAt = (seq: number) => string | undefined;

export type JudgedSignature = {
  readonly state: SignatureState;
  readonly head?: Head;
  /** What is wrong, where something is. */
  readonly problem?: { readonly seq: number; readonly what: string };
};

/** Undefined when nothing is to be signed. */
export function signHead(key: JournalKey | undefined, sessionId: string, head: Head): SignedHead | undefined {
  const signed = key?.sign(headText(sessionId, head));
  return signed && { seq: head.seq, hash: head.hash, ...signed };
}

/** True when the head can be signed in the place of what was signed before. */
export function maySign(before: SignedHead | undefined, head: Head, hashAt: HashAt): boolean {
  if (before === undefined) return true;
  const isSame = before.seq === head.seq && before.hash === head.hash;
  return !isSame && hashAt(before.seq) === before.hash;
}

export function judgeSignature(
  sessionId: string,
  signed: SignedHead | undefined,
  { key, hashAt, lastSeq }: { readonly key: JournalKey; readonly hashAt: HashAt; readonly lastSeq: number },
): JudgedSignature {
  if (signed === undefined) return { state: "none" };
  const { seq, hash } = signed;
  const head = { seq, hash };
  const checked = checkHead(key, sessionId, signed);
  if (checked === "wrong") {
    return { state: "wrong", head, problem: { seq, what: "the signature does not match its record" } };
  }
  const found = hashAt(seq);
  if (found === undefined) {
    const what = `records up to the signed record ${seq} were removed`;
    return { state: "not-in-chain", head, problem: { seq: Math.min(lastSeq + 1, seq), what } };
  }
  if (found !== hash) {
    const what = "the signed record was replaced: the chain was rewritten";
    return { state: "not-in-chain", head, problem: { seq, what } };
  }
  return { state: checked, head };
}

/** Looks at the signature alone, and not at the chain. */
export function checkHead(key: JournalKey, sessionId: string, signed: SignedHead): ReturnType<JournalKey["check"]> {
  return key.check(headText(sessionId, signed), signed);
}

/** The first line keeps it apart from anything else that the key may sign one day. */
function headText(sessionId: string, { seq, hash }: Head): string {
  return `kedge session head\n${sessionId}\n${seq}\n${hash}`;
}
