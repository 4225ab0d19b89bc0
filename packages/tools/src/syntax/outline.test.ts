/** Proves for each language that declarations stay and what stands inside of bodies goes. */
import { expect, test } from "vitest";
import { createGrammars } from "./grammars.ts";
import { couldBeOutlined, type OutlineRoom, outlineOf } from "./outline.ts";

const grammars = createGrammars();
/** So little room that no code is unfolded to fill it. */
const smallRoom: OutlineRoom = { linesMax: 70, charactersMax: 10_000 };

async function outline(path: string, text: string, room = smallRoom): Promise<readonly string[] | undefined> {
  const row = grammars.rowOf(path);
  if (row === undefined) throw new Error(`no grammar for ${path}`);
  const parsed = await grammars.parse(row, text);
  if (!parsed.ok) throw new Error(parsed.detail);
  const gaps = outlineOf(parsed.root, text, room);
  if (gaps === undefined) return undefined;
  const isOmitted = (line: number) => gaps.some(({ first, last }) => line >= first && line <= last);
  return text.split("\n").filter((_, index) => !isOmitted(index + 1));
}

/** Lines enough that an outline is no shorter than it must be. */
const filler = (comment: string) => Array.from({ length: 40 }, (_, index) => `${comment} ${index}`).join("\n");

test.each([
  [
    "a.ts",
    `${filler("//")}
/**
 * Long
 * words.
 */
export class Store<T> extends Base {
  readonly #items = [
    1,
    2,
    3,
  ];

  constructor(private readonly path: string) {
    super();
    this.a = 1;
    this.b = 2;
  }
  short() {
    return 1;
  }
}
namespace Inner {
  export function deep() {
    if (a) {
      b();
    }
  }
}
interface Shape {
  side: number;
}
export const table = {
  a: 1,
  b: 2,
  c: 3,
};
`,
    [
      "export class Store<T> extends Base {",
      "  readonly #items = [",
      "  constructor(private readonly path: string) {",
      "  short() {",
      "    return 1;",
      "  }",
      "}",
      "namespace Inner {",
      "  export function deep() {",
      "}",
      "interface Shape {",
      "  side: number;",
      "}",
      "export const table = {",
    ],
  ],
  [
    "a.py",
    `${filler("#")}
class Store(Base):
    """One line."""

    def __init__(self):
        self.a = 1
        self.b = 2
        self.c = 3

    def short(self): return 1


@cached
async def load(
    path,
):
    """Says
    much.
    """
    a = 1
    return a
`,
    [
      "class Store(Base):",
      '    """One line."""',
      "",
      "    def __init__(self):",
      "    def short(self): return 1",
      "",
      "",
      "@cached",
      "async def load(",
      "    path,",
      "):",
    ],
  ],
  [
    "a.go",
    `package a
${filler("//")}
type S struct {
	X int
}
func (s S) F() {
	a()
	b()
}
var t = map[string]int{
	"a": 1,
	"b": 2,
	"c": 3,
}
`,
    ["type S struct {", "	X int", "}", "func (s S) F() {", "var t = map[string]int{"],
  ],
  [
    "a.rs",
    `${filler("//")}
mod m {
    fn f() {
        a();
        b();
    }
}
impl A for B {
    fn g(&self) -> u8 {
        match self {
            _ => 1,
        }
    }
}
`,
    ["mod m {", "    fn f() {", "}", "impl A for B {", "    fn g(&self) -> u8 {", "}"],
  ],
  [
    "a.java",
    `${filler("//")}
class C {
    int a;
    C() {
        a = 1;
        a = 2;
    }
    void f() {
        a();
        b();
    }
}
`,
    ["class C {", "    int a;", "    C() {", "    void f() {", "}"],
  ],
  [
    "a.cpp",
    `${filler("//")}
namespace n {
class C {
  int a;
  void f() {
    a();
    b();
  }
};
}
int main()
{
  a();
  b();
}
`,
    ["namespace n {", "class C {", "  int a;", "  void f() {", "};", "}", "int main()", "{"],
  ],
] as const)("%s", async (path, text, expected) => {
  const kept = await outline(path, text);
  expect(kept?.filter((line) => !/^(?:#|\/\/|package )/.test(line)).slice(0, -1)).toEqual(expected);
});

const functions = (count: number, indent = "") =>
  Array.from({ length: count }, (_, index) =>
    [`function f${index}() {`, "  a();", "  b();", "  c();", "}"].map((line) => `${indent}${line}\n`).join(""),
  ).join("");

test("a file that is one function is unfolded until there is something to see", async () => {
  const kept = await outline("a.js", `(function () {\n${functions(80, "  ")}})();\n`, {
    linesMax: 2_000,
    charactersMax: 50_000,
  });
  expect(kept).toHaveLength(83);
  expect(kept?.slice(0, 3)).toEqual(["(function () {", "  function f0() {", "  function f1() {"]);
});

test("classes that do not fit stay folded; without folds, or without room, there is no outline", async () => {
  const methods = Array.from({ length: 200 }, (_, index) => `  m${index}() { return 1; }\n`).join("");
  const small = "class Small {\n  a() {}\n  b() {}\n  c() {}\n}\n";
  const room = { linesMax: 120, charactersMax: 10_000 };
  const text = `${functions(45)}class Large {\n${methods}}\n${small}`;
  expect((await outline("a.js", text, room))?.slice(45)).toEqual(["class Large {", ...small.split("\n")]);
  expect(await outline("a.js", "let a = 1;\n".repeat(100), room)).toBeUndefined();
  expect(await outline("a.js", functions(200), room)).toBeUndefined();
  expect(await outline("a.js", `class Large {\n${methods}}\n`, room)).toBeUndefined();
});

test("a file with errors, with carriage returns, or without an end is outlined all the same", async () => {
  const text = functions(60);
  const kept = await outline("a.js", text, { linesMax: 200, charactersMax: 10_000 });
  expect(kept).toHaveLength(61);
  for (const changed of [text.replaceAll("\n", "\r\n"), text.trimEnd(), `${text}const = ;\n`])
    expect(
      (await outline("a.js", changed, { linesMax: 200, charactersMax: 10_000 }))?.filter((line) =>
        line.startsWith("function"),
      ),
    ).toHaveLength(60);
});

test("what fills the room at the left edge alone is not worth parsing", () => {
  const room = { linesMax: 10, charactersMax: 1_000 };
  expect(couldBeOutlined("a\n  b\n}\n".repeat(10), room)).toBe(true);
  expect(couldBeOutlined("a\n  b\n}\n".repeat(11), room)).toBe(false);
  expect(couldBeOutlined(`${"a".repeat(990)}\nb\n`, room)).toBe(false);
});
