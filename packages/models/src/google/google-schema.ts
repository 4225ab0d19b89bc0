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

/** Undefined for an object without properties: Google wants no schema at all where there is nothing to fill in. */
export function googleParameters(schema: JsonSchema): GoogleSchema | undefined {
  const parameters = googleSchema(schema);
  return parameters.properties === undefined && parameters.anyOf === undefined ? undefined : parameters;
}

function googleSchema(schema: JsonSchema): GoogleSchema {
  const { type, description, items, anyOf, minimum, maximum, minItems, maxItems } = schema;
  return {
    ...(type === undefined ? {} : { type }),
    ...(description === undefined ? {} : { description }),
    ...enumOf(schema),
    ...propertiesOf(schema),
    ...(items === undefined ? {} : { items: googleSchema(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(googleSchema) }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(minItems === undefined ? {} : { minItems }),
    ...(maxItems === undefined ? {} : { maxItems }),
  };
}

/** Only strings can be enumerated; a list of numbers is left to the tool's own check. */
function enumOf({ type, enum: members, const: only }: JsonSchema): GoogleSchema {
  if (type !== undefined && type !== "string") return {};
  const allowed = members ?? (only === undefined ? [] : [only]);
  const strings = allowed.filter((member) => typeof member === "string");
  return strings.length === 0 || strings.length < allowed.length ? {} : { type: "string", enum: strings };
}

/** Google rejects an empty list of properties and required ones that are not in it. */
function propertiesOf({ properties = {}, required = [] }: JsonSchema): GoogleSchema {
  const named = Object.entries(properties).map(([name, schema]) => [name, googleSchema(schema)] as const);
  if (named.length === 0) return {};
  const known = required.filter((name) => Object.hasOwn(properties, name));
  return { properties: Object.fromEntries(named), ...(known.length === 0 ? {} : { required: known }) };
}
