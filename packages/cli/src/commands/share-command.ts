/** `kedge share`: uploads a sealed copy of a session, lists such copies, and deletes them again. */
import { type Client, stripTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { findSession } from "../opening/find-session.ts";
import { startKedge } from "../opening/start-kedge.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { askYesOrNo } from "../terminal/ask-yes-or-no.ts";
import { shareTexts } from "../texts/servers.ts";

export async function runShareCommand(words: readonly string[], flags: Flags): Promise<number> {
  const [first, second, extra] = words;
  const isUsage = extra !== undefined || (first === "revoke" ? second === undefined : second !== undefined);
  if (isUsage) {
    writeNotice(shareTexts.usage);
    return exitCodes.usage;
  }
  const outcome = await startKedge(flags, readSurroundings(), { interactive: false, runsNothing: true });
  if (!outcome.ok) return failed(outcome.failure);
  const { kedge, cwd } = outcome.started;
  const { client } = kedge;
  try {
    if (first === "list") return await list(client, flags);
    if (first === "revoke") return await revoke(client, second ?? "", flags);
    return await create(client, first, cwd, flags);
  } finally {
    await kedge.close();
  }
}

async function list(client: Client, { json }: Flags): Promise<number> {
  const answer = await client.ask<"share.list">({ type: "share.list" });
  if (!answer.ok) return failed(answer.failure);
  const { shares } = answer.value;
  const lines = shares.map(({ shareId, sessionId, server, expiresAt }) => {
    return shareTexts.listed(shareId, sessionId, server, new Date(expiresAt).toLocaleDateString());
  });
  const text = lines.length === 0 ? shareTexts.none : lines.join("\n");
  writeResult(json ? `${JSON.stringify({ shares })}\n` : `${stripTerminalControls(text)}\n`);
  return exitCodes.success;
}

async function revoke(client: Client, shareId: string, { json }: Flags): Promise<number> {
  const answer = await client.send<"share.revoke">({ type: "share.revoke", shareId });
  if (!answer.ok) return failed(answer.failure);
  writeResult(json ? `${JSON.stringify({ revoked: shareId })}\n` : shareTexts.deleted);
  return exitCodes.success;
}

async function create(client: Client, name: string | undefined, directory: string, flags: Flags): Promise<number> {
  const found = await findSession(client, name === undefined ? { kind: "newest" } : { kind: "named", name }, directory);
  if (!found.ok) return failed(found.failure);
  const { sessionId } = found.session;
  const asked = await client.send<"share.create">({ type: "share.create", sessionId });
  if (!asked.ok) return failed(asked.failure);
  const { server, bytes, secrets, isHandler } = asked.value;
  const size = shareTexts.size(Math.max(1, Math.round(bytes / 1024)));
  const replaced = shareTexts.secretsReplaced(secrets);
  const question = isHandler
    ? shareTexts.pass(sessionId, size, replaced, server)
    : shareTexts.upload(sessionId, size, replaced, server);
  if (flags.yes !== true && !(await askYesOrNo(question))) {
    writeNotice(shareTexts.nothingUploaded);
    return exitCodes.error;
  }
  const sent = await client.send<"share.create">({ type: "share.create", sessionId, isConfirmed: true });
  if (!sent.ok) return failed(sent.failure);
  const { link = "", shareId = "", expiresAt = 0 } = sent.value;
  if (isHandler) {
    writeResult(flags.json ? `${JSON.stringify({ link, bytes, secrets })}\n` : `${link}\n`);
    return exitCodes.success;
  }
  const text = shareTexts.done(link, shareId);
  writeResult(flags.json ? `${JSON.stringify({ link, shareId, expiresAt, bytes, secrets })}\n` : text);
  return exitCodes.success;
}

function failed(failure: Parameters<typeof failureText>[0]): number {
  writeDiagnostic(failureText(failure));
  return exitCodes.error;
}
