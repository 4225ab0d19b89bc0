/** Which values the functions of a table of texts take, as its source has them. */
import { parseSync } from "vite";

/** `type` is as written. */
export type Slot = { readonly name: string; readonly type: string };

/** One value, or several by name. */
export type Parameter = { readonly isNamed: boolean; readonly slots: readonly Slot[] };

type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [key: string]: unknown };

/** By name: `texts.usage`, or `usage` where the table exports it by itself. */
export function parametersOf(file: string, source: string): ReadonlyMap<string, readonly Parameter[]> {
  const { program } = parseSync(file, source);
  const found = new Map<string, readonly Parameter[]>();
  const look = (value: Node | null | undefined, name: string): void => {
    if (value?.type === "TSAsExpression") look(value["expression"] as Node, name);
    else if (value?.type === "ArrowFunctionExpression") {
      // Plain nodes of ESTree, as below.
      found.set(
        name,
        (value["params"] as readonly Node[]).map((node) => parameterOf(node, source)),
      );
    } else if (value?.type === "ObjectExpression") {
      for (const property of value["properties"] as readonly Node[])
        look(property["value"] as Node, `${name}.${keyOf(property)}`);
    }
  };
  for (const statement of program.body as unknown as readonly Node[]) {
    const declaration = statement["declaration"] as Node | null | undefined;
    const declared = (declaration?.["declarations"] ?? []) as readonly Node[];
    for (const each of declared) look(each["init"] as Node, (each["id"] as unknown as { readonly name: string }).name);
  }
  return found;
}

function parameterOf(node: Node, source: string): Parameter {
  const annotation = (node["typeAnnotation"] as Node | undefined)?.["typeAnnotation"] as Node | undefined;
  if (annotation?.type !== "TSTypeLiteral") {
    return { isNamed: false, slots: [{ name: String(node["name"]), type: typeText(annotation, source) }] };
  }
  const slots = (annotation["members"] as readonly Node[]).map((member) => {
    const type = (member["typeAnnotation"] as Node | undefined)?.["typeAnnotation"] as Node | undefined;
    return { name: keyOf(member), type: typeText(type, source) };
  });
  return { isNamed: true, slots };
}

function keyOf(member: Node): string {
  const { name, value } = member["key"] as { readonly name?: string; readonly value?: string };
  return name ?? value ?? "";
}

function typeText(annotation: Node | undefined, source: string): string {
  return annotation === undefined ? "no type" : source.slice(annotation.start, annotation.end);
}
