/** Language servers for clients: their state, and symbols of the workspace by name. */
import { isAbsolute, relative } from "node:path";
import type { QueryAnswer, QueryOf } from "@kedge/protocol";
import { listServers } from "../lsp/lsp-words.ts";
import type { HostDeskParts } from "./host-desk.ts";

const limitDefault = 50;
/** Whoever types does not wait for a server that has to read the project first. */
const symbolsMsMax = 5_000;

/** Without what only this machine needs to know: programs and process numbers. */
export function listLanguageServers({ fileCare }: Pick<HostDeskParts, "fileCare">): QueryAnswer<"lsp.list"> {
  const servers = listServers(fileCare).map(({ command: _, owner: __, pid: ___, ...shown }) => shown);
  return { ok: true, value: { servers } };
}

/** Of files in the project that may be read; with paths from its root. */
export async function findSymbols(
  { fileCare, project, reading }: Pick<HostDeskParts, "fileCare" | "project" | "reading">,
  { text, limit = limitDefault }: QueryOf<"symbol.find">,
): Promise<QueryAnswer<"symbol.find">> {
  const found = await fileCare.servers.symbols(text, AbortSignal.timeout(symbolsMsMax)).catch(() => []);
  const symbols = found.flatMap((symbol) => {
    const path = relative(project.root, symbol.path);
    const isInside = path !== "" && !path.startsWith("..") && !isAbsolute(path);
    return isInside && reading.of(symbol.path).answer === "allow" ? [{ ...symbol, path }] : [];
  });
  return { ok: true, value: { symbols: symbols.slice(0, limit), isCut: symbols.length > limit } };
}
