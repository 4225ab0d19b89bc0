/** What a server offers: its tools, prompts, resources and instructions, as far as it has them. */
import type { Client, Prompt, Resource, ResourceTemplateType, Tool } from "@modelcontextprotocol/client";
import type { ListKind } from "./connect-parts.ts";
import { instructionsCharactersMax } from "./limits.ts";
import { listSkills, type ServerSkill } from "./list-skills.ts";
import { listPrompts, listResources, listTemplates } from "./list-texts.ts";
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

/** Of one kind only where `only` says so; the rest stays what it was. */
export async function readOffers(
  client: Client,
  { only, before }: { readonly only?: ListKind; readonly before: Offers },
): Promise<Offers> {
  const capabilities = client.getServerCapabilities() ?? {};
  const isWanted = (what: ListKind) => (only ?? what) === what && capabilities[what] !== undefined;
  const listed = async () =>
    isWanted("tools") ? listTools(client) : { tools: before.tools, leftOut: before.toolsLeftOut };
  // A server whose prompts or resources cannot be listed still has its tools.
  const orBefore = async <Value>(what: ListKind, list: (client: Client) => Promise<Value>, otherwise: Value) =>
    isWanted(what) ? list(client).catch(() => otherwise) : otherwise;
  const [{ tools, leftOut }, prompts, resources, templates, skills] = await Promise.all([
    listed(),
    orBefore("prompts", listPrompts, before.prompts),
    orBefore("resources", listResources, before.resources),
    orBefore("resources", listTemplates, before.templates),
    orBefore("resources", listSkills, before.skills),
  ]);
  const { name = "", version = "" } = client.getServerVersion() ?? {};
  return {
    tools,
    ...(leftOut !== undefined && { toolsLeftOut: leftOut }),
    ...{ prompts, resources, templates, skills },
    instructions: (client.getInstructions() ?? "").slice(0, instructionsCharactersMax).toWellFormed(),
    ...{ name, version, protocolVersion: client.getNegotiatedProtocolVersion() ?? "" },
  };
}
