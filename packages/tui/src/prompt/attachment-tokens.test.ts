import { expect, test } from "vitest";
import { type Attachment, createAttachmentTokens, isLongPaste } from "./attachment-tokens.ts";

const picture = { name: "a [1]\n.png", mediaType: "image/png", base64: "AA==" };
const paper = { name: "paper.pdf", mediaType: "application/pdf", base64: "BB==" };
const pasted: Attachment = { kind: "text", text: Array(42).fill("line").join("\n") };

test("more than ten lines or two thousand characters are long", () => {
  expect(isLongPaste(Array(10).fill("x").join("\n"))).toBe(false);
  expect(isLongPaste(Array(11).fill("x").join("\n"))).toBe(true);
  expect(isLongPaste("x".repeat(2_000))).toBe(false);
  expect(isLongPaste("x".repeat(2_001))).toBe(true);
});

test("labels tell what was attached and are numbered in their order", () => {
  const tokens = createAttachmentTokens();
  const text = [
    tokens.add(pasted),
    tokens.add({ kind: "media", media: picture }),
    tokens.add({ kind: "media", media: paper }),
    tokens.add({ kind: "text", text: "x".repeat(2_500) }),
    tokens.add({ kind: "path", path: "/tmp/slow.png", isReading: true }),
  ].join(" ");
  const labels =
    "[pasted 42 lines #1] [image a 1 .png #2] [file paper.pdf #3] [pasted 2,500 characters #4] [reading slow.png #5]";
  expect(tokens.labelled(text)).toBe(labels);
  expect(tokens.tokenised(labels)).toBe(text);
  expect(tokens.tokenised("[pasted 42 lines #9]")).toBe("[pasted 42 lines #9]");
});

test("pasted text is sent in full, media beside their labels, each once", () => {
  const tokens = createAttachmentTokens();
  const paste = tokens.add({ kind: "text", text: "one\ntwo" });
  const media = tokens.add({ kind: "media", media: paper });
  const path = tokens.add({ kind: "path", path: "/tmp/a.png", isReading: true });
  const text = `read ${paste} and ${media}, ${media}, ${path}`;
  expect(tokens.expanded(text)).toEqual({
    text: "read one\ntwo and [file paper.pdf #2], [file paper.pdf #2], /tmp/a.png",
    attachments: [paper],
  });
  expect(tokens.textOnly(text)).toBe("read one\ntwo and , , /tmp/a.png");
});

test("what is stored comes back in another prompt and keeps its number", () => {
  const first = createAttachmentTokens();
  first.add(pasted);
  const text = `see ${first.add({ kind: "media", media: paper })} ${first.add({ kind: "path", path: "/tmp/a.png", isReading: true })}`;
  const stored = first.stored(text);
  expect(stored).toEqual({
    text: "see [file paper.pdf #2] /tmp/a.png",
    attachments: [{ label: "[file paper.pdf #2]", attachment: { kind: "media", media: paper } }],
  });
  const second = createAttachmentTokens();
  second.restore(structuredClone(stored.attachments));
  expect(second.expanded(second.tokenised(stored.text))).toEqual({ text: stored.text, attachments: [paper] });
  expect(second.labelOf(second.add(pasted) ?? "")).toBe("[pasted 42 lines #3]");
});

test("a token that was sent stands for nothing any more", () => {
  const tokens = createAttachmentTokens();
  const old = tokens.add(pasted) ?? "";
  tokens.clear();
  const fresh = tokens.add({ kind: "text", text: "new" }) ?? "";
  expect(fresh).not.toBe(old);
  expect(tokens.expanded(`${old}${fresh}`).text).toBe("new");
  expect([tokens.labelOf(old), tokens.labelOf(fresh), tokens.labelOf("a")]).toEqual([
    "",
    "[pasted 3 characters #1]",
    undefined,
  ]);
});
