/**
 * Holds what a server sent against the schema that it should fit: the kinds of its values, and which must be there. Words
 * and fields that a newer server knows pass, so that only what no kedge sends is refused.
 */
import { isJsonObject, type JsonSchema } from "@kedge/protocol";

export function hasShape(value: unknown, schema: JsonSchema): boolean {
  if (schema.anyOf !== undefined) return isOneOf(value, schema.anyOf);
  switch (schema.type) {
    case undefined:
      return true;
    case "null":
      return value === null;
    case "integer":
      return typeof value === "number";
    case "array":
      return Array.isArray(value) && value.every((each) => hasShape(each, schema.items ?? {}));
    case "object":
      return isJsonObject(value) && hasMembers(value, schema);
    default:
      return typeof value === schema.type;
  }
}

function hasMembers(value: { readonly [name: string]: unknown }, schema: JsonSchema): boolean {
  const { properties = {}, required = [], additionalProperties: rest } = schema;
  return (
    required.every((name) => value[name] !== undefined) &&
    Object.entries(value).every(([name, member]) => {
      const wanted = Object.hasOwn(properties, name) ? properties[name] : typeof rest === "object" ? rest : undefined;
      return wanted === undefined || member === undefined || hasShape(member, wanted);
    })
  );
}

/** One that is none of those known may be one of a newer server; it has what all of the known ones have. */
function isOneOf(value: unknown, variants: readonly JsonSchema[]): boolean {
  const marks = variants.map(marksOf);
  const hasMarks = (each: ReturnType<typeof marksOf>) =>
    each.every(([name, word]) => isJsonObject(value) && value[name] === word);
  if (variants.some((variant, index) => hasMarks(marks[index] ?? []) && hasShape(value, variant))) return true;
  if (!isJsonObject(value) || marks.some((each) => each.length === 0)) return false;
  return !marks.some(hasMarks) && hasMembers(value, sharedBy(variants));
}

/** A variant is known by the words that only it may have. */
function marksOf({ properties = {}, required = [] }: JsonSchema): readonly (readonly [string, unknown])[] {
  return required.flatMap((name) => {
    const word = properties[name]?.const;
    return typeof word === "string" ? [[name, word] as const] : [];
  });
}

function sharedBy(variants: readonly JsonSchema[]): JsonSchema {
  const [first = {}] = variants;
  const isShared = (name: string) =>
    variants.every(({ required = [], properties = {} }) => {
      return required.includes(name) && properties[name]?.type === first.properties?.[name]?.type;
    });
  const required = (first.required ?? []).filter(isShared);
  const members = Object.entries(first.properties ?? {}).filter(([name]) => required.includes(name));
  return { type: "object", required, properties: Object.fromEntries(members) };
}
