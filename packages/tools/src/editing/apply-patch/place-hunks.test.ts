import { createSeededRandom } from "@kedge/testing";
import { createTwoFilesPatch, structuredPatch } from "diff";
import { expect, test } from "vitest";
import { parsePatch } from "./parse-patch.ts";
import { placeHunks } from "./place-hunks.ts";

/** Applies the hunks to a file named `a`. */
function place(text: string, ...hunkLines: readonly string[]) {
  const parsed = parsePatch(["*** Update File: a", ...hunkLines, "*** End Patch"].join("\n"));
  if (!parsed.ok) throw new Error(parsed.problem);
  const [file] = parsed.files;
  if (file?.kind !== "update") throw new Error("no update");
  return placeHunks("a", text, file.hunks);
}

function after(text: string, ...hunkLines: readonly string[]): string {
  const placed = place(text, ...hunkLines);
  if (!placed.ok) throw new Error(placed.problem);
  expect(placed.warnings).toEqual([]);
  return placed.after;
}

function problem(text: string, ...hunkLines: readonly string[]): string {
  const placed = place(text, ...hunkLines);
  if (placed.ok) throw new Error(`placed: ${placed.after}`);
  return placed.problem;
}

const numbers = "one\ntwo\nthree\nfour\nfive\nsix\n";

test("a hunk is found by its lines, wherever it says it stands", () => {
  expect(after(numbers, "@@", " two", "-three", "+3", " four")).toBe("one\ntwo\n3\nfour\nfive\nsix\n");
  expect(after(numbers, "@@ -60,3 +70,3 @@", " two", "-three", "+3")).toBe("one\ntwo\n3\nfour\nfive\nsix\n");
});

test("hunks refer to the text as it was, may be out of order and may share context", () => {
  expect(after(numbers, "@@", "-five", "+5", "@@", "-one", "+1", "+1.5")).toBe("1\n1.5\ntwo\nthree\nfour\n5\nsix\n");
  expect(after(numbers, "@@", "-two", "+2", " three", "@@", " three", "-four", "+4")).toBe(
    "one\n2\nthree\n4\nfive\nsix\n",
  );
  expect(after(numbers, "@@", "-two", "+2", "@@", " one", "+1.5")).toBe("one\n1.5\n2\nthree\nfour\nfive\nsix\n");
});

const repeated = "f() {\n  x;\n  y;\n}\ng() {\n  x;\n  y;\n}\n";

test("what fits several places is refused with their lines, unless something tells them apart", () => {
  const several =
    "fits 2 places, at lines 2, 6. Add context lines, or a line @@ with the text of a line above the right one.";
  expect(problem(repeated, "@@", "-  x;", "+  z;")).toBe(`Hunk 1 of a ("@@") ${several}`);
  expect(problem(repeated, "@@ nowhere", "-  x;", "+  z;")).toBe(
    'Hunk 1 of a ("@@ nowhere") fits at line 2, but its @@ line is not in the file. Correct the one or the other.',
  );
  expect(problem(repeated, "@@ -3 +3 @@", "-  x;", "+  z;")).toBe(`Hunk 1 of a ("@@ -3 +3 @@") ${several}`);
  expect(problem("x\n".repeat(12), "-x", "+y")).toContain(
    "fits 12 places, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …. Add",
  );

  const second = "f() {\n  x;\n  y;\n}\ng() {\n  z;\n  y;\n}\n";
  expect(after(repeated, "@@ g() {", "-  x;", "+  z;")).toBe(second);
  expect(after(repeated, "@@ g()", "-  x;", "+  z;")).toBe(second);
  expect(after(repeated, "@@ -6 +6 @@", "-  x;", "+  z;")).toBe(second);
  expect(after(repeated, "@@ -9 +9 @@ g() {", "-  x;", "+  z;")).toBe(second);
  expect(after(repeated, "@@", " g() {", "-  x;", "+  z;")).toBe(second);
  expect(after(repeated, "@@ g() {", " g() {", "-  x;", "+  z;")).toBe(second);
  expect(after(repeated, "@@", "-  y;", "+  z;", " }", "*** End of File")).toBe(
    "f() {\n  x;\n  y;\n}\ng() {\n  x;\n  z;\n}\n",
  );
  expect(after(repeated, "@@", "-f() {", "+h() {", "-  x;", "+  w;", "@@", "-  x;", "+  z;")).toBe(
    "h() {\n  w;\n  y;\n}\ng() {\n  z;\n  y;\n}\n",
  );
});

