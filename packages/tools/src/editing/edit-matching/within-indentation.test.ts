// Exact text that begins inside of an indentation: what its other lines become, and when nobody can tell.
import { expect, test } from "vitest";
import { planReplacement } from "./plan-replacement.ts";

const options = { filePath: "a.ts", fuzzy: true };
const plan = (
  text: string,
  oldString: string,
  newString: string,
  more: { fuzzy?: boolean; replaceAll?: boolean } = {},
) => planReplacement(text, { oldString, newString, replaceAll: more.replaceAll ?? false }, { ...options, ...more });
const after = (...parts: Parameters<typeof plan>) => {
  const planned = plan(...parts);
  return planned.ok ? planned.after : planned.problem;
};

const file = "if (a) {\n    for (;;) {\n        go();\n    }\n}\n";

test("lines counted from a narrower margin are moved to the one of the file", () => {
  expect(after(file, "    go();", "    go();\n    run();")).toBe(file.replace("go();", "go();\n        run();"));
  expect(after(file, "    go();\n", "    try {\n        go();\n    }\n")).toBe(
    file.replace("go();", "try {\n            go();\n        }"),
  );
  expect(plan(file, "    go();", "    go();\n    run();")).toMatchObject({
    ok: true,
    finding: { strategy: "IndentationFlexible", similarity: 1, firstLine: 3 },
  });
});

test("where every place is wanted, each keeps its own margin", () => {
  const twice = "  go();\n      go();\n";
  expect(after(twice, "  go();", "  go();\n  run();", { replaceAll: true })).toBe(
    "  go();\n  run();\n      go();\n      run();\n",
  );
});

test("a change of one line needs no margin, and a piece of a line has none", () => {
  expect(after(file, "    go();", "    run();")).toBe(file.replace("go", "run"));
  expect(plan(file, "    go();", "    run();")).toMatchObject({ finding: { strategy: "Simple" } });
  expect(after("    a = go();\n", "= go();", "= go();\n    b();")).toBe("    a = go();\n    b();\n");
});

test("text without any indentation is taken as it is", () => {
  expect(after(file, "go();", "go();\n        run();")).toBe(file.replace("go();", "go();\n        run();"));
});

test("deleted lines take all of their indentation with them", () => {
  expect(after(file, "go();\n", "")).toBe(file.replace("        go();\n", ""));
  expect(after(file, "    go();\n", "")).toBe(file.replace("        go();\n", ""));
  expect(after(file, "    go();", "")).toBe(file.replace("        go();", ""));
  expect(after("    x.go();\n    b();\n", "go();\n", "")).toBe("    x.    b();\n");
});

test("lines that may be counted from either margin are refused with the text as it is", () => {
  const problem =
    "oldString is not in a.ts exactly, and the indentation of newString cannot be determined from it. Copy it as it is, from line 3:\n        go();";
  expect(after(file, "    go();", "    go();\n        run();")).toBe(problem);
  expect(after(file, "    go(", "    go(\n    x,")).toBe(problem);
  expect(after(file, "    go();", "    go();\n    run();", { fuzzy: false })).toBe(problem);
});

test("line endings of Windows stay", () => {
  const windows = file.replaceAll("\n", "\r\n");
  expect(after(windows, "    go();\n", "    go();\n    run();\n")).toBe(
    windows.replace("go();", "go();\r\n        run();"),
  );
  expect(after(windows, "    go();\n", "")).toBe(windows.replace("        go();\r\n", ""));
});
