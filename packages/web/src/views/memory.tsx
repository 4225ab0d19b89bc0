/** What is remembered: texts that wait for a review, and what of memory and instructions the model of a session sees. */
import type { Client, QueryAnswers } from "@kedge/protocol";
import { visibleLine, visibleText } from "../parts/visible-text.ts";
import * as texts from "../texts/views/memory.ts";
import { Action, Empty, Loaded, Panel } from "./panel.tsx";
import { Scrolling } from "./scrolling.ts";
import { sentenceOf, useAsked } from "./use-asked.ts";
import type { ViewProps } from "./view-props.ts";

type Topic = QueryAnswers["memory.inbox"]["topics"][number];

export default function Memory({ client, sessionId }: ViewProps) {
  const inbox = useAsked("inbox", () => client.ask<"memory.inbox">({ type: "memory.inbox" }));
  return (
    <>
      <Panel title={texts.waiting}>
        <Loaded of={inbox} loading={texts.loading}>
          {({ topics }) =>
            topics.length === 0 ? (
              <Empty>{texts.noneWaiting}</Empty>
            ) : (
              <ul class="view-list">
                {topics.map((topic) => (
                  <WaitingTopic
                    key={topic.path}
                    topic={topic}
                    client={client}
                    sessionId={sessionId}
                    again={inbox.again}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Panel>
      {sessionId === undefined ? <Empty>{texts.openToSee}</Empty> : <Sources client={client} sessionId={sessionId} />}
    </>
  );
}

type TopicProps = {
  readonly topic: Topic;
  readonly client: Client;
  readonly sessionId: string | undefined;
  readonly again: () => void;
};

function WaitingTopic({ topic, client, sessionId, again }: TopicProps) {
  const { name, description, path, kind, origin, created, suspicion, text, slug } = topic;
  const answer = (word: "accept" | "delete") => async () => {
    if (sessionId === undefined) return texts.openFirst;
    const wish = { name: "memory", arguments: `inbox ${word} ${slug}` };
    const given = await client.send<"command.run">({ type: "command.run", sessionId, ...wish });
    again();
    return given.ok ? undefined : sentenceOf(given.failure);
  };
  return (
    <li>
      <div class="row-head">
        <span class="row-name">{visibleLine(description === "" ? name : description)}</span>
        <span class={suspicion === undefined ? "row-state" : "row-state waiting"}>
          {suspicion === undefined ? visibleLine(origin) : texts.suspicious}
        </span>
      </div>
      <p class="row-about">
        {[path, kind, created]
          .map(visibleLine)
          .filter((fact) => fact !== "")
          .join(" · ")}
      </p>
      {suspicion !== undefined && (
        <p class="view-problem">
          {texts.heldBack} {visibleLine(suspicion)}
        </p>
      )}
      <Scrolling class="view-text" label={texts.text} isText>
        {visibleText(text)}
      </Scrolling>
      <div class="row-actions">
        <Action label={texts.accept} act={answer("accept")} />
        <Action label={texts.deleteIt} question={texts.deleteQuestion} tone="danger" act={answer("delete")} />
      </div>
    </li>
  );
}

function Sources({ client, sessionId }: { readonly client: Client; readonly sessionId: string }) {
  const context = useAsked(`context ${sessionId}`, () =>
    client.send<"context.inspect">({ type: "context.inspect", sessionId }),
  );
  return (
    <Panel title={texts.readBySession}>
      <Loaded of={context} loading={texts.loading}>
        {({ sources }) => (
          <table class="view-table">
            <thead>
              <tr>
                <th scope="col">{texts.text}</th>
                <th scope="col">{texts.from}</th>
                <th scope="col">{texts.readAs}</th>
                <th scope="col" class="figure">
                  {texts.tokens}
                </th>
              </tr>
            </thead>
            <tbody>
              {sources.map(({ name, origin, kind, tokens }) => (
                <tr key={`${name} ${origin}`}>
                  <td>{visibleLine(name)}</td>
                  <td class="view-mono">{visibleLine(origin)}</td>
                  <td>{kind}</td>
                  <td class="figure">{tokens.toLocaleString("en-US")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Loaded>
    </Panel>
  );
}
