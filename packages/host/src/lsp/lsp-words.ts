/** `kedge lsp` and `/lsp`: which language servers and formatters there are, what they do, and why others do not. */
import type { Json, JsonObject } from "@kedge/protocol";
import type { OpenedFormatters } from "../formatters/open-formatters.ts";
import type { OpenedLanguageServers } from "./open-language-servers.ts";

export const lspActions = ["list", "restart"] as const;

export type LspAnswer = { readonly text: string; readonly data: Json; readonly isFailure: boolean };

export type ListedServer = {
  readonly name: string;
  readonly extensions: readonly string[];
  /** `available` is installed and starts when it is needed; `unavailable` says why it cannot. */
  readonly state: "available" | "unavailable" | "starting" | "running" | "crashed" | "failed" | "stopped";
  /** Who described it. */
  readonly source: string;
  readonly command?: readonly string[];
  readonly owner?: string;
  readonly root?: string;
  readonly version?: string;
  readonly pid?: number;
  readonly restarts?: number;
  readonly why?: string;
};

export type ListedFormatter = {
  readonly name: string;
  readonly extensions: readonly string[];
  readonly enabled: boolean;
  readonly why: string;
};

export type LspParts = {
  readonly servers: Pick<OpenedLanguageServers, "found" | "opened">;
  readonly formatters: Pick<OpenedFormatters, "found">;
};

/** Undefined for words that are none of its own. */
export async function runLspWords(words: readonly string[], parts: LspParts): Promise<LspAnswer | undefined> {
  const [action = "list", name, ...rest] = words;
  if (rest.length > 0) return undefined;
  if (action === "list" && name === undefined) return list(parts);
  if (action === "restart" && name !== undefined) return restart(name, parts);
  return undefined;
}

/** Those at work first; each that is known once more for every root it works on. */
export function listServers({ servers }: Pick<LspParts, "servers">): readonly ListedServer[] {
  const atWork = (servers.opened()?.running() ?? []).map((server): ListedServer => {
    const { definition, root, program } = server;
    const { name, languages, origin } = definition;
    return {
      ...{ name, extensions: Object.keys(languages), source: origin, root, owner: program.owner },
      command: [program.file, ...program.args],
      ...server.state(),
    };
  });
  const others = servers
    .found()
    .all()
    .filter(({ definition }) => !atWork.some(({ name }) => name === definition.name))
    .map(({ definition: { name, languages, origin }, searched }): ListedServer => {
      const shown = { name, extensions: Object.keys(languages), source: origin };
      if (searched.found === undefined) return { ...shown, state: "unavailable", why: searched.why };
      const { file, args, owner } = searched.found;
      return { ...shown, state: "available", command: [file, ...args], owner };
    });
  return [...atWork, ...others];
}

export function listFormatters({ formatters }: Pick<LspParts, "formatters">): readonly ListedFormatter[] {
  const all = formatters.found().all();
  return all.map(({ definition: { name, extensions }, enabled, why }) => ({ name, extensions, enabled, why }));
}

function list(parts: LspParts): LspAnswer {
  const servers = listServers(parts);
  const formatters = listFormatters(parts);
  const problems = parts.servers.found().problems.map(({ name, why }) => `${name} is not used: ${why}.`);
  const shownServers = servers.filter(({ state }) => state !== "unavailable");
  const enabled = formatters.filter((formatter) => formatter.enabled);
  const missing = servers.length - shownServers.length;
  const lines = [
    ...(shownServers.length === 0 ? ["No language servers available."] : shownServers.map(serverLine)),
    ...(missing === 0 ? [] : [`${missing} more are known but not available. For details, run kedge lsp list --json.`]),
    ...(enabled.length === 0 ? ["No formatters in use."] : enabled.map(formatterLine)),
    ...problems,
  ];
  const data = { servers: servers.map(asJson), formatters: formatters.map(asJson), problems };
  return { text: lines.join("\n"), data, isFailure: false };
}

function serverLine({ name, state, version, why, root, command = [], restarts = 0 }: ListedServer): string {
  const again = restarts > 0 ? `, restarted ${restarts} ${restarts === 1 ? "time" : "times"}` : "";
  const known = [version === undefined ? command[0] : `${command[0]} ${version}`, root].filter(Boolean).join("  ");
  return `${name}  ${state}${again}  ${known}${why === undefined ? "" : `  (${why})`}`;
}

function formatterLine({ name, extensions, why }: ListedFormatter): string {
  return `${name}  formats ${extensions.join(" ")}  (${why})`;
}

async function restart(name: string, { servers }: LspParts): Promise<LspAnswer> {
  const ended = (await servers.opened()?.restart(name)) ?? 0;
  const text = ended === 0 ? `The language server ${name} is not running.` : `${name} restarts with the next request.`;
  return { text, data: { restarted: ended }, isFailure: ended === 0 };
}

function asJson(listed: ListedServer | ListedFormatter): JsonObject {
  // Texts, numbers and lists of texts alone.
  return { ...listed } as unknown as JsonObject;
}
