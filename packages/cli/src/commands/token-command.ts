/** `kedge token`: makes, lists and removes tokens with which programs speak to the server. */
import { homeDirectory, openHome } from "@kedge/host";
import { addToken, type HostAccess, hostAccess, listTokens, parseTokenLifetime, removeToken } from "@kedge/host/server";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { tableText } from "../text-table.ts";
import { tokenTexts } from "../texts/servers.ts";

export async function runTokenCommand(
  [action = "list", name, extra]: readonly string[],
  flags: Flags,
): Promise<number> {
  const { environment, userDirectory } = readSurroundings();
  const opened = openHome(homeDirectory(environment, userDirectory));
  if (!opened.ok) {
    writeDiagnostic(failureText(opened.failure));
    return exitCodes.error;
  }
  const access = hostAccess({ home: opened.home.directory, environment, now: Date.now });
  if (action === "add" && extra === undefined) return add(access, { ...flags, ...(name !== undefined && { name }) });
  if (action === "list" && name === undefined) return list(opened.home.directory, flags);
  if (action === "remove" && name !== undefined && extra === undefined) return remove(access, name);
  writeNotice(tokenTexts.usage);
  return exitCodes.usage;
}

const lifetimeDefault = "30d";

function add(access: HostAccess, { scope, ttl = lifetimeDefault, name, json }: Flags): number {
  const lifetimeMs = parseTokenLifetime(ttl);
  if (scope === undefined || name === undefined || lifetimeMs === undefined) {
    writeNotice(lifetimeMs === undefined ? tokenTexts.badLifetime : tokenTexts.usage);
    return exitCodes.usage;
  }
  const { token, listed } = addToken(access, { name, scope, lifetimeMs });
  if (json) writeResult(`${JSON.stringify({ token, ...listed })}\n`);
  else writeResult(`${token}\n`);
  const until = new Date(listed.expiresAt).toISOString();
  if (!json) writeNotice(tokenTexts.created(name, scope, until));
  return exitCodes.success;
}

function list(home: string, { json }: Flags): number {
  const tokens = listTokens(home);
  if (json) {
    writeResult(`${JSON.stringify(tokens)}\n`);
    return exitCodes.success;
  }
  const rows = tableText<(typeof tokens)[number]>(
    [
      { title: tokenTexts.name, align: "left", text: (token) => token.name },
      { title: tokenTexts.scope, align: "left", text: ({ scope }) => scope },
      { title: tokenTexts.validUntil, align: "left", text: ({ expiresAt }) => new Date(expiresAt).toISOString() },
      { title: tokenTexts.id, align: "left", text: ({ id }) => id },
    ],
    tokens,
  );
  writeResult(tokens.length === 0 ? tokenTexts.none : rows);
  return exitCodes.success;
}

function remove(access: HostAccess, name: string): number {
  if (removeToken(access, name)) return exitCodes.success;
  writeNotice(tokenTexts.noToken(name));
  return exitCodes.error;
}
