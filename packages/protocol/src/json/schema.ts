/** The vocabulary that rows are written in: JSON Schema as plain data, with the TypeScript type of what fits it. */
import type { JsonSchema } from "./json-schema.ts";

declare const fitting: unique symbol;

/** A JSON Schema that knows the type of the values that fit it; only the compiler sees the type. */
export type Schema<Value> = JsonSchema & { readonly [fitting]?: Value };

/** A member that may be absent. */
export type Optional<Value> = { readonly optional: Schema<Value> };

export type Fields = { readonly [name: string]: Schema<unknown> | Optional<unknown> };

/** The same members, written as one object. */
export type Flat<Value> = { [Name in keyof Value]: Value[Name] };

type ValueOfMember<Member> =
  Member extends Optional<infer Value> ? Value : Member extends { readonly [fitting]?: infer Value } ? Value : never;

/** The type of an object with these members. */
export type ValueOfFields<Members extends Fields> = Flat<
  {
    readonly [Name in keyof Members as Members[Name] extends Optional<unknown> ? never : Name]: ValueOfMember<
      Members[Name]
    >;
  } & {
    readonly [Name in keyof Members as Members[Name] extends Optional<unknown> ? Name : never]?: ValueOfMember<
      Members[Name]
    >;
  }
>;

export type ValueOf<Given extends Schema<unknown>> = ValueOfMember<Given>;

export const text: Schema<string> = { type: "string" };
export const number: Schema<number> = { type: "number" };
export const flag: Schema<boolean> = { type: "boolean" };
/** For a member that is true or absent. */
export const yes: Schema<true> = { type: "boolean", const: true };

export function textWithin(limits: { readonly minLength?: number; readonly maxLength?: number }): Schema<string> {
  return { type: "string", ...limits };
}

/** Only where a request is checked does the pattern count; see `checkSchema`. */
export function matching(pattern: string): Schema<string> {
  return { type: "string", pattern };
}

export function integer(limits: { readonly minimum?: number; readonly maximum?: number } = {}): Schema<number> {
  return { type: "integer", maximum: Number.MAX_SAFE_INTEGER, ...limits };
}

/** One of these words. */
export function words<const Word extends string>(...choices: readonly Word[]): Schema<Word> {
  return choices.length === 1 ? { type: "string", const: choices[0] ?? "" } : { type: "string", enum: choices };
}

export function list<Item>(items: Schema<Item>): Schema<readonly Item[]> {
  return { type: "array", items };
}

/** Any names, each with a value of this kind. */
export function record<Value>(values: Schema<Value>): Schema<{ readonly [name: string]: Value }> {
  return { type: "object", additionalProperties: values };
}

/** An object that may have further members: what kedge answers with can grow. */
export function object<Members extends Fields>(fields: Members): Schema<ValueOfFields<Members>> {
  return objectSchema(fields);
}

/** An object without further members: in a request they are mistakes. */
export function closed<Members extends Fields>(fields: Members): Schema<ValueOfFields<Members>> {
  return { ...objectSchema(fields), additionalProperties: false };
}

function objectSchema(fields: Fields): JsonSchema {
  const properties: { [name: string]: JsonSchema } = {};
  const required: string[] = [];
  for (const [name, member] of Object.entries(fields)) {
    const schema = schemaOfMember(member);
    properties[name] = schema;
    if (!isOptional(member) && schema.default === undefined) required.push(name);
  }
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

export function either<Choices extends readonly Schema<unknown>[]>(
  ...choices: Choices
): Schema<ValueOf<Choices[number]>> {
  return { anyOf: choices };
}

export function optional<Value>(schema: Schema<Value>): Optional<Value> {
  return { optional: schema };
}

/** A member that a request may leave out although the command has it. */
export function withDefault<Value>(schema: Schema<Value>, value: NonNullable<JsonSchema["default"]>): Schema<Value> {
  return { ...schema, default: value };
}

/** Described once in documents, under this name. */
export function named<Value>(title: string, schema: Schema<Value>): Schema<Value> {
  return { title, ...schema };
}

/** Holds a schema to a type that is written out elsewhere: a member too many or too few does not compile. */
export function schemaOf<Value>(): <Given>(
  schema: Same<Given, Value> extends true ? Schema<Given> : never,
) => Schema<Value> {
  return (schema): JsonSchema => schema;
}

/** Written out, so that intersections and aliases compare by what they hold. */
type Plain<Value> = Value extends readonly (infer Element)[]
  ? readonly Plain<Element>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Plain<Value[Name]> }
    : Value;

/** Also an optional member that only one of the two has makes them differ. */
type Same<Left, Right> =
  (<Any>() => Any extends Plain<Left> ? 1 : 2) extends <Any>() => Any extends Plain<Right> ? 1 : 2 ? true : false;

function schemaOfMember(member: Schema<unknown> | Optional<unknown>): JsonSchema {
  return isOptional(member) ? member.optional : member;
}

function isOptional(member: Schema<unknown> | Optional<unknown>): member is Optional<unknown> {
  return "optional" in member;
}
