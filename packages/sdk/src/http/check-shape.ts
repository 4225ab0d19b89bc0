/**
 * Holds what a server sent against the shape that it should have: the kinds of its values, and which must be there. Words
 * and fields that a newer server knows pass, so that only what no kedge sends is refused.
 *
 * A shape is `string`, `number`, `boolean` or `any`; `=word` for that very word; `#Name` for one of the named shapes; a
 * list with the shape of its items; or an object of shapes, where `name?` may be missing, `*` is all other members, and
 * `|` alone is a list of variants.
 */
import { isJsonObject } from "@kedge/protocol";
import { namedShapes } from "./answer-shapes.generated.ts";

export type Shape = string | readonly Shape[] | { readonly [member: string]: Shape };

const parsed = new Map<string, Shape>();

export function shapeFromText(text: string): Shape {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  // The texts are our own.
  const shape = JSON.parse(text) as Shape;
  parsed.set(text, shape);
  return shape;
}

export function hasShape(value: unknown, shape: Shape): boolean {
  if (typeof shape === "string") return isWord(value, shape);
  if (isList(shape)) {
    const [item = "any"] = shape;
    return Array.isArray(value) && value.every((each) => hasShape(each, item));
  }
  const variants = shape["|"];
  if (variants !== undefined && isList(variants)) return isOneOf(value, variants);
  return isJsonObject(value) && hasMembers(value, shape);
}

function isWord(value: unknown, shape: string): boolean {
  if (shape === "any") return true;
  if (shape.startsWith("=")) return value === shape.slice(1);
  if (!shape.startsWith("#")) return typeof value === shape;
  const text = namedShapes[shape.slice(1)];
  return text === undefined || hasShape(value, shapeFromText(text));
}

function hasMembers(value: { readonly [name: string]: unknown }, shape: { readonly [member: string]: Shape }): boolean {
  const rest = shape["*"];
  const isRest = (name: string) => rest === undefined || name in shape || `${name}?` in shape;
  return (
    Object.entries(shape).every(([member, wanted]) => {
      if (member === "*") return true;
      if (!member.endsWith("?")) return hasShape(value[member], wanted);
      const given = value[member.slice(0, -1)];
      return given === undefined || hasShape(given, wanted);
    }) &&
    (rest === undefined || Object.entries(value).every(([name, each]) => isRest(name) || hasShape(each, rest)))
  );
}

/** One that is none of those known may be one of a newer server; it has what all of the known ones have. */
function isOneOf(value: unknown, variants: readonly Shape[]): boolean {
  if (variants.some((variant) => hasShape(value, variant))) return true;
  const marks = variants.map(marksOf);
  if (!isJsonObject(value) || marks.some((each) => each.length === 0)) return false;
  const isKnown = marks.some((each) => each.every(([name, word]) => value[name] === word));
  return !isKnown && hasMembers(value, sharedBy(variants));
}

function sharedBy(variants: readonly Shape[]): { readonly [member: string]: Shape } {
  const objects = variants.flatMap((each) => (typeof each === "string" || isList(each) ? [] : [each]));
  const [first = {}] = objects;
  const isShared = ([name, shape]: readonly [string, Shape]) =>
    objects.every((each) => wordless(each[name]) === wordless(shape));
  return Object.fromEntries(
    Object.entries(first)
      .filter(isShared)
      .map(([name, shape]) => [name, isMark(shape) ? "string" : shape]),
  );
}

/** Of marks only that there is one. */
function wordless(shape: Shape | undefined): string {
  return isMark(shape) ? "=" : JSON.stringify(shape ?? null);
}

function isMark(shape: Shape | undefined): shape is `=${string}` {
  return typeof shape === "string" && shape.startsWith("=");
}

function marksOf(variant: Shape): readonly (readonly [string, string])[] {
  if (typeof variant === "string" || isList(variant)) return [];
  return Object.entries(variant).flatMap(([name, shape]) => (isMark(shape) ? [[name, shape.slice(1)] as const] : []));
}

function isList(shape: Shape): shape is readonly Shape[] {
  return Array.isArray(shape);
}
