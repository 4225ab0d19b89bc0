/** `kedge agents`: agents that worked for sessions of this project, and `kedge agents list`: those that can be started. */
import {
  agentsText,
  definitionsText,
  findAgents,
  type ListedAgent,
  listAgentDefinitions,
  listProjectAgents,
} from "@kedge/host/agents";
import { openExtensions } from "@kedge/host/extensions";
import { type AgentSummary, showTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { openSettings } from "../opening/open-settings.ts";
import { startKedge } from "../opening/start-kedge.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { agentTexts } from "../texts/setup.ts";

export async function runAgentsCommand([action, target, extra]: readonly string[], flags: Flags): Promise<number> {
  if (action === "list" && target === undefined) return listDefinitions(flags);
  if (action === undefined) return listAgents(flags);
  if (action === "show" && target !== undefined && extra === undefined) return showAgent(target, flags);
  writeNotice(agentTexts.usage);
  return exitCodes.usage;
}

async function listDefinitions(flags: Flags): Promise<number> {
  const rows = await definitionsOf(flags);
  if (rows === undefined) return exitCodes.error;
  writeResult(flags.json ? `${JSON.stringify(rows)}\n` : `${showTerminalControls(definitionsText(rows))}\n`);
  return exitCodes.success;
}

async function definitionsOf(flags: Flags): Promise<readonly ListedAgent[] | undefined> {
  const surroundings = readSurroundings();
  const opened = await openSettings(flags, surroundings);
  if (!opened.ok) {
    writeDiagnostic(failureText(opened.failure));
    return undefined;
  }
  const { home, project, configuration } = opened;
  const extensions = await openExtensions({
    ...{ home, project, userDirectory: surroundings.userDirectory, now: Date.now },
    settings: configuration.extensions,
    plugins: configuration.plugins,
    disabledSources: configuration.instructions.disabledSources,
    onNotice: writeNotice,
    readFile: () => undefined,
  });
  const { definitions } = configuration.agents;
  return listAgentDefinitions(await findAgents({ ...extensions.found, definitions, given: {} }));
}

async function projectAgents(flags: Flags): Promise<readonly AgentSummary[] | number> {
  const outcome = await startKedge(flags, readSurroundings(), { interactive: false, runsNothing: true });
  if (!outcome.ok) {
    writeDiagnostic(failureText(outcome.failure));
    return outcome.isUsage ? exitCodes.usage : exitCodes.error;
  }
  const { kedge, projectId } = outcome.started;
  return listProjectAgents(kedge.store, projectId, Date.now);
}

async function listAgents(flags: Flags): Promise<number> {
  const agents = await projectAgents(flags);
  if (typeof agents === "number") return agents;
  if (flags.json) {
    const definitions = await definitionsOf(flags);
    if (definitions === undefined) return exitCodes.error;
    writeResult(`${JSON.stringify({ agents, definitions })}\n`);
  } else if (agents.length === 0) {
    writeResult(agentTexts.none);
  } else writeResult(`${showTerminalControls(agentsText(agents))}\n`);
  return exitCodes.success;
}

async function showAgent(target: string, flags: Flags): Promise<number> {
  const agents = await projectAgents(flags);
  if (typeof agents === "number") return agents;
  const found = agents.find(({ agentId, name }) => agentId === target || name === target);
  if (found === undefined) {
    writeNotice(agentTexts.noAgent(target));
    return exitCodes.error;
  }
  writeResult(flags.json ? `${JSON.stringify(found)}\n` : `${showTerminalControls(agentsText([found]))}\n`);
  return exitCodes.success;
}
