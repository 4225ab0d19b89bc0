/** MCP servers as the engine lists them, read into what a person is shown. Another kedge may have written the list. */

import { isJsonObject } from "@kedge/protocol";
import { cleanLine, cleanText } from "../../screen/clean-text.ts";
import { serverTexts } from "../../texts/dialogs.ts";

export type ServerRow = {
  readonly name: string;
  readonly state: string;
  /** In words, with the reason. */
  readonly stateText: string;
  readonly scope: string;
  readonly file: string;
  readonly toolCount: number;
  /** What its tools would cost a request that carries all of them. */
  readonly tokens: number;
  readonly needsApproval: boolean;
  readonly changedTools: readonly string[];
};

export function serverRow(given: { readonly [name: string]: unknown }): ServerRow {
  const { name, state, scope, file, tools, tokens, needsApproval, changedTools } = given;
  return {
    ...{ name: textOf(name), state: textOf(state), scope: textOf(scope), file: textOf(file) },
    stateText: stateText(given),
    toolCount: Array.isArray(tools) ? tools.length : 0,
    tokens: typeof tokens === "number" ? tokens : 0,
    needsApproval: needsApproval === true,
    changedTools: Array.isArray(changedTools) ? changedTools.map(textOf) : [],
  };
}

function stateText({ state, error, reason, attempt, needsApproval, changedTools }: Parameters<typeof serverRow>[0]) {
  switch (state) {
    case "connected":
      return Array.isArray(changedTools) ? serverTexts.toolsChanged : serverTexts.connected;
    case "pending":
      return typeof attempt === "number" && attempt > 1 ? serverTexts.connectingAgain(attempt) : serverTexts.connecting;
    case "needs-auth":
      return serverTexts.needsSignIn;
    case "failed":
      return serverTexts.failed(textOf(error));
    default:
      return needsApproval === true ? serverTexts.needsApproval : serverTexts.unused(textOf(reason));
  }
}

/** The tools of one server with their cost, the longest first, as a text to read. */
export function serverDetails(given: { readonly [name: string]: unknown }): string {
  const row = serverRow(given);
  const { type, url, command, args, prompts, resources, protocolVersion, toolList } = given;
  const started = [command, ...(Array.isArray(args) ? args : [])].map(textOf).join(" ");
  const facts: readonly (readonly [string, string])[] = [
    [serverTexts.state, row.stateText],
    [serverTexts.configuredIn, serverTexts.place({ file: row.file, scope: row.scope })],
    [type === "stdio" ? serverTexts.command : serverTexts.address, type === "stdio" ? started : textOf(url)],
    [serverTexts.protocol, textOf(protocolVersion)],
    [serverTexts.toolList, serverTexts.toolSum({ tools: count(row.toolCount), tokens: count(row.tokens) })],
    [serverTexts.prompts, count(prompts)],
    [serverTexts.resources, count(resources)],
  ];
  const width = Math.max(...facts.map(([label]) => label.length));
  const head = facts.filter(([, value]) => value !== "").map(([label, value]) => `${label.padEnd(width)}  ${value}`);
  const tools = (Array.isArray(toolList) ? toolList.filter(isJsonObject) : [])
    .toSorted((left, right) => Number(right["tokens"]) - Number(left["tokens"]))
    .map(({ name, description, tokens, isChanged }) => {
      const mark = isChanged === true ? serverTexts.toolChanged : "";
      const said = cleanText(typeof description === "string" ? description : "").trim();
      return `${serverTexts.toolTokens({ tool: textOf(name), tokens: count(tokens) })}${mark}\n${said.replaceAll(/^/gm, "    ")}`;
    });
  return [head.join("\n"), ...tools].join("\n\n");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? cleanLine(value) : "";
}

function count(value: unknown): string {
  return typeof value === "number" ? value.toLocaleString("en-US") : "";
}
