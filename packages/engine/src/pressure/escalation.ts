/** Notices a command that was refused or failed and comes back with force. */
import { commandSegments } from "./command-words.ts";
import { overrideOptions, raisingPrograms, rightsPrograms } from "./override-options.ts";
import { hasFailed, type ObservedCall } from "./signals.ts";

export type EarlierFailure = { readonly command: string; readonly error: string };

export interface EscalationWatch {
  /** Every finished or refused call in order, those without a command as well: they count among the last ones. */
  observe(call: Pick<ObservedCall, "outcome" | "exitCode" | "output" | "command">): void;
  /** The failed command that this one repeats with an added override; undefined if there is none. */
  earlierFailure(command: string): EarlierFailure | undefined;
}

const callsMax = 10;
const errorCharactersMax = 500;

type Segment = {
  /** Sorted, because the order of options says nothing; without overrides. */
  readonly words: readonly string[];
  readonly overrides: readonly string[];
};

type SeenCall = {
  readonly segments: readonly Segment[];
  /** Whose rights it changed. */
  readonly rightsOf: ReadonlySet<string>;
  readonly failure: EarlierFailure | undefined;
};

export function createEscalationWatch(): EscalationWatch {
  let seen: readonly SeenCall[] = [];
  return {
    observe(call) {
      seen = [...seen, see(call)].slice(-callsMax);
    },
    earlierFailure(command) {
      const now = segmentsOf(command);
      for (let index = seen.length - 1; index >= 0; index -= 1) {
        const earlier = seen[index];
        if (earlier?.failure === undefined) continue;
        const rightsSince = new Set([...seen.slice(index + 1), now].flatMap(({ rightsOf }) => [...rightsOf]));
        if (now.segments.some((segment) => insists(segment, earlier, rightsSince))) return earlier.failure;
      }
      return undefined;
    },
  };
}

function see({ command, output, ...end }: Parameters<EscalationWatch["observe"]>[0]): SeenCall {
  if (command === undefined) return { segments: [], rightsOf: new Set(), failure: undefined };
  const failure = hasFailed(end) ? { command, error: lastLines(output) } : undefined;
  return { ...segmentsOf(command), failure };
}

function insists(now: Segment, earlier: SeenCall, rightsSince: ReadonlySet<string>): boolean {
  return earlier.segments.some((segment) => {
    const added = now.overrides.filter((word) => !segment.overrides.includes(word));
    if (added.length === 0) {
      const isSame = isEqual(now.words, segment.words) && isEqual(now.overrides, segment.overrides);
      return isSame && now.words.some((word) => rightsSince.has(withoutDot(word)));
    }
    const gentle = new Set(added.flatMap(insteadOf));
    return isEqual(
      now.words,
      segment.words.filter((word) => !gentle.has(word)),
    );
  });
}

function segmentsOf(command: string): Pick<SeenCall, "segments" | "rightsOf"> {
  const segments: Segment[] = [];
  const rightsOf = new Set<string>();
  for (const segment of commandSegments(command)) {
    const raisers = segment.findIndex((word) => !raisingPrograms.has(word));
    const words = segment.slice(Math.max(0, raisers)).flatMap(singleOptions);
    if (rightsPrograms.has(words[0] ?? "")) for (const word of words.slice(1)) rightsOf.add(withoutDot(word));
    const isOverride = (word: string) => overrideOptions.some((option) => option.word.test(word));
    segments.push({
      words: words.filter((word) => !isOverride(word)).toSorted(),
      overrides: [...segment.slice(0, Math.max(0, raisers)), ...words.filter(isOverride)].toSorted(),
    });
  }
  return { segments, rightsOf };
}

/** `-rf` is `-r -f`. */
function singleOptions(word: string): readonly string[] {
  return /^-[A-Za-z]{2,4}$/.test(word) ? [...word.slice(1)].map((letter) => `-${letter}`) : [word];
}

function insteadOf(word: string): readonly string[] {
  return overrideOptions.find((option) => option.word.test(word))?.insteadOf ?? [];
}

function withoutDot(word: string): string {
  return word.replace(/^\.\//, "");
}

function isEqual(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((word, index) => word === right[index]);
}

/** Programs say at the end what went wrong. */
function lastLines(output: string): string {
  return output.trim().slice(-errorCharactersMax);
}
