// Covers office documents, books and rich text: their words come as lines, and what cannot be converted is told.
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../../test/workshop.ts";
import { createReadTool } from "../read.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

const tool = createReadTool();
const read = (filePath: string, context = workshop.newContext()) => tool.run({ filePath }, context);

/** Members that are stored as they are. */
function zip(members: { readonly [name: string]: string }): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(members)) {
    const bytes = Buffer.from(content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(bytes.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    parts.push(Buffer.concat([Buffer.from("PK\x03\x04"), fields, Buffer.from(name), bytes]));
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\0"), fields, place, Buffer.from(name)]));
    offset += parts.at(-1)?.length ?? 0;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, list, end]);
}

test("a text document comes by its paragraphs, without field codes and deleted words", async () => {
  const xml = `<?xml version="1.0"?><w:document xmlns:w="x"><w:body>
    <w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>A &amp; B</w:t></w:r></w:p>
    <w:p><w:r><w:t xml:space="preserve">one </w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:t>two&#x20AC;</w:t><w:br/><w:t>three</w:t></w:r></w:p>
    <w:p/><w:tbl><w:tr><w:tc><w:p><w:r><w:t>cell</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
    <w:p><w:r><w:instrText>PAGE</w:instrText><w:t>last</w:t></w:r></w:p></w:body></w:document>`;
  workshop.put("a.docx", zip({ "[Content_Types].xml": "", "word/document.xml": xml }));
  expect(await read("a.docx")).toEqual({
    output: "1|A & B\n2|one two€\n3|three\n4|\n5|cell\n6|last\n(lines 1-6 of 6)",
    title: "a.docx",
    metadata: { totalLines: 6 },
  });
  expect((await read("a.docx:2-2")).output).toBe(
    "1|A & B\n2|one two€\n3|three\n4|\n5|cell\n(lines 1-5 of 6; continue with a.docx:6)",
  );
  expect(workshop.files.known(workshop.at("a.docx"))).toBeUndefined();
});

test("slides come in their order, sheets as rows of cells, open documents by paragraphs", async () => {
  const slide = (text: string) => `<p:sld><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sld>`;
  workshop.put(
    "a.pptx",
    zip({
      "ppt/slides/slide10.xml": slide("ten"),
      "ppt/slides/slide2.xml": slide("two"),
      "ppt/notesSlides/notesSlide1.xml": slide("note"),
    }),
  );
  expect((await read("a.pptx")).output).toBe("1|# slide 2\n2|two\n3|# slide 10\n4|ten\n(lines 1-4 of 4)");
  workshop.put(
    "a.xlsx",
    zip({
      "xl/sharedStrings.xml": "<sst><si><t>name</t></si><si><r><t>two </t></r><r><t>runs</t></r></si></sst>",
      "xl/worksheets/sheet1.xml": `<worksheet><cols><col min="1"/></cols><sheetData>
        <row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>
        <row r="2"><c r="A2"><f>1+1</f><v>2</v></c><c r="B2" s="1"/><c r="C2" t="inlineStr"><is><t>in
line</t></is></c></row><row r="3"><c r="XFD3"><v>far</v></c></row></sheetData></worksheet>`,
    }),
  );
  expect((await read("a.xlsx")).output).toBe(
    `1|# sheet 1\n2|name\t\ttwo runs\n3|2\t\tin line\n4|${"\t".repeat(100)}far\n(lines 1-4 of 4)`,
  );
  workshop.put(
    "a.odt",
    zip({
      "content.xml": `<office:document-content><style:x>no</style:x><office:body><text:h>Head</text:h>
        <text:p>a<text:s/>b<text:tab/>c &lt;d&gt;</text:p></office:body></office:document-content>`,
    }),
  );
  expect((await read("a.odt")).output).toBe("1|Head\n2|a b\tc <d>\n(lines 1-2 of 2)");
});

test("a book comes by the chapters of its spine", async () => {
  workshop.put(
    "a.epub",
    zip({
      "META-INF/container.xml": `<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`,
      "OEBPS/book.opf": `<package><manifest><item id="b" href="text/b%20two.xhtml"/><item href='a.xhtml' id='a'/>
        <item id="css" href="s.css"/></manifest><spine><itemref idref="a"/><itemref idref="b"/><itemref idref="lost"/></spine></package>`,
      "OEBPS/text/b two.xhtml": "<html><body><p>second chapter</p></body></html>",
      "OEBPS/a.xhtml": "<html><head><title>T</title></head><body><h1>First</h1><p>words &amp; more</p></body></html>",
    }),
  );
  const { output } = await read("a.epub");
  expect(
    output
      .split("\n")
      .map((row) => row.replace(/^\d+\|/, ""))
      .filter((row) => row !== ""),
  ).toEqual([
    "# OEBPS/a.xhtml",
    "First",
    "words & more",
    "# OEBPS/text/b two.xhtml",
    "second chapter",
    expect.stringMatching(/^\(lines 1-\d+ of \d+\)$/),
  ]);
  expect(await read("a.epub", workshop.newContext(AbortSignal.abort()))).toMatchObject({
    output: expect.stringContaining("Reading was interrupted."),
    isError: true,
  });
});

test("rich text comes without its tables of fonts, with its special characters", async () => {
  const rtf = String.raw`{\rtf1\ansi{\fonttbl{\f0 Arial;}}{\*\generator Some Writer;}{\info{\author Me}}\uc1
\pard Gr\'fc\'dfe \b bold\b0 \u8364?\u20320? \{x\}\par second\tab line\line third}`;
  workshop.put("a.rtf", rtf);
  expect((await read("a.rtf")).output).toBe("1|Grüße bold€你 {x}\n2|second\tline\n3|third\n(lines 1-3 of 3)");
  expect((await read("a.rtf:raw")).output).toBe(`${rtf}\n`);
  workshop.put("plain.rtf", "no rich text\n");
  expect((await read("plain.rtf")).output).toBe("1|no rich text\n(lines 1-1 of 1)");
});

test("what cannot be converted says what to do", async () => {
  const advice =
    "Convert a copy with bash (pandoc -t plain, or libreoffice --headless --convert-to txt) and read that.";
  workshop.put("a.docx", zip({ "other.xml": "" }));
  workshop.put("cut.docx", zip({ "word/document.xml": "<w:t>x</w:t>" }).subarray(0, 40));
  workshop.put("empty.docx", zip({ "word/document.xml": "<w:p></w:p>" }));
  workshop.put("old.doc", Buffer.from("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", "latin1"));
  expect(await read("a.docx")).toEqual({
    output: `${workshop.at("a.docx")} could not be converted to text: It has no word/document.xml. ${advice}`,
    isError: true,
    title: "a.docx",
  });
  expect((await read("cut.docx")).output).toBe(
    `${workshop.at("cut.docx")} could not be converted to text: It is damaged: its list of entries is missing. ${advice}`,
  );
  expect((await read("empty.docx")).output).toBe("(the document has no text)");
  workshop.put("deep.rtf", `{\\rtf1${"{".repeat(5_000)}`);
  expect((await read("deep.rtf")).output).toContain("It is nested more than 1000 groups deep.");
  workshop.put("large.docx", zip({ "word/document.xml": `<w:t>${"x".repeat(16 * 1_024 * 1_024)}</w:t>` }));
  expect((await read("large.docx")).output).toContain("Its text has more than 16.0 MB.");
  expect((await read("old.doc")).output).toContain("old office document (convert a copy with libreoffice");
});
