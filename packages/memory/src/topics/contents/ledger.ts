/** What the harness knows about each file of the memory directory: who said it, and what the user has agreed to. */
import { createHash } from "node:crypto";
import { isJsonObject } from "@kedge/protocol";
import { type TopicOrigin, topicOrigins } from "../topic/topic.ts";

export type LedgerEntry = {
  /** Of the text that this holds for: whoever changes the file from outside starts over. */
  readonly hash: string;
  readonly origin: TopicOrigin;
  readonly sessionId?: string;
  /** The user looked at this very text and let it in. */
  readonly isApproved?: true;
};

/** By the path in the directory. */
export type Ledger = ReadonlyMap<string, LedgerEntry>;

export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Nothing is known where the ledger cannot be read: everything then counts as unapproved. */
export function readLedger(text: string | undefined): Ledger {
  if (text === undefined) return new Map();
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (!isJsonObject(parsed)) return new Map();
  return new Map(
    Object.entries(parsed).flatMap(([path, value]) => {
      const entry = readEntry(value);
      return entry === undefined ? [] : [[path, entry] as const];
    }),
  );
}

export function ledgerText(ledger: Ledger): string {
  return `${JSON.stringify(Object.fromEntries([...ledger].sort(([one], [other]) => (one < other ? -1 : 1))), null, 1)}\n`;
}

function readEntry(value: unknown): LedgerEntry | undefined {
  if (!isJsonObject(value)) return undefined;
  const { hash, sessionId, isApproved } = value;
  const origin = topicOrigins.find((known) => known === value["origin"]);
  if (typeof hash !== "string" || origin === undefined) return undefined;
  return {
    hash,
    origin,
    ...(typeof sessionId === "string" && { sessionId }),
    ...(isApproved === true && { isApproved }),
  };
}
