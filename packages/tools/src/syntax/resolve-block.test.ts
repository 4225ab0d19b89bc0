// Every line number is one case: what the piece of code that begins there spans, or why there is none.
import { expect, test } from "vitest";
import { createGrammars } from "./grammars.ts";
import { createBlockResolver } from "./resolve-block.ts";

const resolveBlock = createBlockResolver(createGrammars());

async function spans(path: string, source: string, lines: readonly number[]): Promise<Record<number, string>> {
  const found: Record<number, string> = {};
  for (const line of lines) {
    const block = await resolveBlock(path, source, line);
    found[line] = block.ok ? `${block.first}-${block.last}` : block.reason;
  }
  return found;
}

/** The source and its expectations side by side: `3-5|code` says what line 3 resolves to; nothing before `|` asks nothing. */
async function check(path: string, fixture: string, { ending = "\n" } = {}): Promise<void> {
  const rows = fixture.replace(/^\n/, "").trimEnd().split("\n");
  const cells = rows.map((row) => /^\s*([^|]*)\|(.*)$/.exec(row) ?? ["", "", row]);
  const source = `${cells.map((cell) => cell[2]).join(ending)}${ending}`;
  const expected: Record<number, string> = {};
  cells.forEach((cell, index) => {
    const wanted = (cell[1] ?? "").trim();
    if (wanted !== "") expected[index + 1] = wanted === "one" ? `${index + 1}-${index + 1}` : wanted;
  });
  expect(Object.keys(expected).length).toBeGreaterThanOrEqual(10);
  expect(await spans(path, source, Object.keys(expected).map(Number))).toEqual(expected);
}

const script = `
  one    |import { a } from "a";
  blank  |
  3-5    |/** Says
         | * more.
         | */
  6-16   |export async function outer(x) {
  7-9    |  const inner = () => {
  one    |    return x;
  closing|  };
  one    |  if (x) { inner(); }
  11-14  |  const text = \`first {
  no-node|    middle \${x} {
  one    |    \${x} {
         |\`;
  one    |  return [inner, text];
  closing|}
  one    |outer(1); outer(2);
  18-21  |outer(1); outer({
  one    |  deep: 1,
  one    |  other: [2, 3],
  closing|});
  22-29  |if (a) {
  one    |  b();
  no-node|} else if (c) {
  25-27  |  outer
  one    |    .then()
         |    .catch();
  one    |  d();
  closing|}
  30-33  |const list = [{
         |  a,
  no-node|}, {
         |}];
`;

test("JavaScript", () => check("a.js", script));
test("JavaScript with carriage returns", () => check("a.mjs", script, { ending: "\r\n" }));
test("JavaScript indented with tabs", () => check("a.cjs", script.replaceAll(/\|( +)/g, "|\t\t")));
test("TypeScript reads what JavaScript reads", () => check("a.ts", script));

test("TypeScript: decorators, members, types", () =>
  check(
    "a.ts",
    `
  1-19   |@Component({
  one    |  selector: "x",
  closing|})
  4-19   |export class Panel<T extends { a: string }> {
  one    |  @Input() name = "";
  6-7    |  @Output()
  one    |  changed: Emitter<T>;
  8-10   |  private readonly map: Record<string, T> = {
  one    |    a: 1 as T,
  closing|  };
  one    |  constructor(readonly x: number) {}
  12-14  |  get value(): T {
  one    |    return \`\${"{"}\` as T;
  closing|  }
  one    |  @Log
  16-18  |  method(): void {
  one    |    this.value;
  closing|  }
  closing|}
  20-23  |type Shape =
  21-23  |  | { kind: "a" }
         |  | { kind: "b";
         |      more: 1 };
  24-26  |interface Wide {
  one    |  a: string;
  closing|}
`,
  ));

test("TSX: elements", () =>
  check(
    "a.tsx",
    `
  1-17   |export const View = ({ items }: Props) => {
  2-5    |  useEffect(() => {
  one    |    load();
  blank  |
  no-node|  }, [items]);
  6-16   |  return (
  7-15   |    <div className="a">
  8-12   |      {items.map((item) => (
  9-11   |        <Row key={item}>
  no-node|          text {item}
  closing|        </Row>
  closing|      ))}
  one    |      <Short value="}" />
  one    |      <b>bold</b>
  closing|    </div>
  closing|  );
  closing|};
`,
  ));

test("Python: indentation ends a block, decorators belong to the definition when the first is named", () =>
  check(
    "a.py",
    `
  one    |import os
  2-12   |@first
  3-4    |@second(
         |    1)
  5-12   |def outer(a,
         |          b):
  7-8    |    def inner():
  one    |        return a
         |    # tail
  10-12  |    return {
  one    |        "a": inner,
  closing|    }
  blank  |
  14-24  |class Thing:
  15-17  |    """Doc {
         |    more
         |    """
  one    |    x: int = 1
  19-22  |    if x:
  one    |        y = 2
  21-22  |    else:
  one    |        y = 3
  23-24  |    async def go(self):
  one    |        await go()
  25-26  |for i in range(3): print(i); print({
         |    i})
  one    |lambda: (1, 2)
  28-31  |try:
  one    |    pass
  30-31  |except ValueError:
         |    raise
`,
  ));

