/** What lint finds in a memory directory. */

export type LintKind =
  | "orphan"
  | "dead-link"
  | "missing-file"
  | "frontmatter"
  | "unknown-type"
  | "stale"
  | "long-line"
  | "duplicate"
  | "disputed"
  | "missing-path"
  | "secret"
  | "cap-pressure"
  | "unreadable"
  | "suspicious"
  | "vague-date";

export type LintFinding = {
  readonly kind: LintKind;
  readonly severity: "error" | "warning";
  /** In the directory. */
  readonly file: string;
  readonly line?: number;
  readonly message: string;
  /** `--fix` repairs it. */
  readonly fixable: boolean;
};

type Weight = Pick<LintFinding, "severity" | "fixable">;

/** What makes memory wrong is an error; what makes it worse is a warning. */
const weights: { readonly [Kind in LintKind]: Weight } = {
  orphan: { severity: "error", fixable: true },
  "dead-link": { severity: "error", fixable: false },
  "missing-file": { severity: "error", fixable: true },
  frontmatter: { severity: "error", fixable: true },
  "unknown-type": { severity: "error", fixable: true },
  secret: { severity: "error", fixable: true },
  unreadable: { severity: "error", fixable: false },
  suspicious: { severity: "error", fixable: true },
  stale: { severity: "warning", fixable: false },
  "long-line": { severity: "warning", fixable: true },
  duplicate: { severity: "warning", fixable: false },
  disputed: { severity: "warning", fixable: false },
  "missing-path": { severity: "warning", fixable: false },
  "cap-pressure": { severity: "warning", fixable: false },
  "vague-date": { severity: "warning", fixable: false },
};

export function finding(kind: LintKind, file: string, message: string, line?: number): LintFinding {
  return { kind, ...weights[kind], file, message, ...(line !== undefined && { line }) };
}
