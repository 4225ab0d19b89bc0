/** Which types the functions of a table of texts take, as its source has them. */
import { parseSync } from "vite";

type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [key: string]: unknown };

/** By name: `texts.usage`, or `usage` where the table exports it by itself. */
export function parametersOf(file: string, source: string): ReadonlyMap<string, readonly string[]> {
  const { program } = parseSync(file, source);
  const found = new Map<string, readonly string[]>();
  const look = (value: Node | null | undefined, name: string): void => {
    if (value?.type === "ArrowFunctionExpression") {
      // Plain nodes of ESTree, as below.
      found.set(
        name,
        (value["params"] as readonly Node[]).map((parameter) => typeText(parameter, source)),
      );
    } else if (value?.type === "ObjectExpression") {
      for (const property of value["properties"] as readonly Node[]) {
        const { name: key } = property["key"] as { readonly name?: string };
        if (key !== undefined) look(property["value"] as Node, `${name}.${key}`);
      }
    }
  };
  for (const statement of program.body as unknown as readonly Node[]) {
    const declaration = statement["declaration"] as Node | null | undefined;
    const declared = (declaration?.["declarations"] ?? []) as readonly Node[];
    for (const each of declared) look(each["init"] as Node, (each["id"] as unknown as { readonly name: string }).name);
  }
  return found;
}

function typeText(parameter: Node, source: string): string {
  const annotation = parameter["typeAnnotation"] as Node | null | undefined;
  return annotation === null || annotation === undefined
    ? "no type"
    : source.slice(annotation.start, annotation.end).replace(/^:\s*/, "");
}
