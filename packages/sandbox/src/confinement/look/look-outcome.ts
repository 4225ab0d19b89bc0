/** Tells from how a look ended whether the view stood in its way. A wrong guess costs a question, never an effect. */
import { basename } from "node:path";

export type LookEnd = {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  /** More than errors. */
  readonly hasOutput: boolean;
  /** The beginning of what it printed as errors, or of everything where these are not apart. */
  readonly complaint: string;
  /** What the model will read. */
  readonly shown: string;
};

export type LookOutcome = {
  /** Why it should be run normally, if a person permits it. */
  readonly blocked?: string;
  /** For the model: what of the result is not as it would be elsewhere. */
  readonly note?: string;
};

export type LookedWith = {
  /** Hidden in the workspace; where others lie is nobody's business. */
  readonly hidden: readonly string[];
  /** Outside of the view nothing is closed to root. */
  readonly isRoot: boolean;
};

/** As the C library and Node word them. In other languages they are not recognised, and the result has a note. */
const signs: readonly { readonly pattern: RegExp; readonly why: string }[] = [
  { pattern: /^bwrap: /, why: "the view could not be set up" },
  { pattern: /Read-only file system|\bEROFS\b/, why: "it tried to write" },
  {
    pattern:
      /Network is unreachable|name resolution|Could not resolve host|\bENETUNREACH\b|\bEAI_AGAIN\b|\bENOTFOUND\b/,
    why: "it tried to reach the network",
  },
];

const closed = /Permission denied|\bEACCES\b/;
const namesMax = 5;

export function lookOutcome(end: LookEnd, { hidden, isRoot }: LookedWith): LookOutcome {
  const named = hidden.filter((path) => end.shown.includes(basename(path)) || end.complaint.includes(basename(path)));
  if (end.exitCode === 0) return noteOn(named);
  const sign = signs.find(({ pattern }) => pattern.test(end.complaint));
  if (sign !== undefined) return { blocked: sign.why };
  if (closed.test(end.complaint)) {
    if (named.length > 0 && !end.hasOutput)
      return { blocked: `${namesOf(named)} may contain secrets and is hidden there` };
    if (named.length === 0 && isRoot) return { blocked: "it tried to read a file of another user" };
  }
  if (named.length > 0) return noteOn(named);
  return end.complaint === "" ? {} : { note: "(ran in a read-only view without network)" };
}

function noteOn(named: readonly string[]): LookOutcome {
  if (named.length === 0) return {};
  return {
    note: `(hidden from commands that run without permission: ${namesOf(named)}; size, mode and content are not the real ones)`,
  };
}

function namesOf(paths: readonly string[]): string {
  const names = [...new Set(paths.map((path) => basename(path)))];
  const more = names.length - namesMax;
  return names.slice(0, namesMax).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
