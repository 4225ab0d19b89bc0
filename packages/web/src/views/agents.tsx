/** Agents that work for a session or for all of them, with what each does now, live. */
import type { AgentSummary, Client, MessageView } from "@kedge/protocol";
import { agentRow, createAgentOrder, groupTitles } from "@kedge/tui/drawing";
import { useMemo, useState } from "preact/hooks";
import { createPageLook, Message } from "../parts/part.tsx";
import { visibleLine } from "../parts/visible-text.ts";
import * as texts from "../texts/views/agents.ts";
import { Action, Empty, Loaded, Panel } from "./panel.tsx";
import { Scrolling } from "./scrolling.ts";
import { sentenceOf, useAsked, useHappenings } from "./use-asked.ts";
import type { ViewProps } from "./view-props.ts";

export default function Agents({ client, sessionId, rest, go }: ViewProps) {
  const wish = sessionId === undefined ? {} : { sessionId };
  const listed = useAsked(`agents ${sessionId ?? ""}`, () => client.ask<"agent.list">({ type: "agent.list", ...wish }));
  const order = useMemo(() => createAgentOrder(), [sessionId]);
  useHappenings(client, listed.again);
  return (
    <>
      <Panel title={sessionId === undefined ? texts.allSessions : texts.thisSession}>
        <Loaded of={listed} loading={texts.loading}>
          {({ agents }) =>
            agents.length === 0 ? (
              <Empty>{texts.none}</Empty>
            ) : (
              <ul class="view-list">
                {order(agents).map((agent) => (
                  <Agent key={agent.agentId} agent={agent} client={client} isOpen={rest === agent.agentId} go={go} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Panel>
      <Definitions client={client} />
    </>
  );
}

type AgentProps = {
  readonly agent: AgentSummary;
  readonly client: Client;
  readonly isOpen: boolean;
  readonly go: ViewProps["go"];
};

function Agent({ agent, client, isOpen, go }: AgentProps) {
  const row = agentRow(agent);
  const { agentId } = row;
  const [text, setText] = useState("");
  const sent = (answer: { readonly ok: boolean } & Partial<{ failure: { message: string } }>) =>
    answer.ok || answer.failure === undefined ? undefined : sentenceOf(answer.failure);
  const tell = async () => {
    const problem = sent(await client.send<"agent.message">({ type: "agent.message", agentId, text }));
    if (problem === undefined) setText("");
    return problem;
  };
  const tone = row.isAsking ? "waiting" : row.isFailed ? "bad" : row.state === "running" ? "good" : "";
  return (
    <li class={`agent-depth-${Math.min(row.depth, 4)}`}>
      <div class="row-head">
        <span class="row-name">{visibleLine(row.title)}</span>
        <span class={`row-state ${tone}`}>{groupTitles[row.state]}</span>
      </div>
      <p class="row-about">{visibleLine(row.doing)}</p>
      <p class="row-about">
        {[row.figures, ...row.facts]
          .filter((fact) => fact !== "")
          .map(visibleLine)
          .join(" · ")}
      </p>
      <div class="row-actions">
        <button
          type="button"
          class="view-button"
          aria-expanded={isOpen}
          onClick={() => go(isOpen ? "/app/agents" : `/app/agents/${encodeURIComponent(agentId)}`)}
        >
          {isOpen ? texts.hideMessages : texts.showMessages}
        </button>
        <button type="button" class="view-button" onClick={() => go(`/app/session/${encodeURIComponent(agentId)}`)}>
          {texts.openAsSession}
        </button>
        {row.state === "running" && (
          <Action
            label={texts.interrupt}
            act={async () => sent(await client.send<"agent.interrupt">({ type: "agent.interrupt", agentId }))}
          />
        )}
        {row.state === "aborted" && (
          <Action
            label={texts.revive}
            act={async () => sent(await client.send<"agent.revive">({ type: "agent.revive", agentId }))}
          />
        )}
        {row.state === "running" && (
          <Action
            label={texts.stop}
            question={texts.stopQuestion}
            tone="danger"
            act={async () => sent(await client.send<"agent.kill">({ type: "agent.kill", agentId }))}
          />
        )}
      </div>
      {isOpen && (
        <>
          <ChildMessages client={client} agentId={agentId} />
          <form
            class="row-actions"
            onSubmit={(event) => {
              event.preventDefault();
              if (text.trim() !== "") void tell();
            }}
          >
            <input
              class="file-search"
              aria-label={texts.messageTo(row.title)}
              placeholder={texts.messageToThis}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
            <Action label={texts.send} act={tell} />
          </form>
        </>
      )}
    </li>
  );
}

const shownMessages = 20;

/** The newest messages of an agent, read again whenever something happens in it. */
function ChildMessages({ client, agentId }: { readonly client: Client; readonly agentId: string }) {
  const look = useMemo(() => createPageLook({}), []);
  const page = useAsked(`messages ${agentId}`, async () => {
    const { messages } = await client.messages(agentId, { limit: shownMessages });
    return { ok: true as const, value: messages };
  });
  useHappenings(client, page.again, agentId);
  return (
    <Loaded of={page} loading={texts.loadingMessages}>
      {(messages: readonly MessageView[]) => (
        <Scrolling class="agent-messages" label={texts.messages}>
          {messages.length === 0 && <Empty>{texts.nothingYet}</Empty>}
          {messages.map((message) => (
            <Message key={message.id} message={message} look={look} />
          ))}
        </Scrolling>
      )}
    </Loaded>
  );
}

function Definitions({ client }: { readonly client: Client }) {
  const listed = useAsked("definitions", () => client.ask<"agent.definitions">({ type: "agent.definitions" }));
  return (
    <Panel title={texts.available}>
      <Loaded of={listed} loading={texts.loadingAvailable}>
        {({ definitions }) => (
          <ul class="view-list">
            {definitions.map(({ name, description, status, source, model, why }) => (
              <li key={`${name} ${source}`}>
                <div class="row-head">
                  <span class="row-name">{visibleLine(name)}</span>
                  <span class={status === "used" ? "row-state" : "row-state waiting"}>
                    {status === "used" ? visibleLine(model ?? "") : status}
                  </span>
                </div>
                <p class="row-about">{visibleLine(why ?? description)}</p>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}
