/** MCP servers: their state, tools and cost, and what can be done about them. */
import { type Client, isJsonObject } from "@kedge/protocol";
import { type ServerRow, serverRow } from "@kedge/tui/drawing";
import { useState } from "preact/hooks";
import { withCode } from "../frame/with-code.tsx";
import { visibleLine, visibleText } from "../parts/visible-text.ts";
import * as texts from "../texts/views/mcp.ts";
import { Action, Empty, Facts, Loaded, Panel } from "./panel.tsx";
import { Scrolling } from "./scrolling.ts";
import { sentenceOf, useAsked, useHappenings } from "./use-asked.ts";
import type { ViewProps } from "./view-props.ts";

type Listed = { readonly [name: string]: unknown };

export default function Mcp({ client }: ViewProps) {
  const servers = useAsked("servers", () => client.ask<"mcp.list">({ type: "mcp.list" }));
  useHappenings(client, servers.again);
  return (
    <Panel title={texts.title}>
      <Loaded of={servers} loading={texts.loading}>
        {({ servers: listed }) =>
          listed.length === 0 ? (
            <Empty>{withCode(texts.none)}</Empty>
          ) : (
            <ul class="view-list">
              {listed.map((given) => (
                <Server key={String(given["name"])} given={given} client={client} again={servers.again} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

type ServerProps = { readonly given: Listed; readonly client: Client; readonly again: () => void };
type Act = "connect" | "disconnect" | "approve" | "accept" | "authorise";

function Server({ given, client, again }: ServerProps) {
  const row = serverRow(given);
  const [isOpen, setOpen] = useState(false);
  const [told, tell] = useState<string>();
  const act = (name: Act) => async () => {
    const answer = await client.send({ type: `mcp.${name}`, name: row.name });
    again();
    if (!answer.ok) return sentenceOf(answer.failure);
    if ("text" in answer.value) tell(answer.value.text);
    return undefined;
  };
  return (
    <li>
      <div class="row-head">
        <span class="row-name">{visibleLine(row.name)}</span>
        <span class={`row-state ${toneOf(row)}`}>{visibleLine(row.stateText)}</span>
      </div>
      <p class="row-about">
        {texts.about(row.toolCount, row.tokens)} · {texts.definedIn(visibleLine(row.file), visibleLine(row.scope))}
      </p>
      <div class="row-actions">
        {row.needsApproval && <Action label={texts.use} question={texts.useQuestion} act={act("approve")} />}
        {row.changedTools.length > 0 && (
          <Action
            label={texts.accept}
            question={texts.acceptQuestion(visibleLine(row.changedTools.join(", ")))}
            act={act("accept")}
          />
        )}
        {row.state === "needs-auth" && <Action label={texts.signIn} act={act("authorise")} />}
        {row.state === "connected" ? (
          <Action label={texts.disconnect} act={act("disconnect")} />
        ) : (
          !row.needsApproval && <Action label={texts.connect} act={act("connect")} />
        )}
        <button type="button" class="view-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {texts.details}
        </button>
      </div>
      {told !== undefined && <p class="row-about">{visibleText(told)}</p>}
      {isOpen && <Details client={client} name={row.name} />}
    </li>
  );
}

function toneOf({ state, needsApproval, changedTools }: ServerRow): string {
  if (state === "failed") return "bad";
  if (state === "needs-auth" || needsApproval || changedTools.length > 0) return "waiting";
  return state === "connected" ? "good" : "";
}

function Details({ client, name }: { readonly client: Client; readonly name: string }) {
  const read = useAsked(`mcp ${name}`, () => client.ask<"mcp.read">({ type: "mcp.read", name }));
  return (
    <Loaded of={read} loading={texts.loadingDetails}>
      {({ server, log }) => (
        <>
          <Facts rows={factsOf(server)} />
          {toolsOf(server).map((tool) => (
            <details key={tool.name}>
              <summary>
                <span class="view-mono">{tool.name}</span> <span class="row-state">{texts.tokens(tool.tokens)}</span>
              </summary>
              <p class="row-about">{tool.description}</p>
            </details>
          ))}
          {log !== "" && (
            <Scrolling class="view-text" label={texts.log} isText>
              {visibleText(log)}
            </Scrolling>
          )}
        </>
      )}
    </Loaded>
  );
}

function factsOf(server: Listed): readonly (readonly [string, string])[] {
  const { type, command, args, url, protocolVersion } = server;
  const started = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === "string").join(" ");
  const rows: readonly (readonly [string, unknown])[] = [
    [type === "stdio" ? texts.command : texts.address, type === "stdio" ? started : url],
    [texts.protocol, protocolVersion],
  ];
  return rows.flatMap(([name, value]) =>
    typeof value === "string" && value !== "" ? [[name, visibleLine(value)] as const] : [],
  );
}

type Tool = { readonly name: string; readonly description: string; readonly tokens: string };

function toolsOf({ toolList }: Listed): readonly Tool[] {
  const tools = Array.isArray(toolList) ? toolList.filter(isJsonObject) : [];
  return tools.map(({ name, description, tokens }) => ({
    name: visibleLine(typeof name === "string" ? name : ""),
    description: visibleText(typeof description === "string" ? description : ""),
    tokens: typeof tokens === "number" ? tokens.toLocaleString("en-US") : "0",
  }));
}
