import { expect, test } from "vitest";
import { createGrammars } from "./grammars.ts";
import { findMatches, mayMatch } from "./match.ts";
import { compilePattern } from "./pattern.ts";

const grammars = createGrammars();

/** Per match its code and what was bound, or the problem of the pattern. */
async function find(path: string, pat: string, text: string): Promise<readonly string[] | string> {
  const row = grammars.rowOf(path);
  if (row === undefined) throw new Error(`no grammar for ${path}`);
  const compiled = await compilePattern(grammars, row, pat);
  if (!compiled.ok) return compiled.problem;
  const parsed = await grammars.parse(row, text);
  if (!parsed.ok) throw new Error(parsed.detail);
  const matches = findMatches(compiled.pattern, parsed.root, text);
  if (matches.length > 0) expect(mayMatch(compiled.pattern, text)).toBe(true);
  return matches.map(({ node, bindings }) =>
    [text.slice(node.start, node.end), ...[...bindings].map(([name, bound]) => `${name}=${bound.text}`)].join(" | "),
  );
}

type Case = readonly [pat: string, text: string, found: readonly string[] | string];

function testCases(language: string, path: string, cases: readonly Case[]): void {
  test.for(cases)(`${language}: %s`, async ([pat, text, found]) => {
    expect(await find(path, pat, text)).toEqual(found);
  });
}

const incomplete = (language: string) =>
  `The pattern is not a complete piece of ${language}; give one whole expression, statement or declaration.`;

testCases("JavaScript", "a.js", [
  ["foo($A)", "foo(1); bar(foo( 2 /* x */ )); foo(1, 2); x.foo(3)", ["foo(1) | A=1", "foo( 2 /* x */ ) | A=2"]],
  ["foo($$$A, $B)", "foo(1); foo(1, 2, 3); foo()", ["foo(1) | A= | B=1", "foo(1, 2, 3) | A=1, 2 | B=3"]],
  ["foo($$$, 9, $$$R)", "foo(1, 9, 2, 9); foo(9)", ["foo(1, 9, 2, 9) | R=2, 9", "foo(9) | R="]],
  ["$A && $A()", "x && x(); y && z(); a.b && a.b()", ["x && x() | A=x", "a.b && a.b() | A=a.b"]],
  ["$_ && $_()", "y && z()", ["y && z()"]],
  ["$A + $B", "a + b - c; a - b", ["a + b | A=a | B=b"]],
  ["$A + $B", "a + b + c", ["a + b + c | A=a + b | B=c", "a + b | A=a | B=b"]],
  [
    "function $F($$$P) { $$$B }",
    "function a() {}\nfunction b(x, y) { return 1; c() }\nasync function d() {}",
    ["function a() {} | F=a | P= | B=", "function b(x, y) { return 1; c() } | F=b | P=x, y | B=return 1; c()"],
  ],
  [
    "if ($C) { $$$B return $X; }",
    "if (a) { b(); return 1 } if (q) { return }",
    ["if (a) { b(); return 1 } | C=a | B=b(); | X=1"],
  ],
  ["if ($C) $S", "if (a) { b() }", ["if (a) { b() } | C=a | S={ b() }"]],
  [
    "class $C { $$$M }",
    "class A { x = 1; f() {} } class B extends A {}",
    ["class A { x = 1; f() {} } | C=A | M=x = 1; f() {}"],
  ],
  ["constructor($$$A) { $$$B }", "class A { constructor(a) { b() } }", ["constructor(a) { b() } | A=a | B=b()"]],
  ["const $A = require($B);", "const x = require('y')", ["const x = require('y') | A=x | B='y'"]],
  ["{ a: $X }", "x = { a: 1 }", ["{ a: 1 } | X=1"]],
  ["'a $B c'", "x = 'a $B c'; y = 'a z c'", ["'a $B c'"]],
  ["$foo($A)", "$foo(1); bar(2)", ["$foo(1) | A=1"]],
  ["`a \u0024{$X}`", "`a \u0024{b.c}`", ["`a \u0024{b.c}` | X=b.c"]],
  ["f($A, $A)", "f(a\n.b, a\r\n.b); f(a, b)", ["f(a\n.b, a\r\n.b) | A=a\n.b"]],
  ["$A", "a", "$A alone would match everything; add code around it."],
  ["a(); b();", "", "In JavaScript the pattern is more than one node; give one expression, statement or declaration."],
  ["foo(", "", incomplete("JavaScript")],
]);

