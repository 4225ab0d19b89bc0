/** `kedge session …`: looks at stored sessions without a model. */
import { stripTerminalControls } from "@kedge/host";
import type { Client } from "@kedge/protocol";
import type { SessionAction } from "./arguments.ts";
import { factText } from "./console-view.ts";
import { exitCodes } from "./exit-codes.ts";
import { failureText } from "./failure-text.ts";
import type { Flags } from "./flags.ts";
import { findSession } from "./open-session.ts";
import { writeDiagnostic, writeResult } from "./output.ts";
import { startKedge } from "./start-kedge.ts";
import { readSurroundings } from "./surroundings.ts";

const listedSessionsMax = 50;

export async function runSessionCommand(
  { action, target }: { readonly action: SessionAction; readonly target: string | undefined },
  flags: Flags,
): Promise<number> {
  const outcome = await startKedge(flags, readSurroundings(), { interactive: false });
  if (!outcome.ok) {
    writeDiagnostic(failureText(outcome.failure));
    return outcome.isUsage ? exitCodes.usage : exitCodes.error;
  }
  const { kedge, cwd, projectId } = outcome.started;
  const { client } = kedge;
  const json = flags.json === true;
  if (action === "list") return list(client, projectId, { json });
  const choice = target === undefined ? ({ kind: "newest" } as const) : ({ kind: "named", name: target } as const);
  const found = await findSession(client, choice, cwd);
  if (!found.ok) {
    writeDiagnostic(failureText(found.failure));
    return exitCodes.error;
  }
  const { sessionId } = found.session;
  switch (action) {
    case "show":
      return show(client, sessionId, { json });
    case "export":
      return exportFacts(client, sessionId);
    case "verify":
      return verify(client, sessionId, { json });
  }
}

async function list(client: Client, projectId: string, { json }: { readonly json: boolean }): Promise<number> {
  const sessions = await client.sessions({ projectId, limit: listedSessionsMax });
  if (json) {
    writeResult(`${JSON.stringify(sessions)}\n`);
    return exitCodes.success;
  }
  if (sessions.length === 0) writeDiagnostic("There is no session in this project yet.");
  const lines = sessions.map(({ sessionId, updatedAt, title }) => {
    const when = new Date(updatedAt).toISOString().slice(0, 16).replace("T", " ");
    return `${sessionId}  ${when}  ${stripTerminalControls(title)}\n`;
  });
  writeResult(lines.join(""));
  return exitCodes.success;
}

async function show(client: Client, sessionId: string, { json }: { readonly json: boolean }): Promise<number> {
  if (json) return exportFacts(client, sessionId);
  for await (const { fact } of client.facts(sessionId)) {
    const text = fact.type === "prompt.admitted" ? `> ${stripTerminalControls(fact.text)}\n` : factText(fact);
    if (text !== "" && writeResult(text) === "reader-gone") break;
  }
  return exitCodes.success;
}

async function exportFacts(client: Client, sessionId: string): Promise<number> {
  for await (const record of client.facts(sessionId)) {
    if (writeResult(`${JSON.stringify(record)}\n`) === "reader-gone") break;
  }
  return exitCodes.success;
}

async function verify(client: Client, sessionId: string, { json }: { readonly json: boolean }): Promise<number> {
  const report = await client.verify(sessionId);
  const { valid, records, payloadsRemoved, truncated, problem } = report;
  if (json) writeResult(`${JSON.stringify(report)}\n`);
  else if (valid) {
    const removed = payloadsRemoved === 0 ? "" : `, contents of ${payloadsRemoved} removed`;
    const torn = truncated ? ", the last one torn by a crash" : "";
    writeResult(`${sessionId}: the chain of ${records} records holds${removed}${torn}.\n`);
  } else {
    const where = problem === undefined ? "" : ` at record ${problem.seq}: ${problem.what}`;
    writeResult(`${sessionId}: the chain is broken${where}.\n`);
  }
  return valid ? exitCodes.success : exitCodes.error;
}
