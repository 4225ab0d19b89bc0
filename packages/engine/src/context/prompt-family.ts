/** Which base prompt a model gets: families of models have habits that their prompts steer against. */

export type PromptFamily = "anthropic" | "beast" | "codex" | "gpt" | "gemini" | "trinity" | "default";

type Row = { readonly family: PromptFamily; readonly fits: (id: string) => boolean };

/** The first that fits, from specific to general. */
const rows: readonly Row[] = [
  { family: "anthropic", fits: (id) => id.includes("claude") },
  { family: "codex", fits: (id) => id.includes("gpt") && id.includes("codex") },
  { family: "beast", fits: (id) => id.includes("gpt-4") || /(^|[^a-z0-9])o[13]($|[^a-z0-9])/.test(id) },
  { family: "gpt", fits: (id) => id.includes("gpt") },
  { family: "gemini", fits: (id) => id.includes("gemini-") },
  { family: "trinity", fits: (id) => id.includes("trinity") },
];

export function promptFamily(modelId: string): PromptFamily {
  const id = modelId.toLowerCase();
  return rows.find(({ fits }) => fits(id))?.family ?? "default";
}
