/** What an agent's folder was found to hold: settings, rules and files that kedge could take over, and notes on the rest. */
import type { Json, PermissionRule } from "@kedge/protocol";

export type ImportScope = "user" | "project";

/** Where a setting or a rule belongs; `local` is one developer's own file in a project. */
export type ImportLayer = ImportScope | "local";

export type Origin = {
  /** As shown to people. */
  readonly file: string;
  /** The setting in it, or the rule. */
  readonly key?: string;
};

export type ImportNote = Origin & {
  readonly kind: /** kedge has nothing that means the same. */
    | "unsupported"
    /** kedge reads it where it is. */
    | "stays"
    /** A key or token, which is never copied. */
    | "secret"
    /** kedge has a file or value of its own there, which stays. */
    | "kept"
    /** The file cannot be read. */
    | "broken";
  /** Continues a sentence that begins with the file and the key; without a full stop. */
  readonly why: string;
  /** A whole sentence. */
  readonly remedy?: string;
};

export type FoundSetting = {
  readonly layer: ImportLayer;
  /** Of kedge's setting. */
  readonly path: readonly string[];
  readonly value: Json;
  readonly from: Origin;
};

export type FoundRule = {
  readonly layer: ImportLayer;
  readonly rule: PermissionRule;
  /** Of ordered rules the last match wins; of the others deny wins over ask, and ask over allow. */
  readonly isOrdered: boolean;
  readonly from: Origin;
};

/** A rule that asks or denies and has no exact counterpart. Rules that allow what it may speak of are held back. */
export type LostRule = { readonly layer: ImportLayer; readonly permission: string; readonly head: string };

export type FoundFile = {
  /** Below kedge's own folder. */
  readonly target: string;
  readonly bytes: Buffer;
  readonly isExecutable: boolean;
  readonly from: Origin;
};

export type Findings = {
  readonly settings: FoundSetting[];
  readonly rules: FoundRule[];
  readonly lostRules: LostRule[];
  readonly files: FoundFile[];
  readonly notes: ImportNote[];
};

export function noFindings(): Findings {
  return { settings: [], rules: [], lostRules: [], files: [], notes: [] };
}
