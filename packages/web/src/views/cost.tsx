/** What the session costs and what fills its context, and what was used on this machine by day. */
import { type Client, contextCells, costText, type QueryAnswers, type Usage, type UsageSummary } from "@kedge/protocol";
import { dollars } from "../parts/cost-line.ts";
import { visibleLine } from "../parts/visible-text.ts";
import * as texts from "../texts/views/cost.ts";
import { ColumnChart, ShareBar } from "./charts.tsx";
import { Empty, Facts, Loaded, Panel } from "./panel.tsx";
import { Scrolling } from "./scrolling.ts";
import { useAsked, useHappenings } from "./use-asked.ts";
import type { ViewProps } from "./view-props.ts";

const days = 30;

export default function Cost({ client, sessionId }: ViewProps) {
  return (
    <>
      {sessionId === undefined ? (
        <Empty>{texts.openSession}</Empty>
      ) : (
        <>
          <SessionContext client={client} sessionId={sessionId} />
          <SessionCost client={client} sessionId={sessionId} />
        </>
      )}
      <MachineUsage client={client} />
    </>
  );
}

type SessionProps = { readonly client: Client; readonly sessionId: string };

function SessionContext({ client, sessionId }: SessionProps) {
  const context = useAsked(`context ${sessionId}`, () =>
    client.send<"context.inspect">({ type: "context.inspect", sessionId }),
  );
  useHappenings(client, context.again, sessionId);
  return (
    <Panel title={texts.context}>
      <Loaded of={context} loading={texts.measuring}>
        {(value) => {
          const { tokens, windowTokens, model, isMeasured, compactAt } = value;
          const { cells, advice } = contextCells(value);
          const percent = windowTokens === 0 ? 0 : Math.round((100 * tokens) / windowTokens);
          const shares = cells.map(({ name, tokens: size }) => ({
            ...{ name, value: size, text: texts.tokens(count(size)) },
            isRest: name === "free",
          }));
          return (
            <>
              <p class="view-note">
                {texts.contextUse(visibleLine(model), count(tokens), count(windowTokens), percent)},{" "}
                {isMeasured ? texts.byProvider : texts.estimated}. {texts.compactedFrom(count(compactAt))}
              </p>
              <ShareBar title={texts.windowUsed(percent)} shares={shares} />
              {advice !== undefined && <p class="view-note">{advice}</p>}
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}

function SessionCost({ client, sessionId }: SessionProps) {
  const cost = useAsked(`cost ${sessionId}`, () => client.ask<"session.cost">({ type: "session.cost", sessionId }));
  useHappenings(client, cost.again, sessionId);
  return (
    <Panel title={texts.costOfSession}>
      <Loaded of={cost} loading={texts.calculating}>
        {(value) => <CostTable cost={value} />}
      </Loaded>
    </Panel>
  );
}

function CostTable({ cost }: { readonly cost: QueryAnswers["session.cost"] }) {
  const models = Object.entries(cost.byModel).toSorted(([, left], [, right]) => right.cost.usd - left.cost.usd);
  if (models.length === 0) return <Empty>{texts.noCost}</Empty>;
  const unpriced = models.filter(([, own]) => own.cost.estimated).map(([model]) => visibleLine(model));
  const { children } = cost;
  return (
    <>
      <Facts
        rows={[
          [texts.total, texts.costOfTurns(costText(cost.total, dollars), cost.turns)],
          ...(children === undefined
            ? []
            : [[texts.agents, texts.notInTotal(costText(children.cost, dollars))] as const]),
        ]}
      />
      <Scrolling class="view-scroll" label={texts.costByModel}>
        <table class="view-table">
          <thead>
            <tr>
              <th scope="col">{texts.model}</th>
              {[texts.input, texts.output, texts.cacheRead, texts.cacheWrite, texts.cost].map((name) => (
                <th key={name} scope="col" class="figure">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {models.map(([model, { usage, cost: own }]) => (
              <tr key={model}>
                <td>{visibleLine(model)}</td>
                {figuresOf(usage).map((figure, index) => (
                  <td key={index} class="figure">
                    {count(figure)}
                  </td>
                ))}
                <td class="figure">{costText(own, dollars)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
      {unpriced.length > 0 && <p class="view-note">{texts.unpriced(unpriced.join(", "))}</p>}
    </>
  );
}

function figuresOf({ input, output, cacheRead, cacheWrite }: Usage): readonly number[] {
  return [input, output, cacheRead, cacheWrite];
}

function MachineUsage({ client }: { readonly client: Client }) {
  const usage = useAsked("usage", () => client.ask<"usage.read">({ type: "usage.read", days }));
  return (
    <Panel title={texts.allProjects(days)}>
      <Loaded of={usage} loading={texts.readingUsage}>
        {(value) => (value.sessions === 0 ? <Empty>{texts.noUsage(days)}</Empty> : <UsageCharts usage={value} />)}
      </Loaded>
    </Panel>
  );
}

function UsageCharts({ usage }: { readonly usage: UsageSummary }) {
  const isPriced = usage.cost.usd > 0;
  const byDay = isPriced ? texts.costByDay : texts.tokensByDay;
  const columns = usage.days.map(({ day, cost, usage: used }) => ({
    label: day.slice(5),
    value: isPriced ? cost.usd : used.input + used.output,
    text: isPriced ? costText(cost, dollars) : texts.tokens(count(used.input + used.output)),
  }));
  const shares = usage.models.slice(0, 6).map(({ model, cost, usage: used }) => ({
    name: visibleLine(model),
    value: isPriced ? cost.usd : used.input + used.output,
    text: costText(cost, dollars),
  }));
  return (
    <>
      <Facts
        rows={[
          [texts.total, costText(usage.cost, dollars)],
          [texts.sessions, count(usage.sessions)],
          [texts.inputFromCache, `${Math.round(100 * usage.cacheHitShare)} %`],
        ]}
      />
      <h3 class="chart-title">{byDay}</h3>
      <ColumnChart title={byDay} columns={columns} />
      <h3 class="chart-title">{texts.byModel}</h3>
      <ShareBar title={texts.byModel} shares={shares} />
    </>
  );
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