test("anchors narrow step by step and never let a hunk slip into another block", () => {
  const classes = "class A\n  def run\n    go\n    go\nclass B\n  def run\n    go\n";
  expect(after(classes, "@@ class B", "@@ def run", "-    go", "+    stop")).toBe(
    "class A\n  def run\n    go\n    go\nclass B\n  def run\n    stop\n",
  );
  expect(problem(classes, "@@ class A", "@@ def run", "-    go", "+    stop")).toContain(
    "fits 2 places, at lines 3, 4.",
  );
  expect(problem("f() {\n  x;\n}\ng() {\n  y;\n}\n", "@@ g() {", "-  x;", "+  z;")).toBe(
    'Hunk 1 of a ("@@ g() {") fits at line 2, which is not below its @@ line. Correct the one or the other.',
  );
  expect(problem("f() {\n  x;\n}\n", "@@ h() {", "-  x;", "+  z;")).toBe(
    'Hunk 1 of a ("@@ h() {") fits at line 2, but its @@ line is not in the file. Correct the one or the other.',
  );
  expect(after("f() {\n  x;\n}\n", "@@ -2 +2 @@ h() {", "-  x;", "+  z;")).toBe("f() {\n  z;\n}\n");
});

test("lines without context go where the header says, else to the end", () => {
  expect(after(numbers, "@@ -2,0 +3,1 @@", "+2.5")).toBe("one\ntwo\n2.5\nthree\nfour\nfive\nsix\n");
  expect(after(numbers, "@@ three", "+3.5")).toBe("one\ntwo\nthree\n3.5\nfour\nfive\nsix\n");
  expect(after(numbers, "@@", "+7")).toBe(`${numbers}7\n`);
  expect(after("", "@@", "+7")).toBe("7\n");
  expect(problem(numbers, "@@ seven", "+8")).toBe(
    'Hunk 1 of a ("@@ seven") has no context, and its @@ line is not in the file. Add context lines that begin with a space.',
  );
});

test("what does not fit is refused with what is most similar, or with what is there already", () => {
  expect(problem("alpha();\nbeta(1, 2);\ngamma();\n", "@@", " alpha();", "-beta(1, 3);", "+beta();")).toBe(
    'Hunk 1 of a ("@@") does not fit: its context and removed lines are not in the file in this order. Copy the lines as they are. Most similar, from line 1:\nalpha();\nbeta(1, 2);',
  );
  expect(problem(numbers, "-zzzzzzzz", "+y")).toBe(
    "Hunk 1 of a does not fit: its context and removed lines are not in the file in this order. Read the file again and copy its lines.",
  );
  expect(problem(numbers, "@@", " two", "-3", "+three", " four")).toBe(
    'Hunk 1 of a ("@@") does not fit, but its result is already at line 2. Leave it out if that is so.',
  );
  expect(problem(numbers, "@@", "-two", "-three", "+x", "@@", "-three", "+3")).toBe(
    'Hunk 2 of a ("@@") changes lines that an earlier hunk changes, at line 3. Make one hunk of them.',
  );
});

test("white space at line ends is forgiven, told, and left as the file has it", () => {
  expect(place("one  \ntwo\t\nthree\n", "@@", " one", "-two", "+2", "", " three")).toMatchObject({ ok: false });
  expect(place("one  \ntwo\t\n\nthree\n", "@@", " one", "-two", "+2", "", " three")).toEqual({
    ok: true,
    after: "one  \n2\n\nthree\n",
    warnings: ['Hunk 1 of a ("@@") matched but for white space at line ends; those of the file stay.'],
  });
  // An exact place wins over one that is only similar.
  expect(after("one  \none\n", "-one", "+1")).toBe("one  \n1\n");
});