testCases("TypeScript", "a.ts", [
  ["$A as any", "x as any; (y.z as any).q; w as T", ["x as any | A=x", "y.z as any | A=y.z"]],
  ["Array<$T>", "let x: Array<string>", ["Array<string> | T=string"]],
  ["name: $T", "interface A { name: string } x = { name: 1 }", ["name: string | T=string", "name: 1 | T=1"]],
  ["Foo", "let a: Foo = new Foo()", ["Foo", "Foo"]],
  [
    "interface $I { $$$M }",
    "interface A { a: 1; b(): void }",
    ["interface A { a: 1; b(): void } | I=A | M=a: 1; b(): void"],
  ],
  ["enum $E { $$$M }", "enum A { B, C = 1 }", ["enum A { B, C = 1 } | E=A | M=B, C = 1"]],
  ["type $N = $T", "type A = B | C;", ["type A = B | C; | N=A | T=B | C"]],
  ["$A!", "a!.b; c", ["a! | A=a"]],
  [
    "async $M($$$A): Promise<$T> { $$$B }",
    "class A { async x(a: 1): Promise<void> { b() } }",
    ["async x(a: 1): Promise<void> { b() } | M=x | A=a: 1 | T=void | B=b()"],
  ],
  [
    'import $X from "$Y"',
    'import a from "b"; import { c } from "d"',
    ['import a from "b"; | X=a | Y=b', 'import { c } from "d" | X={ c } | Y=d'],
  ],
]);

testCases("TSX", "a.tsx", [
  ["<Foo $$$P />", "<Foo a={1} b />; <Foo/>; <Bar/>", ["<Foo a={1} b /> | P=a={1} b", "<Foo/> | P="]],
  ["<b>$$$C</b>", "<b>hi {x}</b>", ["<b>hi {x}</b> | C=hi {x}"]],
  ["<Foo onClick={$F} />", "<Foo onClick={() => a()} />", ["<Foo onClick={() => a()} /> | F=() => a()"]],
]);

testCases("Python", "a.py", [
  ["print($$$A)", "print(1, 2)\nfoo(print('x'))\n", ["print(1, 2) | A=1, 2", "print('x') | A='x'"]],
  [
    "def $F($$$A):\n    $$$B",
    "def a(x, y=1):\n  b = 1\n  return b\n",
    ["def a(x, y=1):\n  b = 1\n  return b | F=a | A=x, y=1 | B=b = 1\n  return b"],
  ],
  ["if $C:\n    $$$B", "if a:\n    b()\nelse:\n    c()\n", []],
  ["if $C:\n    return $X", "if a:\n    return b\nif a:\n    c()\n    return b\n", ["if a:\n    return b | C=a | X=b"]],
  ["foo(shell=True, $$$R)", "foo(shell=True)\nfoo(a, shell=True)\n", ["foo(shell=True) | R="]],
  ["$A == None", "if x.y == None: pass\n", ["x.y == None | A=x.y"]],
  ["[$X for $X in $Y]", "[a for a in b]\n[c for a in b]\n", ["[a for a in b] | X=a | Y=b"]],
  ["@$D\ndef $F($$$A):\n    $$$B", "@x\ndef f():\n    pass\n", ["@x\ndef f():\n    pass | D=x | F=f | A= | B=pass"]],
  ["'k': $V", "x = {'k': 1, 'l': 2}\n", ["'k': 1 | V=1"]],
  ["class $C($$$P):\n    $$$B", "class A(B, C):\n    x = 1\n", ["class A(B, C):\n    x = 1 | C=A | P=B, C | B=x = 1"]],
  ["except $E:\n    pass", "", incomplete("Python")],
]);

