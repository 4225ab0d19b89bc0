import { expect, test, vi } from "vitest";
import { picture, settled, setUpPrompt } from "../../test/prompt-harness.ts";

const longPaste = Array.from({ length: 42 }, (_, index) => `line ${index}`).join("\n");

test("a long paste is one token that moves, is erased and is sent as one", () => {
  const { prompt, type, press, paste, entries } = setUpPrompt();
  type("see ");
  paste(longPaste);
  type("!");
  expect(prompt.text()).toBe("see [pasted 42 lines #1]!");
  press("left", "left");
  type("this ");
  expect(prompt.text()).toBe("see this [pasted 42 lines #1]!");
  press("right", "backspace");
  expect(prompt.text()).toBe("see this !");
  press("ctrl+_");
  expect(prompt.takeSubmission()).toEqual({ text: `see this ${longPaste}!`, attachments: [] });
  expect(entries).toEqual([`see this ${longPaste}!`]);
  paste("short\r\npaste\u001b[31m");
  expect(prompt.text()).toBe("short\npaste");
});

test("a dropped picture is read and sent beside the text, and not remembered", async () => {
  const asked: string[] = [];
  const { prompt, type, paste, seen, entries } = setUpPrompt({
    readAttachment: async (path) => {
      asked.push(path);
      return picture;
    },
  });
  type("what is ");
  paste("'/tmp/my shot.png'");
  expect(prompt.text()).toBe("what is [reading my shot.png #1]");
  expect(seen(40)[1]).toBe("│ ❯ what is [reading my shot.png #1]▏   │");
  await settled();
  expect(seen(40)[1]).toBe("│ ❯ what is [image shot.png #1]▏        │");
  expect([prompt.text(), asked]).toEqual(["what is [image shot.png #1]", ["/tmp/my shot.png"]]);
  expect(prompt.takeSubmission()).toEqual({ text: "what is [image shot.png #1]", attachments: [picture] });
  expect(entries).toEqual(["what is"]);
});

test("a file that cannot be attached stays a path, with the reason until the next key", async () => {
  const { prompt, type, paste, seen } = setUpPrompt({
    readAttachment: async () => "shot.png is larger than 5 MB; make it smaller.",
  });
  paste("/tmp/shot.png");
  type(" x");
  await settled();
  expect(prompt.text()).toBe("/tmp/shot.png x");
  expect(seen(60).join("\n")).toContain("! shot.png is larger than 5 MB; make it smaller.");
  type("y");
  expect(prompt.text()).toBe("/tmp/shot.png xy");
  expect(seen(60).join("\n")).not.toContain("larger");
});

test("a failed reading is told, and a file nobody wants is text without a word", async () => {
  const failing = setUpPrompt({ readAttachment: () => Promise.reject(new Error("no such file")) });
  failing.paste("/tmp/shot.png");
  await settled();
  expect(failing.seen(80).join("\n")).toContain("! /tmp/shot.png could not be attached: no such file");
  const plain = setUpPrompt();
  plain.paste("/tmp/a.ts");
  await settled();
  expect([plain.prompt.text(), plain.seen(40).length]).toEqual(["/tmp/a.ts", 3]);
});

test("in a line for the shell a path stays a path", async () => {
  const { prompt, type, paste } = setUpPrompt({ readAttachment: async () => picture });
  type("!file ");
  paste("/tmp/shot.png");
  await settled();
  expect(prompt.text()).toBe("!file /tmp/shot.png");
});

test("what is sent while a file is read has its path, and the file comes too late", async () => {
  const { prompt, paste, seen } = setUpPrompt({ readAttachment: async () => "It is too large." });
  paste("/tmp/shot.png");
  expect(prompt.takeSubmission()).toEqual({ text: "/tmp/shot.png", attachments: [] });
  await settled();
  expect([prompt.text(), seen(40).length]).toEqual(["", 3]);
});

test("a picture of the clipboard is attached", () => {
  const { prompt } = setUpPrompt();
  prompt.attach(picture);
  expect(prompt.takeSubmission()).toEqual({ text: "[image shot.png #1]", attachments: [picture] });
});

test("a text with labels from an editor has its attachments again", () => {
  const { prompt, paste } = setUpPrompt();
  paste(longPaste);
  prompt.setText(`before ${prompt.text()} after`);
  expect(prompt.takeSubmission().text).toBe(`before ${longPaste} after`);
});

test("drafts are saved at most every 300 ms, at once on a flush, and come back with their tokens", () => {
  vi.useFakeTimers();
  try {
    const { prompt, type, paste, press, drafts } = setUpPrompt();
    type("a");
    paste(longPaste);
    type("bc");
    press("left");
    expect(drafts).toEqual([]);
    vi.advanceTimersByTime(300);
    const draft = prompt.draft();
    const attachments = [{ label: "[pasted 42 lines #1]", attachment: { kind: "text", text: longPaste } }];
    expect(draft).toEqual({ text: "a[pasted 42 lines #1]bc", cursor: 22, attachments });
    expect(drafts).toEqual([draft]);
    type("x");
    prompt.flush();
    prompt.flush();
    expect(drafts.length).toBe(2);
    vi.advanceTimersByTime(1_000);
    expect(drafts.length).toBe(2);
    prompt.clear();
    prompt.close();
    expect(drafts.at(-1)).toBe(undefined);

    const other = setUpPrompt();
    other.prompt.restore(structuredClone(draft));
    other.type("|");
    expect(other.prompt.text()).toBe("a[pasted 42 lines #1]b|c");
    expect(other.prompt.takeSubmission().text).toBe(`a${longPaste}b|c`);
  } finally {
    vi.useRealTimers();
  }
});
