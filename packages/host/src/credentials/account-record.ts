/** What is kept of a sign-in: what it is to, the tokens, and how long they last. */
import { isJsonObject } from "@kedge/protocol";

export type AccountRecord = {
  /** What is no secret: the host, the project, the role. */
  readonly place: { readonly [name: string]: string };
  /** Each of them is a secret. */
  readonly tokens: { readonly [name: string]: string };
  /** From then on another credential is asked for, in milliseconds since the epoch; never without it. */
  readonly renewAtMs?: number;
  /** From then on the vendor takes it no longer. */
  readonly endsAtMs?: number;
};

export function writeAccountRecord(record: AccountRecord): string {
  return JSON.stringify(record);
}

/** Undefined when the text is none; whoever needs the account then has the user sign in again. */
export function readAccountRecord(text: string): AccountRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const { renewAtMs, endsAtMs } = value;
  return {
    place: textsOf(value["place"]),
    tokens: textsOf(value["tokens"]),
    ...(typeof renewAtMs === "number" && { renewAtMs }),
    ...(typeof endsAtMs === "number" && { endsAtMs }),
  };
}

/** The values to take out of texts. */
export function secretsOfAccount(text: string): readonly string[] {
  return Object.values(readAccountRecord(text)?.tokens ?? {});
}

function textsOf(value: unknown): { readonly [name: string]: string } {
  const entries = Object.entries(isJsonObject(value) ? value : {});
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