test("Go", () =>
  check(
    "a.go",
    `
  one    |package main
  blank  |
  3-6    |import (
  one    |	"fmt"
  one    |	"os"
  closing|)
  one    |// Doc of run.
  8-19   |func (s *Server) run(a int) error {
  9-11   |	go func() {
  one    |		fmt.Println("}")
  no-node|	}()
  one    |	if a > 1 { return nil }
  13-16  |	switch a {
  14-15  |	case 1:
  one    |		os.Exit(1)
  closing|	}
  one    |	x := \`raw {\`
  one    |	return nil
  closing|}
  20-23  |type Server struct {
  one    |	Name string \`json:"name"\`
  one    |	Deep struct{ A int }
  closing|}
`,
  ));

test("Rust: attributes and doc comments are nodes of their own", () =>
  check(
    "a.rs",
    `
  one    |use std::fmt;
  one    |/// Says what it is.
  one    |#[derive(Debug)]
  4-7    |pub struct Point {
  one    |    #[serde(default)]
  one    |    x: i32,
  closing|}
  8-20   |impl Point {
  9-11   |    fn new() -> Self {
  one    |        Self { x: 1 }
  closing|    }
  12-19  |    fn go(&self) {
  13-16  |        match self.x {
  one    |            1 => { self.go(); }
  one    |            _ => println!("{{"),
  closing|        }
  17-18  |        let text = "first {
         |            second";
  closing|    }
  closing|}
  blank  |
  22-24  |macro_rules! twice {
  one    |    ($x:expr) => { $x; $x };
  closing|}
`,
  ));

test("Java: annotations belong to the declaration when their line is named", () =>
  check(
    "A.java",
    `
  one    |package a.b;
  2-20   |@Deprecated
  3-20   |public class A extends B {
  one    |    private int x = 1;
  5-8    |    @Override
  6-8    |    public void run() {
  one    |        System.out.println("{");
  closing|    }
  9-11   |    static {
  one    |        init();
  closing|    }
  12-19  |    int pick(int a) {
  13-15  |        for (int i = 0; i < a; i++) {
  one    |            if (i > 2) { break; }
  closing|        }
  16-17  |        return a
  one    |            + 1;
  blank  |
  closing|    }
  closing|}
`,
  ));

test("C: directives, macros, braces on their own line", () =>
  check(
    "a.c",
    `
  one    |#include <stdio.h>
  2-4    |#ifdef DEBUG
  one    |#define LOG(x) printf("{%d", x)
  closing|#endif
  5-8    |typedef struct point {
  one    |    int x;
  one    |    int y;
  no-node|} point;
  9-19   |static int add(int a,
         |               int b)
  11-19  |{
  12-14  |    if (a) {
  one    |        return b;
  closing|    }
  15-17  |    do {
  one    |        a--;
  no-node|    } while (a);
  one    |    return a + b;
  closing|}
  20-21  |/* A comment
         |   of two lines { */
`,
  ));

test("C++", () =>
  check(
    "a.cpp",
    `
  one    |#include <vector>
  2-18   |namespace deep {
  3-9    |template <typename T>
  4-9    |class Box : public Base {
  one    |public:
  one    |    explicit Box(T value) : value_(value) {}
  7-8    |    [[nodiscard]] T get() const { return
         |        value_; }
  closing|};
  10-13  |auto outer = [](int a) {
  one    |    auto text = R"({ not a brace )";
  one    |    return a;
  closing|};
  14-17  |int main() {
  one    |    for (auto x : {1, 2}) { use(x); }
  one    |    return 0;
  closing|}
  closing|}
  blank  |
`,
  ));

test("a syntax error fails the block that holds it and no other", async () => {
  const source = "function good() {\n  return 1;\n}\nfunction bad() {\n  return (;\n}\nfunction last() {\n}\n";
  expect(await spans("a.js", source, [1, 4, 7])).toEqual({ 1: "1-3", 4: "syntax-error", 7: "7-8" });
  const python = "def good():\n    return 1\n\ndef bad(:\n    return 2\n";
  expect(await spans("a.py", python, [1, 4])).toEqual({ 1: "1-2", 4: "syntax-error" });
});

test("a block that shares its last line with other code is not taken", async () => {
  expect(await resolveBlock("a.js", "call(\n  first(1,\n    2), {\n  });\n", 2)).toEqual({
    ok: false,
    reason: "no-node",
    detail: "The code that begins on line 2 shares its last line 3 with other code.",
  });
});

test("what cannot be answered says why", async () => {
  expect(await resolveBlock("a.yaml", "a:\n  b: 1\n", 1)).toEqual({
    ok: false,
    reason: "no-grammar",
    detail: "No grammar for .yaml files.",
  });
  expect(await resolveBlock("Makefile", "a:\n", 1)).toMatchObject({ reason: "no-grammar" });
  expect(await resolveBlock("a.js", "a();\n", 9)).toEqual({
    ok: false,
    reason: "no-node",
    detail: "The file has 2 lines.",
  });
  expect(await resolveBlock("a.js", `${"(".repeat(2_000)}\n`, 1)).toEqual({
    ok: false,
    reason: "no-grammar",
    detail: "The file is nested more than 1000 brackets deep.",
  });
});
