/** The prompts, resources and templates of a server; one that is not as it must be costs itself alone. */
import { isJsonObject } from "@kedge/protocol";
import type { Client, Prompt, Resource, ResourceTemplateType } from "@modelcontextprotocol/client";
import { listPages } from "./list-pages.ts";

const itemsMax = 5_000;
/** Tools wait for these lists, so that a server which never gives them holds up less. */
const options = { timeout: 10_000 };

export async function listPrompts(client: Client): Promise<readonly Prompt[]> {
  const { items } = await listPages(client, async () => (await client.listPrompts({}, options)).prompts, {
    ...{ method: "prompts/list", field: "prompts", itemsMax, isItem: isPrompt },
    idOf: ({ name }) => name,
  });
  return items.slice(0, itemsMax);
}

export async function listResources(client: Client): Promise<readonly Resource[]> {
  const { items } = await listPages(client, async () => (await client.listResources({}, options)).resources, {
    ...{ method: "resources/list", field: "resources", itemsMax, isItem: isResource },
    idOf: ({ uri }) => uri,
  });
  return items.slice(0, itemsMax);
}

export async function listTemplates(client: Client): Promise<readonly ResourceTemplateType[]> {
  const whole = async () => (await client.listResourceTemplates({}, options)).resourceTemplates;
  const { items } = await listPages(client, whole, {
    ...{ method: "resources/templates/list", field: "resourceTemplates", itemsMax, isItem: isTemplate },
    idOf: ({ uriTemplate }) => uriTemplate,
  });
  return items.slice(0, itemsMax);
}

function isPrompt(value: unknown): value is Prompt {
  if (!isJsonObject(value) || !isNamed(value)) return false;
  const { arguments: declared = [] } = value;
  return Array.isArray(declared) && declared.every((each) => isJsonObject(each) && isNamed(each));
}

function isResource(value: unknown): value is Resource {
  return isJsonObject(value) && isNamed(value) && typeof value["uri"] === "string" && hasPlainType(value);
}

function isTemplate(value: unknown): value is ResourceTemplateType {
  return isJsonObject(value) && isNamed(value) && typeof value["uriTemplate"] === "string" && hasPlainType(value);
}

type Fields = { readonly [name: string]: unknown };

function isNamed({ name, description }: Fields): boolean {
  return typeof name === "string" && name !== "" && (description === undefined || typeof description === "string");
}

function hasPlainType({ mimeType }: Fields): boolean {
  return mimeType === undefined || typeof mimeType === "string";
}
