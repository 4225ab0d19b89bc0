// Covers what is not plain text: pictures, PDF documents and notebooks.
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../../test/workshop.ts";
import { hashContent } from "../../file-content.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

const read = (input: unknown, context = workshop.newContext()) => workshop.run("read", input, context);
const latin = (text: string) => Buffer.from(text, "latin1");

const pictures = [
  ["PNG", "image/png", latin("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x03\x20\0\0\x02\x58\x08\x06\0\0\0")],
  ["GIF", "image/gif", latin("GIF89a\x20\x03\x58\x02\0\0\0")],
  [
    "JPEG",
    "image/jpeg",
    latin("\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xff\xc2\0\x11\x08\x02\x58\x03\x20\x03"),
  ],
  ["WebP", "image/webp", latin("RIFF\x1a\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x1f\x03\0\x57\x02\0")],
  ["WebP", "image/webp", latin("RIFF\x1a\0\0\0WEBPVP8L\x0a\0\0\0\x2f\x1f\xc3\x95\0")],
  ["WebP", "image/webp", latin("RIFF\x1a\0\0\0WEBPVP8 \x0a\0\0\0\0\0\0\x9d\x01\x2a\x20\x03\x58\x02")],
] as const;

test.each(pictures)("a %s picture comes as %s beside its size, whatever its name", async (name, mediaType, bytes) => {
  workshop.put("picture.txt", bytes);
  expect(await read({ filePath: "picture.txt" })).toEqual({
    output: `(${name} image, 800x600 pixels, ${bytes.length} bytes)`,
    title: "picture.txt",
    metadata: { mediaType, sizeBytes: bytes.length },
    media: [{ name: "picture.txt", mediaType, base64: bytes.toString("base64") }],
  });
});

test("a picture with a broken header is shown without its measures, one that models refuse is refused", async () => {
  workshop.put("cut.png", latin("\x89PNG\r\n\x1a\n\0"));
  expect((await read({ filePath: "cut.png" })).output).toBe("(PNG image, 9 bytes)");
  const advice = "Make a smaller copy with bash (for example: magick IN -resize 1568x1568 OUT.jpg) and read that.";
  workshop.put("wide.gif", latin("GIF89a\x41\x1f\x58\x02\0\0\0"));
  expect(await read({ filePath: "wide.gif" })).toEqual({
    output: `${workshop.at("wide.gif")} is 8001x600 pixels; models take at most 8000 on a side. ${advice}`,
    isError: true,
    title: "wide.gif",
  });
  workshop.put("big.png", Buffer.concat([pictures[0][2], Buffer.alloc(6 * 1_024 * 1_024)]));
  expect(await read({ filePath: "big.png" })).toEqual({
    output: `${workshop.at("big.png")} is a PNG image of 6.0 MB; models take at most 3.8 MB. ${advice}`,
    isError: true,
    title: "big.png",
  });
});

test("the pages of a PDF come as text, and the rest is offered", async () => {
  workshop.put("two.pdf", pdf(["First page", ""]));
  expect(await read({ filePath: "two.pdf" })).toEqual({
    output:
      "1|# page 1\n2|First page\n3|second line\n4|# page 2\n5|(no text on this page)\n(pages 1-2 of 2, lines 1-5 of 5)",
    title: "two.pdf",
    metadata: { firstPage: 1, lastPage: 2, totalPages: 2 },
  });
  workshop.put("long.pdf", pdf(Array.from({ length: 45 }, (_, index) => `Page ${index + 1}`)));
  const footer = async (pages?: string) =>
    (await read({ filePath: "long.pdf", ...(pages !== undefined && { pages }) })).output.split("\n").at(-1);
  expect(await footer()).toBe('(pages 1-20 of 45, lines 1-60 of 60; continue with pages "21-40")');
  expect(await footer("41-")).toBe("(pages 41-45 of 45, lines 1-15 of 15)");
  expect(await footer("7")).toBe('(pages 7-7 of 45, lines 1-3 of 3; continue with pages "8-27")');
  expect(await footer("44-60")).toBe("(pages 44-45 of 45, lines 1-6 of 6)");
  expect(await footer("1-21")).toBe("pages 1-21 are too many; at most 20 can be read at a time.");
  expect(await footer("46")).toBe("The document has only 45 pages; page 46 is past the end.");
  expect(await footer("5-2")).toBe("pages 5-2 is not a range: pages count from 1, and the end follows the start.");
  expect(await footer("two")).toBe('pages must look like "3" or "1-5", not "two".');
  expect((await read({ filePath: "long.pdf", offset: 4, limit: 2 })).output).toBe(
    "4|# page 2\n5|Page 2\n(pages 1-20 of 45, lines 4-5 of 60; continue with offset 6 and the same pages)",
  );
});

