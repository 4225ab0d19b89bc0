/** The part of `kedge mcp` that looks at servers: lists them, and connects to those that are asked about. */
import { openCommandMcp, readServerLog, serverData, serverLines, serverText } from "@kedge/host/mcp";
import { type Json, showTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { openSettings } from "../opening/open-settings.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { version } from "../start/build-facts.ts";
import { mcpTexts } from "../texts/setup.ts";

type Opened = ReturnType<typeof openCommandMcp>;
type Look = { readonly action: string; readonly name: string | undefined };

export async function showServers({ action, name = "" }: Look, flags: Flags): Promise<number> {
  const surroundings = readSurroundings();
  const opened = await openSettings(flags, surroundings, { looksAtServers: true });
  if (!opened.ok) {
    writeDiagnostic(failureText(opened.failure));
    return exitCodes.error;
  }
  if (action === "logs") {
    const log = readServerLog(opened.home.directory, name);
    if (log === undefined) return problem(mcpTexts.noLog(name));
    writeResult(showTerminalControls(log));
    return exitCodes.success;
  }
  const mcp = openCommandMcp({ ...opened, ...surroundings, kedgeVersion: version });
  try {
    if (action === "approve") return await approve(name, mcp);
    if (action === "accept") return await accept(name, mcp);
    if (action === "test" || flags.check) await connect(mcp, action === "list" ? undefined : name);
    return await (action === "list" ? list(mcp, flags) : show(name, mcp, { flags, isTest: action === "test" }));
  } finally {
    mcp.close();
  }
}

async function connect(mcp: Opened, name: string | undefined): Promise<void> {
  const hub = await mcp.hub();
  const wanted = hub.servers().filter(({ live }) => name === undefined || live.server.name === name);
  await Promise.all(wanted.map(({ live }) => live.connect()));
}

function partsOf(mcp: Opened) {
  return { servers: mcp.servers(), unused: mcp.unused(), live: mcp.loaded()?.servers() ?? [] };
}

async function list(mcp: Opened, flags: Flags): Promise<number> {
  const servers = serverData(partsOf(mcp));
  return print({ servers: [...servers] }, serverLines(servers), flags);
}

async function show(
  name: string,
  mcp: Opened,
  { flags, isTest }: { readonly flags: Flags; readonly isTest: boolean },
): Promise<number> {
  const data = serverData(partsOf(mcp)).find((each) => each["name"] === name);
  if (data === undefined) return problem(mcpTexts.noServer(name));
  const code = await print(data, serverText(data, mcp.loaded()?.find(name)), flags);
  return isTest && data["state"] !== "connected" ? exitCodes.error : code;
}

async function approve(name: string, mcp: Opened): Promise<number> {
  if (!(await mcp.approve(name))) return problem(mcpTexts.nothingToApprove(name));
  writeResult(mcpTexts.approved(showTerminalControls(name)));
  return exitCodes.success;
}

async function accept(name: string, mcp: Opened): Promise<number> {
  const found = (await mcp.hub()).find(name);
  if (found === undefined) return problem(mcpTexts.noServer(name));
  mcp.acceptTools(found);
  writeResult(mcpTexts.accepted(showTerminalControls(name)));
  return exitCodes.success;
}

async function print(data: Json, text: string, { json }: Flags): Promise<number> {
  writeResult(json ? `${JSON.stringify(data)}\n` : `${showTerminalControls(text)}\n`);
  return exitCodes.success;
}

function problem(sentence: string): number {
  writeNotice(showTerminalControls(sentence));
  return exitCodes.error;
}
