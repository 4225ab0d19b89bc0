/** Replaces an output by one without its noise, and keeps the original where the model can read it. */
import { readFileSync } from "node:fs";
import type { Artifacts, OutputDump } from "@kedge/protocol";
import type { Shortened } from "../bash-result.ts";
import { minimiseOutput } from "./minimise-output.ts";

export type ShortenOptions = {
  readonly command: string;
  readonly dump: OutputDump;
  readonly artifacts: Artifacts;
  /** More than this would be cut again, and with it what the cut of the sink shows. */
  readonly charactersMax: number;
};

const inputBytesMax = 4 * 1_024 * 1_024;

/** Undefined when the output stays as it is. */
export function shortenOutput({ command, dump, artifacts, charactersMax }: ShortenOptions): Shortened | undefined {
  if (dump.totalBytes > inputBytesMax) return undefined;
  try {
    const whole = wholeOutput(dump, artifacts);
    const minimised = minimiseOutput(command, whole);
    if (minimised === undefined || (dump.truncated && minimised.text.length > charactersMax)) return undefined;
    const artifact = artifacts.create("bash-original");
    artifact.write(whole);
    artifact.close();
    return { ...minimised, artifactId: artifact.number };
  } catch (error) {
    // Where the original cannot be kept, nothing is taken out of it.
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

/** What was cut lies in the artifact of the sink. */
function wholeOutput({ output, truncated, artifactId }: OutputDump, artifacts: Artifacts): string {
  const path = truncated && artifactId !== undefined ? artifacts.pathOf(artifactId) : undefined;
  return path === undefined ? output : readFileSync(path, "utf8");
}
