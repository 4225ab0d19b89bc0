import { expect, test } from "vitest";
import { findModuleReferences, maskSource } from "./source-scan.ts";

test("every way to name a module is found, and nothing that only looks like one", () => {
  const source = [
    'import { one } from "./one.ts";',
    "import type {",
    "  Two,",
    '} from "./two.ts";',
    'export * from "./three.ts";',
    'import "./four.ts";',
    'const five = await import("./five.ts");',
    'type Six = import("./six.ts").Six;',
    '// import "./comment.ts";',
    '/* from "./block.ts" */',
    "const text = 'import \"./string.ts\"';",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the sample is source text
    'const template = `import "./template.ts" ${await import("./seven.ts")} from "./tail.ts"`;',
    'const bytes = Buffer.from("./bytes.ts");',
    'const pattern = /from "x"/;',
  ].join("\n");

  expect(findModuleReferences(source)).toEqual([
    { specifier: "./one.ts", line: 1 },
    { specifier: "./two.ts", line: 4 },
    { specifier: "./three.ts", line: 5 },
    { specifier: "./four.ts", line: 6 },
    { specifier: "./five.ts", line: 7 },
    { specifier: "./six.ts", line: 8 },
    { specifier: "./seven.ts", line: 12 },
  ]);
});

test("masking keeps length, lines and code, and survives quotes in patterns and braces in templates", () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the sample is source text
  const source = 'const a = /["\'`]/.test("x") ? `${{ a: `}` }.a}"` : 4 / 2; // "\nprocess.env';
  const masked = maskSource(source);

  // biome-ignore lint/suspicious/noTemplateCurlyInString: the sample is source text
  expect(masked).toBe('const a = /     /.test(" ") ? `${{ a: ` ` }.a} ` : 4 / 2;     \nprocess.env');
  expect(masked.length).toBe(source.length);
});
