/** Bounds a stream of output for the model, shows it live, and keeps all of it as an artifact once something is cut. */
import type { Artifact, OutputCut, OutputDump, OutputSink, Redactor } from "@kedge/protocol";
import { createOutputLines } from "./output-lines.ts";
import { createOutputProgress, type OutputProgressOptions } from "./output-progress.ts";
import { countLineEnds, createOutputWindow } from "./output-window.ts";

export type OutputSinkOptions = OutputProgressOptions & {
  /** How much is kept of the beginning and of the end; 60 to 40 serves most readers. */
  readonly headBytes: number;
  readonly tailBytes: number;
  /** Where everything goes once something is left out here. */
  readonly openArtifact: () => Artifact;
  /** Takes secrets out of what is shown and kept, before anything is cut. */
  readonly redactor?: Redactor;
};

export function createOutputSink(options: OutputSinkOptions): OutputSink {
  const progress = createOutputProgress(options);
  let totalBytes = 0;
  let hasCutColumns = false;
  let artifact: Artifact | undefined;
  let lossReason: string | undefined;

  const window = createOutputWindow({ ...options, onFirstCut: keepAll });
  const lines = createOutputLines({
    redactor: options.redactor,
    onText(shown, full, stream) {
      totalBytes += Buffer.byteLength(full);
      if (shown !== full) {
        if (artifact === undefined) keepAll(window.everything());
        hasCutColumns = true;
      }
      window.add(shown, stream);
      guarded(() => artifact?.write(full));
    },
  });

  /** Called before anything is dropped, so that what was kept until then comes first. */
  function keepAll(everything: string): void {
    if (artifact !== undefined) return;
    guarded(() => {
      artifact = options.openArtifact();
      artifact.write(everything);
    });
  }

  /** A full or read-only disk must not end the command whose output it cannot take. */
  function guarded(work: () => void): void {
    if (lossReason !== undefined) return;
    try {
      work();
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
      lossReason = error.message;
    }
  }

  function dump(): OutputDump {
    for (const { text, stream } of lines.end()) progress.add(text, stream);
    progress.flush();
    guarded(() => artifact?.close());
    const { text, isCut, totalLines, shownLines, stderrRanges } = window.view();
    const truncated = isCut || hasCutColumns;
    const separator = text.endsWith("\n") ? "" : "\n";
    const loss = lossReason === undefined ? "" : `${separator}[The rest is lost: ${lossReason}]\n`;
    const output = text + loss;
    return {
      output,
      truncated,
      totalLines,
      totalBytes,
      outputLines: countLineEnds(output) + (output === "" || output.endsWith("\n") ? 0 : 1),
      outputBytes: Buffer.byteLength(output),
      ...(artifact !== undefined && { artifactId: artifact.number }),
      stderrRanges,
      ...(truncated && {
        cut: { direction: directionOf(isCut), truncatedBy: isCut ? "bytes" : "columns", shownRange: shownLines },
      }),
    };
  }

  function directionOf(isCut: boolean): OutputCut["direction"] {
    if (!isCut || options.tailBytes === 0) return "tail";
    return options.headBytes === 0 ? "head" : "middle";
  }

  return {
    write(chunk, stream) {
      progress.add(lines.write(chunk, stream), stream);
    },
    text: () => dump().output,
    dump,
  };
}
