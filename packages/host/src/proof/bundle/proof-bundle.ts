/** A proof bundle: one file that says what was asked, what changed and what was run, signed by the home that made it. */
import {
  type Answer,
  canonicalJson,
  checkSchema,
  type JsonSchema,
  type Reproduction,
  refused,
  reproductionStates,
} from "@kedge/protocol";
import type { Signed } from "../../machine/journal-key.ts";

export type ProvenCommand = {
  readonly command: string;
  readonly exitCode: number | null;
  /** SHA-256 of what it printed, as far as the model saw it. */
  readonly digest: string;
  /** It checks the work and ran after the last change: whoever checks the bundle runs it again. */
  readonly isCheck: boolean;
};

export type ProvenGrade = {
  readonly target: string;
  readonly command: string;
  readonly buildCommand?: string;
  readonly score: number;
  readonly killed: number;
  readonly valid: number;
};

export type ProofBundle = {
  readonly format: typeof bundleFormat;
  readonly kedgeVersion: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly sessionId: string;
  /** What the user asked for, in order. */
  readonly task: readonly string[];
  /** The commit the work began with. */
  readonly base: string;
  /** From the base to the files as they were. */
  readonly diff: string;
  /** Secrets were taken out of the diff: what it makes is not exactly what was there. */
  readonly isDiffRedacted: boolean;
  readonly reproductions: readonly Reproduction[];
  readonly grades: readonly ProvenGrade[];
  readonly commands: readonly ProvenCommand[];
  readonly cost: { readonly usd: number; readonly isEstimated: boolean };
  /** The last record of the session, whose hash covers every one before. */
  readonly journal: { readonly seq: number; readonly hash: string };
};

export type SignedBundle = ProofBundle & { readonly signed: Signed };

export const bundleFormat = "kedge-proof/1";

/** The first line keeps it apart from anything else that the key signs. */
export function signedText(bundle: ProofBundle): string {
  return `kedge proof\n${canonicalJson(bundle)}`;
}

const text: JsonSchema = { type: "string" };
const number: JsonSchema = { type: "number" };
const exitCode: JsonSchema = { anyOf: [number, { type: "null" }] };

function record(properties: { readonly [name: string]: JsonSchema }, optional: readonly string[] = []): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties).filter((name) => !optional.includes(name)) };
}

const runs: JsonSchema = { type: "array", items: record({ exitCode, digest: text }) };

const bundleSchema = record({
  format: { const: bundleFormat },
  kedgeVersion: text,
  createdAt: text,
  sessionId: text,
  task: { type: "array", items: text },
  base: { type: "string", pattern: "^[0-9a-f]{40,64}$" },
  diff: text,
  isDiffRedacted: { type: "boolean" },
  reproductions: {
    type: "array",
    items: record(
      {
        ...{ id: text, issue: text, file: text, fileDigest: text, command: text, signature: text, base: text },
        state: { enum: [...reproductionStates] },
        ...{ before: runs, after: runs },
      },
      ["file", "fileDigest", "command", "signature", "base"],
    ),
  },
  grades: {
    type: "array",
    items: record({ target: text, command: text, buildCommand: text, score: number, killed: number, valid: number }, [
      "buildCommand",
    ]),
  },
  commands: {
    type: "array",
    items: record({ command: text, exitCode, digest: text, isCheck: { type: "boolean" } }),
  },
  cost: record({ usd: number, isEstimated: { type: "boolean" } }),
  journal: record({ seq: number, hash: text }),
  signed: record({ keyId: text, publicKey: text, signature: text }),
});

/** What others wrote is checked before anything of it is used. */
export function readBundle(content: string): Answer<SignedBundle> {
  const advice = "Create a new one with kedge prove.";
  try {
    const value: unknown = JSON.parse(content);
    const [problem] = checkSchema(bundleSchema, value);
    if (problem === undefined) return { ok: true, value: value as SignedBundle };
    return refused(`This is not a proof bundle: ${problem.path} is invalid.`, advice);
  } catch {
    return refused("This is not a proof bundle: it is not JSON.", advice);
  }
}
