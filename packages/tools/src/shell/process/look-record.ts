/** Keeps of the output of a look what tells later whether being confined stood in its way. */
import type { LookEnd } from "./confined-start.ts";

interface LookRecord {
  add(chunk: string, stream: "stdout" | "stderr"): void;
  ended(exitCode: number | null, shown: string): LookEnd;
}

const keptCharactersMax = 16_384;
/** Errors that were sent where output goes are a few lines, and nothing else. */
const errorLinesMax = 3;

export function createLookRecord({ hasTerminal }: { readonly hasTerminal: boolean }): LookRecord {
  const kept = { stdout: "", stderr: "" };
  return {
    add(chunk, stream) {
      kept[stream] += chunk.slice(0, keptCharactersMax - kept[stream].length);
    },
    ended(exitCode, shown) {
      const isApart = !hasTerminal && kept.stderr !== "";
      const lines = kept.stdout.trimEnd().split("\n").length;
      const hasOutput = isApart ? kept.stdout !== "" : lines > errorLinesMax;
      return { exitCode, hasOutput, complaint: isApart ? kept.stderr : kept.stdout, shown };
    },
  };
}
