/** Proves that what was hidden or shown in a result never damages the file: in every way to change one. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../test/workshop.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

const file = `# settings\nTOKEN=${"gh"}p_${"a1B2".repeat(9)}\nPORT=80\n`;
const mark = "[REDACTED:github-token]";

const overwriting: readonly (readonly [string, unknown])[] = [
  ["edit", { filePath: "a.env", oldString: "PORT=80", newString: `PORT=81\nTOKEN=${mark}` }],
  ["multi_edit", { filePath: "a.env", edits: [{ oldString: "PORT=80", newString: `TOKEN=${mark}` }] }],
  ["write", { filePath: "a.env", content: `# settings\nTOKEN=${mark}\nPORT=81\n` }],
  ["apply_patch", { patch: `*** Begin Patch\n*** Update File: a.env\n@@\n-PORT=80\n+TOKEN=${mark}\n*** End Patch` }],
];

test.each(overwriting)("%s refuses to write a mark over a secret", async (tool, input) => {
  workshop.put("a.env", file);
  await workshop.run("read", { filePath: "a.env" });
  const result = await workshop.run(tool, input);
  expect(result.output).toContain(`${mark} stands for a secret in a.env that was hidden from you`);
  expect(workshop.text("a.env")).toBe(file);
});

test("other lines of the same file can be changed, and a search for the mark is answered with what to do", async () => {
  workshop.put("a.env", file);
  await workshop.run("read", { filePath: "a.env" });
  const searched = await workshop.run("edit", {
    filePath: "a.env",
    oldString: `TOKEN=${mark}\nPORT=80`,
    newString: "x",
  });
  expect(searched.output).toBe(
    `${mark} in oldString stands for a secret in a.env that was hidden from you; leave that line out of oldString.`,
  );
  await workshop.run("edit", { filePath: "a.env", oldString: "PORT=80", newString: "PORT=81" });
  expect(workshop.text("a.env")).toBe(file.replace("80", "81"));
});

test("a file that has the mark itself can be changed, and a new one may have it", async () => {
  workshop.put("test.ts", `expect(x).toBe("${mark}");\nlet a = 1;\n`);
  await workshop.run("read", { filePath: "test.ts" });
  await workshop.run("edit", {
    filePath: "test.ts",
    oldString: `"${mark}");\nlet a = 1`,
    newString: `"${mark}");\nlet a = 2`,
  });
  expect(workshop.text("test.ts")).toBe(`expect(x).toBe("${mark}");\nlet a = 2;\n`);
  await workshop.run("write", { filePath: "new.md", content: mark });
  expect(workshop.text("new.md")).toBe(mark);
});

test("an invisible character is written as it was shown", async () => {
  workshop.put("a.ts", "const zero = '\u200b';\nlet a = 1;\n");
  await workshop.run("read", { filePath: "a.ts" });
  const shown = { oldString: "'⟨U+200B⟩';\nlet a = 1", newString: "'⟨U+200B⟩';\nlet a = 2" };
  await workshop.run("edit", { filePath: "a.ts", ...shown });
  expect(workshop.text("a.ts")).toBe("const zero = '\u200b';\nlet a = 2;\n");
  workshop.put("b.md", "written as ⟨U+200B⟩ here\n");
  await workshop.run("read", { filePath: "b.md" });
  await workshop.run("edit", { filePath: "b.md", oldString: "⟨U+200B⟩ here", newString: "⟨U+200B⟩ there" });
  expect(workshop.text("b.md")).toBe("written as ⟨U+200B⟩ there\n");
});
