/** Whether a schema can be asked of a model: found out before an agent spends its turns on a form that nothing fits. */
import { isJsonObject } from "@kedge/protocol";

const types: ReadonlySet<unknown> = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);
const depthMax = 20;

/** What is wrong with it, for whoever wrote it; undefined where nothing is. */
export function schemaFlaw(schema: unknown): string | undefined {
  if (!isJsonObject(schema)) return "a JSON schema is an object";
  const { type } = schema;
  // Vendors take objects only as the input of a call, and a result is one.
  if (type !== undefined && type !== "object") return 'its type must be "object"; put other values into a property';
  return flawAt(schema, "", 0);
}

function flawAt(schema: unknown, path: string, depth: number): string | undefined {
  const at = path === "" ? "" : `${path}: `;
  if (typeof schema === "boolean") return undefined;
  if (!isJsonObject(schema)) return `${at}a schema is an object`;
  if (depth > depthMax) return `${at}it is nested too deeply`;
  const { type, properties, required, items, anyOf, enum: members, $ref: reference } = schema;
  if (reference !== undefined) return `${at}$ref is not followed; write the schema out`;
  if (type !== undefined && !types.has(type)) return `${at}type must be one of ${[...types].join(", ")}`;
  if (required !== undefined && !(Array.isArray(required) && required.every((name) => typeof name === "string")))
    return `${at}required must be a list of names`;
  if (members !== undefined && !Array.isArray(members)) return `${at}enum must be a list`;
  if (anyOf !== undefined && !Array.isArray(anyOf)) return `${at}anyOf must be a list of schemas`;
  if (properties !== undefined && !isJsonObject(properties)) return `${at}properties must be schemas by name`;
  const inner: [string, unknown][] = [
    ...Object.entries(properties ?? {}).map(([name, each]): [string, unknown] => [`${path}.${name}`, each]),
    ...(items === undefined ? [] : [[`${path}[]`, items] as [string, unknown]]),
    ...(Array.isArray(anyOf) ? anyOf : []).map((each): [string, unknown] => [path, each]),
  ];
  for (const [place, each] of inner) {
    const flaw = flawAt(each, place.replace(/^\./, ""), depth + 1);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}