testCases("Go", "a.go", [
  ["fmt.Println($$$A)", "package a\nfunc f() { fmt.Println(1, 2) }", ["fmt.Println(1, 2) | A=1, 2"]],
  [
    "if err != nil { return err }",
    "package a\nfunc f() {\n if err != nil {\n  return err\n }\n}",
    ["if err != nil {\n  return err\n }"],
  ],
  [
    "func $F($$$A) error { $$$B }",
    "package a\nfunc g(a int, b string) error {\n x()\n return nil\n}\nfunc e() error {}\n",
    [
      "func g(a int, b string) error {\n x()\n return nil\n} | F=g | A=a int, b string | B=x()\n return nil",
      "func e() error {} | F=e | A= | B=",
    ],
  ],
  ["$A := $B", "package a\nfunc f() { x := 1; y = 2 }", ["x := 1 | A=x | B=1"]],
  ["[]$T", "package a\nvar x []string\n", ["[]string | T=string"]],
  [
    "type $N struct { $$$F }",
    "package a\ntype P struct {\n X int\n}\n",
    ["type P struct {\n X int\n} | N=P | F=X int"],
  ],
  ["go func() { $$$B }()", "package a\nfunc f() { go func() { x() }() }", ["go func() { x() }() | B=x()"]],
  [
    "for $I := range $X { $$$B }",
    "package a\nfunc f() { for i := range xs { y() } }",
    ["for i := range xs { y() } | I=i | X=xs | B=y()"],
  ],
  ["defer $X.Close()", "package a\nfunc f() { defer file.Close() }", ["defer file.Close() | X=file"]],
  ["$X.(type)", "", incomplete("Go")],
]);

testCases("Rust", "a.rs", [
  ["$A.unwrap()", "fn f() { b.c().unwrap().d(); }", ["b.c().unwrap() | A=b.c()"]],
  [
    "fn $F($$$A) { $$$B }",
    "fn a() {} fn b(x: i32) { x; y } fn c() -> i32 { 1 }",
    ["fn a() {} | F=a | A= | B=", "fn b(x: i32) { x; y } | F=b | A=x: i32 | B=x; y"],
  ],
  [
    "struct $S { $$$F }",
    "struct A { x: i32, y: u8 } struct B {}",
    ["struct A { x: i32, y: u8 } | S=A | F=x: i32, y: u8", "struct B {} | S=B | F="],
  ],
  ["let $A = $B;", "fn f() { let x = 1; let y: i32 = 2; }", ["let x = 1; | A=x | B=1"]],
  ["println!($$$A)", 'fn f() { println!("a", b); }', ['println!("a", b) | A="a", b']],
  ["Vec<$T>", "fn f(a: Vec<String>) {}", ["Vec<String> | T=String"]],
  ["$P => $E", "fn f() { match x { 1 => a, _ => b } }", ["1 => a, | P=1 | E=a", "_ => b | P=_ | E=b"]],
  ["impl $T for $S { $$$B }", "impl A for B { fn c() {} }", ["impl A for B { fn c() {} } | T=A | S=B | B=fn c() {}"]],
  ["$A?", "fn f() { a()?; }", ["a()? | A=a()"]],
  ["unsafe { $$$B }", "fn f() { unsafe { a(); b() } }", ["unsafe { a(); b() } | B=a(); b()"]],
]);

testCases("Java", "A.java", [
  ["System.out.println($A)", "class A { void f() { System.out.println(1); } }", ["System.out.println(1) | A=1"]],
  [
    "class $C { $$$B }",
    "class A { int x; void f() { } }",
    ["class A { int x; void f() { } } | C=A | B=int x; void f() { }"],
  ],
  [
    "if ($C) { $$$B }",
    "class A { void f() { if (a) { b(); c(); } if (x) {} else {} } }",
    ["if (a) { b(); c(); } | C=a | B=b(); c();"],
  ],
  [
    "public void $M($$$A) { $$$B }",
    "class A { public void f(int a, B b) { c(); } void g() {} }",
    ["public void f(int a, B b) { c(); } | M=f | A=int a, B b | B=c();"],
  ],
  ["void $M(int x, $$$A) { $$$B }", "class A { void f(int x, B y) {} }", ["void f(int x, B y) {} | M=f | A=B y | B="]],
  ["new $T($$$A)", "class A { Object o = new Foo(1, 2); }", ["new Foo(1, 2) | T=Foo | A=1, 2"]],
  ["List<$T>", "class A { List<String> o; }", ["List<String> | T=String"]],
  ["throw new $E($$$A);", "class A { void f() { throw new X(1); } }", ["throw new X(1); | E=X | A=1"]],
  ["$A.equals($B)", "class A { boolean f() { return a.equals(b); } }", ["a.equals(b) | A=a | B=b"]],
  ["return $X;", "class A { int f() { return 1; } }", ["return 1; | X=1"]],
]);

