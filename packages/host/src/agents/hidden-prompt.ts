/** Prompts of the agents that kedge keeps to itself, from the table of all agents. Loaded when one is asked. */

export async function hiddenPrompt(name: "title" | "compaction" | "summary"): Promise<string> {
  const { builtInAgents } = await import("@kedge/agents/definitions");
  const found = builtInAgents.find((agent) => agent.name === name && agent.isHidden);
  if (found === undefined) throw new Error(`The table of agents has no ${name}.`);
  return found.prompt;
}
