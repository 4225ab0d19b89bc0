import { expect, test } from "vitest";
import { readContent } from "./page-content.ts";

const latin = (text: string) => Buffer.from(text, "latin1");
const wide = (text: string) => Buffer.from(text, "utf16le");

test.each<[string, string, Buffer, string]>([
  ["the header", "text/plain; charset=ISO-8859-1", latin("grün"), "grün"],
  ["a quoted header", 'text/plain; Charset="iso-8859-2"', Buffer.from([0xb9]), "š"],
  ["a header against the bytes", "text/plain; charset=utf-8", latin("gr\xfcn"), "gr\ufffdn"],
  ["a header that names nothing", "text/plain; charset=bogus", Buffer.from("grün"), "grün"],
  ["no statement, UTF-8", "text/plain", Buffer.from("grün 漢"), "grün 漢"],
  ["no statement, other bytes", "text/plain", latin("gr\xfcn \x80"), "grün €"],
  ["a mark of UTF-8", "text/plain; charset=latin1", Buffer.from("\ufeffgrün"), "grün"],
  ["a mark of UTF-16", "text/plain", wide("\ufeffgrün"), "grün"],
  ["a mark of big UTF-16", "text/plain; charset=utf-8", wide("\ufeffgrün").swap16(), "grün"],
  ["UTF-16 in the header", "text/plain; charset=utf-16le", wide("grün"), "grün"],
  ["Japanese in the header", "text/plain; charset=Shift_JIS", Buffer.from([0x93, 0xfa, 0x96, 0x7b]), "日本"],
  ["an XML statement", "application/xml", latin('<?xml version="1.0" encoding="latin1"?>gr\xfcn'), "grün"],
])("the encoding is told by %s", (_, contentType, body, expected) => {
  const content = readContent({ url: "u", contentType, body });
  expect(content.kind === "text" && content.text.replace(/^<\?xml.*\?>/, "")).toBe(expected);
});

test("a page may state its own encoding, except one in which the statement could not be read", () => {
  const text = (body: Buffer) => readContent({ url: "u", contentType: "text/html", body });
  expect([
    text(latin('<meta charset="windows-1252">\x80')),
    text(latin('<meta http-equiv="content-type" content="text/html; charset=latin1">\xfc')),
    text(Buffer.from('<meta charset="utf-16">ü')),
  ]).toEqual([
    { kind: "html", text: '<meta charset="windows-1252">€' },
    { kind: "html", text: '<meta http-equiv="content-type" content="text/html; charset=latin1">ü' },
    { kind: "html", text: '<meta charset="utf-16">ü' },
  ]);
});

test.each<[string, string, string]>([
  ["text/html", "x", "html"],
  ["application/xhtml+xml; charset=utf-8", "x", "html"],
  ["", "  <!DOCTYPE html><p>x", "html"],
  ["", "plain", "text"],
  ["text/markdown", "# x", "text"],
  ["application/json", "{}", "text"],
  ["application/ld+json", "{}", "text"],
  ["application/rss+xml", "<rss/>", "text"],
  ["image/svg+xml", "<svg/>", "text"],
  ["application/javascript", "x()", "text"],
  ["text/plain", "\xff\xd8\xff\xe0", "image"],
  ["image/webp", "RIFF\x01\x02\x03\x04WEBP", "image"],
  ["image/gif", "GIF89a", "image"],
  ["image/bmp", "BM", "refused"],
  ["application/zip", "PK", "refused"],
  ["application/octet-stream", "text", "refused"],
  ["text/plain", "%PDF-1.4", "refused"],
  ["text/html", "a\0b", "refused"],
  ["text/plain; charset=utf-16le", "\0\0\0\0", "refused"],
])("%s with %j is %s", (contentType, body, expected) => {
  expect(readContent({ url: "u", contentType, body: latin(body) }).kind).toBe(expected);
});
