/** A document as a result: its text by lines, or a word that it could not be converted. */
import type { ToolOutput } from "@kedge/protocol";
import { ArchiveProblem } from "../archive/archive-entry.ts";
import { isDamage } from "../archive/archive-reading.ts";
import type { PackedFile } from "../archive/tar-entries.ts";
import { sizeInWords } from "../in-words.ts";
import { showLines, type Target } from "../selection.ts";
import { createLineWindow } from "../text/line-window.ts";
import type { DocumentKind } from "./document-kind.ts";
import { documentText } from "./document-text.ts";

const documentBytesMax = 64 * 1_024 * 1_024;
const advice = "Convert a copy with bash (pandoc -t plain, or libreoffice --headless --convert-to txt) and read that.";

export async function readDocument(kind: DocumentKind, file: PackedFile, target: Target): Promise<ToolOutput> {
  const { path, title, selection } = target;
  const refuse = (problem: string): ToolOutput => ({
    output: `${path} could not be converted to text: ${problem} ${advice}`,
    isError: true,
    title,
  });
  if (file.sizeBytes > documentBytesMax)
    return refuse(`It has ${sizeInWords(file.sizeBytes)}; at most ${sizeInWords(documentBytesMax)} can be read.`);
  try {
    const text = await documentText(kind, file);
    if (text.trim() === "") return { output: "(the document has no text)", title };
    const window = createLineWindow(selection.ranges, selection);
    window.addText(text);
    const { output } = showLines(window, target, { unit: "lines" });
    // The lines are those of the text, not of the file, so no edit by line may rely on them.
    return { output, title, metadata: { totalLines: window.lineCount() } };
  } catch (error) {
    if (error instanceof ArchiveProblem) return refuse(error.message);
    if (isDamage(error)) return refuse(`It is damaged (${error.code}).`);
    throw error;
  }
}
