/** Tool input schemas in the subset of JSON Schema that Google accepts; any other keyword fails the whole request. */
import type { JsonSchema } from "@kedge/protocol";

type GoogleSchema = Pick<
  JsonSchema,
  "type" | "description" | "required" | "minimum" | "maximum" | "minItems" | "maxItems"
> & {
  readonly properties?: { readonly [name: string]: GoogleSchema };
  readonly items?: GoogleSchema;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly GoogleSchema[];
};

/** The property of an object that has none of its own; it is taken out of the calls that name it. */
export const placeholderName = "_placeholder";

const nothingToFill: { readonly [name: string]: GoogleSchema } = {
  [placeholderName]: { type: "boolean", description: "Leave it out." },
};

/** Undefined for a tool without inputs: Google wants no schema at all where there is nothing to fill in. */
export function googleParameters(schema: JsonSchema): GoogleSchema | undefined {
  const isEmpty = Object.keys(schema.properties ?? {}).length === 0 && schema.anyOf === undefined;
  return isEmpty ? undefined : googleSchema(schema);
}

function googleSchema(schema: JsonSchema): GoogleSchema {
  const { type, description, anyOf, minimum, maximum, minItems, maxItems } = schema;
  const choices = choicesOf(schema);
  if (choices !== undefined)
    return { type: "string", ...(description === undefined ? {} : { description }), enum: choices };
  return {
    ...(type === undefined ? {} : { type }),
    ...(description === undefined ? {} : { description }),
    ...propertiesOf(schema),
    ...itemsOf(schema),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(googleSchema) }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(minItems === undefined ? {} : { minItems }),
    ...(maxItems === undefined ? {} : { maxItems }),
  };
}

/** Only strings can be enumerated, so numbers are written as such; what a tool reads turns them back. */
function choicesOf({ enum: members, const: only }: JsonSchema): readonly string[] | undefined {
  const allowed = members ?? (only === undefined ? [] : [only]);
  const named = allowed.filter((member) => typeof member === "string" || typeof member === "number");
  return named.length === 0 || named.length < allowed.length ? undefined : named.map(String);
}

/** Google rejects required properties that are not described, and objects that have none. */
function propertiesOf({ type, properties = {}, required = [] }: JsonSchema): GoogleSchema {
  const named = Object.entries(properties).map(([name, schema]) => [name, googleSchema(schema)] as const);
  if (named.length === 0) return type === "object" ? { properties: nothingToFill } : {};
  const known = required.filter((name) => Object.hasOwn(properties, name));
  return { properties: Object.fromEntries(named), ...(known.length === 0 ? {} : { required: known }) };
}

/** A list must say what is in it; one that does not is taken for a list of texts. */
function itemsOf({ type, items }: JsonSchema): GoogleSchema {
  if (items === undefined) return type === "array" ? { items: { type: "string" } } : {};
  const described = googleSchema(items);
  return {
    items: described.type === undefined && described.anyOf === undefined ? { type: "string", ...described } : described,
  };
}