test("a PDF without text comes as it is, unless it is too long", async () => {
  const bytes = pdf(["", ""]);
  workshop.put("scan.pdf", bytes);
  expect(await read({ filePath: "scan.pdf" })).toEqual({
    output: `(PDF of 2 pages without text, ${bytes.length} bytes; shown as it is)`,
    title: "scan.pdf",
    metadata: { firstPage: 1, lastPage: 2, totalPages: 2 },
    media: [{ name: "scan.pdf", mediaType: "application/pdf", base64: bytes.toString("base64") }],
  });
  workshop.put("scans.pdf", pdf(Array.from({ length: 21 }, () => "")));
  const long = await read({ filePath: "scans.pdf" });
  expect([long.isError, long.media]).toEqual([true, undefined]);
  expect(long.output).toMatch(/has no text on pages 1-20 of 21 .*\(pdftoppm/);
});

test("a PDF that is locked or damaged is refused in words, and a stopped call stops", async () => {
  workshop.put("locked.pdf", pdf(["Secret"], { isLocked: true }));
  expect(await read({ filePath: "locked.pdf" })).toEqual({
    output: `${workshop.at("locked.pdf")} is a PDF protected by a password. Read a copy without it, made by someone who knows it (qpdf --decrypt).`,
    isError: true,
    title: "locked.pdf",
  });
  workshop.put("damaged.pdf", "%PDF-1.7\nrest");
  expect(await read({ filePath: "damaged.pdf" })).toEqual({
    output: `${workshop.at("damaged.pdf")} is a damaged PDF: Invalid PDF structure. Try to repair a copy.`,
    isError: true,
    title: "damaged.pdf",
  });
  workshop.put("a.pdf", pdf(["First"]));
  expect(await read({ filePath: "a.pdf" }, workshop.newContext(AbortSignal.abort()))).toMatchObject({
    output: "Reading was interrupted.",
    isError: true,
  });
});

test("a notebook reads like a script, with short outputs, and may be changed afterwards", async () => {
  const json = JSON.stringify({
    cells: [
      { cell_type: "markdown", id: "intro", source: ["# Title\n", "text"] },
      {
        cell_type: "code",
        source: "print(1)\nplot()",
        outputs: [
          { output_type: "stream", name: "stdout", text: ["1\n"] },
          { output_type: "display_data", data: { "image/png": "aGk=", "text/plain": "<Figure>" } },
          { output_type: "error", ename: "ValueError", evalue: "no", traceback: [] },
          { output_type: "stream", name: "stdout", text: "z\n".repeat(50) },
        ],
      },
      "broken",
    ],
    nbformat: 4,
  });
  const path = workshop.put("a.ipynb", json);
  const { output } = await read({ filePath: "a.ipynb" });
  const text = output
    .split("\n")
    .slice(0, -1)
    .map((row) => row.slice(row.indexOf("|") + 1));
  expect(text).toEqual([
    "# %% [markdown] cell:1 id:intro",
    "# Title",
    "text",
    "",
    "# %% [code] cell:2",
    "print(1)",
    "plot()",
    "# output:",
    "# 1",
    "# output (also image/png, not shown):",
    "# <Figure>",
    "# error:",
    "# ValueError: no",
    "# output:",
    ...Array.from({ length: 20 }, () => "# z"),
    "# … (cut; 99 characters)",
    "",
    "# %% [unknown] cell:3",
  ]);
  expect(workshop.files.known(path)).toBe(hashContent(json));
  expect((await read({ filePath: "a.ipynb:raw" })).output).toBe(`${json}\n`);
  workshop.put("no.ipynb", "[1]\n");
  expect((await read({ filePath: "no.ipynb" })).output).toBe(
    "(not a valid notebook; shown as text)\n1|[1]\n(lines 1-1 of 1)",
  );
});

/** A document with one text per page. A locked one has keys that fit no password, so that none opens it. */
function pdf(pages: readonly string[], { isLocked = false } = {}): Buffer {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${pages.map((_, index) => `${4 + index * 2} 0 R`).join(" ")}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  for (const [index, text] of pages.entries()) {
    const drawn = text === "" ? "" : `BT /F1 12 Tf 72 720 Td (${text}) Tj 0 -20 Td (second line) Tj ET`;
    const resources = "/Resources << /Font << /F1 3 0 R >> >>";
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + index * 2} 0 R ${resources} >>`,
      `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
    );
  }
  let text = "%PDF-1.4\n";
  const places = objects.map((object, index) => {
    const place = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const key = "41".repeat(32);
  const lock = `/ID [<${"00".repeat(16)}> <${"00".repeat(16)}>] /Encrypt << /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -4 >>`;
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${isLocked ? lock : ""} >>\nstartxref\n${start}\n%%EOF\n`;
  return latin(text);
}
