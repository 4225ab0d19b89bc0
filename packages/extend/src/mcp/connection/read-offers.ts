/** What a server offers: its tools, prompts, resources and instructions, as far as it has them. */
import type { Client, Prompt, Resource, ResourceTemplateType, Tool } from "@modelcontextprotocol/client";
import type { ListKind } from "./connect-parts.ts";
import { connectMs, instructionsCharactersMax } from "./limits.ts";
import { listSkills, type ServerSkill } from "./list-skills.ts";
import { listTools } from "./list-tools.ts";

export type Offers = {
  readonly tools: readonly Tool[];
  /** How many tools it has beyond those, which is not always known. */
  readonly toolsLeftOut?: number | "some";
  readonly prompts: readonly Prompt[];
  readonly resources: readonly Resource[];
  readonly templates: readonly ResourceTemplateType[];
  readonly skills: readonly ServerSkill[];
  /** What the server tells models about itself: data, and never more than this. */
  readonly instructions: string;
  readonly name: string;
  readonly version: string;
  readonly protocolVersion: string;
};

export const noOffers: Offers = {
  ...{ tools: [], prompts: [], resources: [], templates: [], skills: [] },
  ...{ instructions: "", name: "", version: "", protocolVersion: "" },
};

const listMax = 5_000;

/** Of one kind only where `only` says so; the rest stays what it was. */
export async function readOffers(
  client: Client,
  { only, before }: { readonly only?: ListKind; readonly before: Offers },
): Promise<Offers> {
  const capabilities = client.getServerCapabilities() ?? {};
  const options = { timeout: connectMs };
  const isWanted = (what: ListKind) => (only ?? what) === what && capabilities[what] !== undefined;
  const { tools, leftOut } = isWanted("tools")
    ? await listTools(client)
    : { tools: before.tools, leftOut: before.toolsLeftOut };
  // A server whose prompts or resources cannot be listed still has its tools.
  const prompts = isWanted("prompts")
    ? await orElse(async () => (await client.listPrompts({}, options)).prompts, before.prompts)
    : before.prompts;
  const resources = isWanted("resources")
    ? await orElse(async () => (await client.listResources({}, options)).resources, before.resources)
    : before.resources;
  const templates = isWanted("resources")
    ? await orElse(async () => (await client.listResourceTemplates({}, options)).resourceTemplates, before.templates)
    : before.templates;
  const skills = isWanted("resources") ? await orElse(() => listSkills(client), before.skills) : before.skills;
  const { name = "", version = "" } = client.getServerVersion() ?? {};
  return {
    tools,
    ...(leftOut !== undefined && { toolsLeftOut: leftOut }),
    prompts: prompts.slice(0, listMax),
    resources: resources.slice(0, listMax),
    templates: templates.slice(0, listMax),
    skills,
    instructions: (client.getInstructions() ?? "").slice(0, instructionsCharactersMax),
    ...{ name, version, protocolVersion: client.getNegotiatedProtocolVersion() ?? "" },
  };
}

async function orElse<Value>(work: () => Promise<Value>, otherwise: Value): Promise<Value> {
  try {
    return await work();
  } catch {
    return otherwise;
  }
}
