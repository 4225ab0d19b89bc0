/** Writes the head of an HTTP/1.1 request, and refuses what would let a value break out of its line. */
import { headerName } from "./header-name.ts";

export type UnsendableHeader = {
  readonly kind: "unsendable";
  readonly code: "ERR_INVALID_HTTP_TOKEN" | "ERR_INVALID_CHAR";
};

export type RequestHead = { readonly kind: "head"; readonly text: string };

export type RequestLines = {
  readonly path: string;
  /** Names and values in turn, `host` among them. */
  readonly headers: readonly string[];
  readonly bodyBytes: number;
};

const forbiddenInValue = /[^\t\x20-\x7e\x80-\xff]/;

/** The text is all Latin-1, the only encoding HTTP has for values. */
export function requestHead({ path, headers, bodyBytes }: RequestLines): RequestHead | UnsendableHeader {
  let text = `POST ${path} HTTP/1.1\r\n`;
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? "";
    const value = headers[index + 1] ?? "";
    if (!headerName.test(name)) return { kind: "unsendable", code: "ERR_INVALID_HTTP_TOKEN" };
    if (forbiddenInValue.test(value)) return { kind: "unsendable", code: "ERR_INVALID_CHAR" };
    text += `${name}: ${value}\r\n`;
  }
  return { kind: "head", text: `${text}content-length: ${bodyBytes}\r\n\r\n` };
}
