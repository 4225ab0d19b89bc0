/** Takes the text out of some pages of a PDF. */
import { type PageRange, readPageRange } from "./page-range.ts";

export type PdfText =
  | {
      readonly kind: "text";
      readonly text: string;
      /** False for pages that are pictures only. */
      readonly hasWords: boolean;
      readonly pages: PageRange;
      readonly total: number;
    }
  | { readonly kind: "refused"; readonly problem: string }
  | { readonly kind: "interrupted" };

export type PdfSource = {
  readonly path: string;
  readonly bytes: Buffer;
  readonly pages: string | undefined;
  readonly signal: AbortSignal;
};

type PdfDocument = Awaited<ReturnType<typeof import("unpdf")["getDocumentProxy"]>>;

/** Errors only: the parser would print its warnings across the screen. */
const errorsOnly = 0;

/** By these names the parser tells its complaints about a document from its own bugs. */
const complaints = new Set([
  "InvalidPDFException",
  "UnknownErrorException",
  "FormatError",
  "MissingDataException",
  "ParserEOFException",
  "XRefEntryException",
  "XRefParseException",
]);

export async function extractPdfText({ path, bytes, pages, signal }: PdfSource): Promise<PdfText> {
  // Loaded with the first document: the parser has 1.7 MB and no part in the start of the program.
  const { getDocumentProxy } = await import("unpdf");
  let document: PdfDocument | undefined;
  try {
    // The parser takes the memory it is given away from its owner, so it gets a copy.
    document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: errorsOnly });
    const range = readPageRange(pages, document.numPages);
    if (typeof range === "string") return { kind: "refused", problem: range };
    return await extractPages(document, range, signal);
  } catch (error) {
    const problem = describePdfError(error, path);
    if (problem === undefined) throw error;
    return { kind: "refused", problem };
  } finally {
    await document?.loadingTask.destroy();
  }
}

async function extractPages(document: PdfDocument, pages: PageRange, signal: AbortSignal): Promise<PdfText> {
  let text = "";
  let hasWords = false;
  for (let number = pages.first; number <= pages.last; number += 1) {
    if (signal.aborted) return { kind: "interrupted" };
    const words = await textOfPage(document, number);
    hasWords ||= words !== "";
    text += `# page ${number}\n${words === "" ? "(no text on this page)" : words}\n`;
  }
  return { kind: "text", text, hasWords, pages, total: document.numPages };
}

async function textOfPage(document: PdfDocument, number: number): Promise<string> {
  const page = await document.getPage(number);
  const content = await page.getTextContent();
  page.cleanup();
  // Marks of structure stand among the words and have no text of their own.
  const words = content.items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : ""));
  return words.join("").trim();
}

function describePdfError(error: unknown, path: string): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === "PasswordException")
    return `${path} is a PDF protected by a password. Read a copy without it, made by someone who knows it (qpdf --decrypt).`;
  return complaints.has(error.name) ? `${path} is a damaged PDF: ${error.message} Try to repair a copy.` : undefined;
}
