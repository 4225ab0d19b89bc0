/** What the session costs and what fills its context, and what was used on this machine by day. */
import { type Client, contextCells, costText, type QueryAnswers, type Usage, type UsageSummary } from "@kedge/protocol";
import { dollars } from "../parts/cost-line.ts";
import { visibleLine } from "../parts/visible-text.ts";
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
        <Empty>Open a session to see its cost and its context.</Empty>
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
    <Panel title="Context">
      <Loaded of={context} loading="Measuring the context…">
        {(value) => {
          const { tokens, windowTokens, model, isMeasured, compactAt } = value;
          const { cells, advice } = contextCells(value);
          const percent = windowTokens === 0 ? 0 : Math.round((100 * tokens) / windowTokens);
          const shares = cells.map(({ name, tokens: size }) => ({
            ...{ name, value: size, text: `${count(size)} tokens` },
            isRest: name === "free",
          }));
          return (
            <>
              <p class="view-note">
                {visibleLine(model)}: {count(tokens)} of {count(windowTokens)} tokens ({percent} %),{" "}
                {isMeasured ? "counted by the provider" : "estimated"}. Compacted from {count(compactAt)} tokens on.
              </p>
              <ShareBar title={`Context: ${percent} % of the window is used`} shares={shares} />
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
    <Panel title="Cost of this session">
      <Loaded of={cost} loading="Calculating cost…">
        {(value) => <CostTable cost={value} />}
      </Loaded>
    </Panel>
  );
}

function CostTable({ cost }: { readonly cost: QueryAnswers["session.cost"] }) {
  const models = Object.entries(cost.byModel).toSorted(([, left], [, right]) => right.cost.usd - left.cost.usd);
  if (models.length === 0) return <Empty>No cost yet.</Empty>;
  const unpriced = models.filter(([, own]) => own.cost.estimated).map(([model]) => visibleLine(model));
  const { children } = cost;
  return (
    <>
      <Facts
        rows={[
          ["Total", `${costText(cost.total, dollars)} in ${cost.turns === 1 ? "1 turn" : `${cost.turns} turns`}`],
          ...(children === undefined
            ? []
            : [["Agents", `${costText(children.cost, dollars)}, not in the total`] as const]),
        ]}
      />
      <Scrolling class="view-scroll" label="Cost by model">
        <table class="view-table">
          <thead>
            <tr>
              <th scope="col">Model</th>
              {["Input", "Output", "Cache read", "Cache write", "Cost"].map((name) => (
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
      {unpriced.length > 0 && <p class="view-note">Not in the total: no price is known for {unpriced.join(", ")}.</p>}
    </>
  );
}

function figuresOf({ input, output, cacheRead, cacheWrite }: Usage): readonly number[] {
  return [input, output, cacheRead, cacheWrite];
}

function MachineUsage({ client }: { readonly client: Client }) {
  const usage = useAsked("usage", () => client.ask<"usage.read">({ type: "usage.read", days }));
  return (
    <Panel title={`All projects, last ${days} days`}>
      <Loaded of={usage} loading="Reading usage…">
        {(value) =>
          value.sessions === 0 ? <Empty>No usage in the last {days} days.</Empty> : <UsageCharts usage={value} />
        }
      </Loaded>
    </Panel>
  );
}

function UsageCharts({ usage }: { readonly usage: UsageSummary }) {
  const isPriced = usage.cost.usd > 0;
  const byDay = isPriced ? "Cost by day" : "Tokens by day";
  const columns = usage.days.map(({ day, cost, usage: used }) => ({
    label: day.slice(5),
    value: isPriced ? cost.usd : used.input + used.output,
    text: isPriced ? costText(cost, dollars) : `${count(used.input + used.output)} tokens`,
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
          ["Total", costText(usage.cost, dollars)],
          ["Sessions", count(usage.sessions)],
          ["Input from cache", `${Math.round(100 * usage.cacheHitShare)} %`],
        ]}
      />
      <h3 class="chart-title">{byDay}</h3>
      <ColumnChart title={byDay} columns={columns} />
      <h3 class="chart-title">By model</h3>
      <ShareBar title="By model" shares={shares} />
    </>
  );
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
