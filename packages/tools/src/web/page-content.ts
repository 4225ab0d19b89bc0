/** Tells what a page is, text in which encoding, HTML, a picture or neither, by its type and its first bytes. */
import { isUtf8 } from "node:buffer";
import { looksBinary } from "../file-content.ts";
import type { WebPage } from "./fetch-page.ts";

export type PageContent =
  | { readonly kind: "html"; readonly text: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image"; readonly mediaType: string }
  | { readonly kind: "refused"; readonly problem: string };

/** Pictures that models can see, each with the bytes it begins with. */
const pictures: readonly (readonly [mediaType: string, start: RegExp])[] = [
  ["image/png", /^\x89PNG/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8/],
  ["image/webp", /^RIFF.{4}WEBP/s],
];

const textTypes =
  /^(?:text\/.+|application\/(?:json|xml|javascript|ecmascript|x-?yaml|toml|x-ndjson|graphql|sql)|.+\+(?:json|xml|yaml))$/;
const htmlTypes: readonly string[] = ["text/html", "application/xhtml+xml"];
const sniffedBytesMax = 4_096;

export function readContent({ url, contentType, body }: WebPage): PageContent {
  const mediaType = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const start = body.toString("latin1", 0, sniffedBytesMax);
  const picture = pictures.find(([, beginning]) => beginning.test(start));
  if (picture !== undefined) return { kind: "image", mediaType: picture[0] };
  if (mediaType !== "" && !textTypes.test(mediaType)) {
    return refuse(`${url} is ${mediaType}, which cannot be shown. To keep it as a file, download it with bash.`);
  }
  const text = decode(body, charsetOf(body, start, contentType));
  if (text === undefined) return refuse(`${url} is binary although it says otherwise. Download it with bash instead.`);
  const isHtml = htmlTypes.includes(mediaType) || (mediaType === "" && /^\s*<(?:!doctype html|html)\b/i.test(text));
  return { kind: isHtml ? "html" : "text", text };
}

/** In the order in which browsers believe them: the mark in the bytes, the header, the page itself. */
function charsetOf(body: Buffer, start: string, contentType: string): string | undefined {
  if (start.startsWith("\xef\xbb\xbf")) return "utf-8";
  if (start.startsWith("\xff\xfe")) return "utf-16le";
  if (start.startsWith("\xfe\xff")) return "utf-16be";
  const inHeader = /;\s*charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType)?.[1];
  if (inHeader !== undefined && isKnownCharset(inHeader)) return inHeader;
  const inPage = /<meta[^>]{1,200}charset\s*=\s*["']?([\w:.-]+)|<\?xml[^>]{1,100}encoding\s*=\s*["']([\w:.-]+)/i.exec(
    start,
  );
  const stated = inPage?.[1] ?? inPage?.[2];
  // Whoever could read the statement byte by byte was not reading UTF-16.
  if (stated !== undefined && isKnownCharset(stated) && !/^utf-?16/i.test(stated)) return stated;
  return isUtf8(body) ? "utf-8" : undefined;
}

function isKnownCharset(label: string): boolean {
  try {
    return new TextDecoder(label) !== undefined;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Undefined for what is no text. */
function decode(body: Buffer, charset = "windows-1252"): string | undefined {
  const isWide = /^utf-?16/i.test(charset);
  if (!isWide && looksBinary(body)) return undefined;
  const text = new TextDecoder(charset).decode(body);
  return isWide && text.includes("\0") ? undefined : text;
}

function refuse(problem: string): PageContent {
  return { kind: "refused", problem };
}