test("typographic characters are forgiven, told, and left as the file has them", () => {
  expect(place("say(\u201cone\u201d)\ntwo\n", "@@", ' say("one")', "-two\u00a0", "+2")).toEqual({
    ok: true,
    after: "say(\u201cone\u201d)\n2\n",
    warnings: ['Hunk 1 of a ("@@") matched but for typographic characters and spaces; those of the file stay.'],
  });
  expect(place("a \u2013 b\na \u2014 b\n", "@@", "-a - b", "+c")).toMatchObject({ ok: false });
});

test("line endings stay, and added lines end like their neighbours", () => {
  expect(after("one\r\ntwo\r\n", " one", "-two", "+2", "+3")).toBe("one\r\n2\r\n3\r\n");
  expect(after("one\r\ntwo\nthree\r\nfour\r\n", "-two", "+2", "+2.5")).toBe("one\r\n2\n2.5\nthree\r\nfour\r\n");
  expect(after("one\r\ntwo", " two", "+three")).toBe("one\r\ntwo\r\nthree\r\n");
  expect(after("one\ntwo\n", " one", "-two\r", "+2\r")).toBe("one\n2\n");
  expect(after("one\ntwo\n", "-\uFEFFone", "+\uFEFF1")).toBe("1\ntwo\n");
});

test("a missing line ending at the end stays missing until the last line is replaced", () => {
  expect(after("one\ntwo", "-one", "+1", " two")).toBe("1\ntwo");
  expect(after("one\ntwo", "-two", "+2")).toBe("one\n2\n");
  expect(after("one\ntwo", "-two", "+2", "\\ No newline at end of file")).toBe("one\n2");
  expect(after("one\ntwo\n", "-one", "+1", "\\ No newline at end of file", " two")).toBe("1\ntwo\n");
});

const strangeLines = [
  "",
  " ",
  "a",
  "a ",
  "b",
  "}",
  "-- x",
  "++ y",
  "--- a/f",
  "+++ b/f",
  "@@ -1 +1 @@",
  "\\ x",
  "*** End Patch",
  "diff --git a/f b/f",
  "-- ",
  "ü",
];

test("the diff of two random texts makes the one of the other", () => {
  const random = createSeededRandom();
  const ending = () => (random.below(2) === 0 ? "\n" : "\r\n");
  const choose = () => strangeLines[random.below(strangeLines.length)] ?? "";
  for (let round = 0; round < 1_500; round += 1) {
    const lines = Array.from({ length: random.below(30) }, choose);
    const changed = lines.flatMap((line) => {
      const dice = random.below(12);
      return dice === 0 ? [] : dice === 1 ? [choose()] : dice === 2 ? [line, choose()] : [line];
    });
    const eol = ending();
    const join = (parts: readonly string[]) => parts.join(eol) + (parts.length > 0 && random.below(3) > 0 ? eol : "");
    const [before, wanted] = [join(lines), join(changed)];
    if (before === wanted) continue;
    const patch = createTwoFilesPatch("a/f", "b/f", before, wanted, undefined, undefined, { context: random.below(4) });
    const parsed = parsePatch(patch);
    const [file] = parsed.ok ? parsed.files : [];
    const placed = file?.kind === "update" ? placeHunks("f", before, file.hunks) : parsed;
    expect(placed, `seed ${random.seed}, round ${round}:\n${patch}`).toEqual({ ok: true, after: wanted, warnings: [] });
  }
});

test("without line numbers, in any order, hunks of a text whose lines are all different still find their places", () => {
  const random = createSeededRandom();
  for (let round = 0; round < 300; round += 1) {
    const lines = Array.from({ length: 1 + random.below(60) }, (_, index) => `line ${index}`);
    const changed = lines.flatMap((line, index) => {
      const dice = random.below(15);
      return dice === 0 ? [] : dice === 1 ? [`new ${index}`] : dice === 2 ? [line, `more ${index}`] : [line];
    });
    const join = (parts: readonly string[]) => parts.map((part) => `${part}\n`).join("");
    const { hunks } = structuredPatch("f", "f", join(lines), join(changed), "", "", { context: 1 + random.below(3) });
    if (hunks.length === 0) continue;
    const written = random.shuffle(hunks).flatMap((hunk) => ["@@", ...hunk.lines]);
    expect(place(join(lines), ...written), `seed ${random.seed}, round ${round}:\n${written.join("\n")}`).toEqual({
      ok: true,
      after: join(changed),
      warnings: [],
    });
  }
});