testCases("C", "a.c", [
  ["malloc($A)", "int main() { char *p = malloc(10); }", ["malloc(10) | A=10"]],
  ["if ($C) { $$$B }", "int main() { if (a) { b(); } }", ["if (a) { b(); } | C=a | B=b();"]],
  [
    "int $F($$$A) { $$$B }",
    "int main(int c, char **v) { return 0; }",
    ["int main(int c, char **v) { return 0; } | F=main | A=int c, char **v | B=return 0;"],
  ],
  ["struct $S { $$$F };", "struct a { int x; int y; };", ["struct a { int x; int y; } | S=a | F=int x; int y;"]],
  ["$A->$B", "int f() { return p->x; }", ["p->x | A=p | B=x"]],
  ["#define $A $B", "#define X 1\n", ["#define X 1\n | A=X | B=1"]],
  ["#include $X", '#include "a.h"\n', ['#include "a.h"\n | X="a.h"']],
  ["$A = $B;", "int f() { x = 1; }", ["x = 1; | A=x | B=1"]],
  [
    "for ($I; $C; $S) $B",
    "int f() { for (i = 0; i < 1; i++) x(); }",
    ["for (i = 0; i < 1; i++) x(); | I=i = 0 | C=i < 1 | S=i++ | B=x();"],
  ],
  ["sizeof($T)", "int f() { return sizeof(x); }", ["sizeof(x) | T=x"]],
]);

testCases("C++", "a.cpp", [
  ["std::move($A)", "int main() { f(std::move(x)); }", ["std::move(x) | A=x"]],
  [
    "class $C { $$$B };",
    "class A { public: int x; void f() {} };",
    ["class A { public: int x; void f() {} } | C=A | B=public: int x; void f() {}"],
  ],
  [
    "for (auto $X : $Y) { $$$B }",
    "int main() { for (auto x : xs) { f(x); } }",
    ["for (auto x : xs) { f(x); } | X=x | Y=xs | B=f(x);"],
  ],
  ["new $T($$$A)", "int f() { auto p = new Foo(1); }", ["new Foo(1) | T=Foo | A=1"]],
  ["std::vector<$T>", "std::vector<int> a;", ["std::vector<int> | T=int"]],
  ["namespace $N { $$$B }", "namespace a { int x; }", ["namespace a { int x; } | N=a | B=int x;"]],
  ["$A << $B", "int f() { cout << x; }", ["cout << x | A=cout | B=x"]],
  ["[$$$C]($$$P) { $$$B }", "auto f = [a](int b) { c(); };", ["[a](int b) { c(); } | C=a | P=int b | B=c();"]],
  ["static_cast<$T>($X)", "int f() { return static_cast<int>(x); }", ["static_cast<int>(x) | T=int | X=x"]],
  [
    "try { $$$A } catch (...) { $$$B }",
    "int f() { try { a(); } catch (...) { b(); } }",
    ["try { a(); } catch (...) { b(); } | A=a(); | B=b();"],
  ],
]);

test("a run may be long", async () => {
  const elements = Array.from({ length: 50_000 }, (_, index) => index).join(",");
  expect(await find("a.js", "[$$$A, $B]", `[${elements}]`)).toEqual([
    `[${elements}] | A=${elements.slice(0, -6)} | B=49999`,
  ]);
});

test("a pattern of many runs gives up instead of trying for ever", async () => {
  const given = Array.from({ length: 60 }, (_, index) => `a${index}`).join(", ");
  const pat = `f(${"$$$, x, ".repeat(8)}$$$, never)`;
  const text = `f(${given}, ${"x, ".repeat(40)}y); never`;
  expect(await find("a.js", pat, text)).toEqual([]);
});
