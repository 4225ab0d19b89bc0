/** A PDF as a result: the text of its pages, or the document itself where its pages are only pictures. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { ToolOutput } from "@kedge/protocol";
import { sizeInWords } from "../in-words.ts";
import { createLineWindow, type LineRange } from "../text/line-window.ts";
import { pagesMax } from "./page-range.ts";
import { extractPdfText } from "./pdf-text.ts";

export type PdfFile = {
  readonly descriptor: number;
  readonly sizeBytes: number;
  readonly path: string;
  readonly title: string;
  readonly pages: string | undefined;
  /** Lines of the extracted text. */
  readonly ranges: readonly LineRange[];
  readonly signal: AbortSignal;
};

const pdfBytesMax = 64 * 1_024 * 1_024;
/** In base64 it still fits into the requests of the vendors that take documents. */
const attachedBytesMax = 20 * 1_024 * 1_024;

export async function readPdf(file: PdfFile): Promise<ToolOutput> {
  const { path, title, sizeBytes } = file;
  const refuse = (problem: string): ToolOutput => ({ output: problem, isError: true, title });
  if (sizeBytes > pdfBytesMax)
    return refuse(
      `${path} is a PDF of ${sizeInWords(sizeBytes)}; at most ${sizeInWords(pdfBytesMax)} can be read. Extract its text with bash (pdftotext -f 1 -l 20).`,
    );
  const bytes = readFileSync(file.descriptor);
  const extracted = await extractPdfText({ path, bytes, pages: file.pages, signal: file.signal });
  if (extracted.kind === "interrupted") return refuse("Reading was interrupted.");
  if (extracted.kind === "refused") return refuse(extracted.problem);

  const { pages, total } = extracted;
  const metadata = { firstPage: pages.first, lastPage: pages.last, totalPages: total };
  if (!extracted.hasWords) {
    if (total > pagesMax || sizeBytes > attachedBytesMax)
      return refuse(
        `${path} has no text on pages ${pages.first}-${pages.last} of ${total} (${sizeInWords(sizeBytes)}); it is too long to be shown as it is. Turn single pages into pictures with bash (pdftoppm -png -f 1 -l 1) and read those.`,
      );
    return {
      output: `(PDF of ${total} pages without text, ${sizeInWords(sizeBytes)}; shown as it is)`,
      title,
      metadata,
      media: [{ name: basename(path), mediaType: "application/pdf", base64: bytes.toString("base64") }],
    };
  }
  const window = createLineWindow(file.ranges);
  window.addText(extracted.text);
  const { rows, shown, last, total: lines } = window.result();
  const moreLines = last < lines ? `; continue with offset ${last + 1} and the same pages` : "";
  const morePages =
    pages.last < total ? `; continue with pages "${pages.last + 1}-${Math.min(total, pages.last + pagesMax)}"` : "";
  return {
    output: `${rows}(pages ${pages.first}-${pages.last} of ${total}, lines ${shown === "" ? "none" : shown} of ${lines}${moreLines || morePages})`,
    title,
    metadata,
  };
}
