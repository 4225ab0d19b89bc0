/** Reads the JSON form of OTLP into trees of spans and rows of amounts that tests compare whole. */
import type { Sent } from "./collector-site.ts";

type Value = {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly arrayValue?: { readonly values: readonly Value[] };
};

type Attribute = { readonly key: string; readonly value: Value };

type WireSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number; readonly message?: string };
  readonly events: readonly unknown[];
};

type Point = {
  readonly attributes: readonly Attribute[];
  readonly asInt?: number | string;
  readonly asDouble?: number;
  readonly count?: number | string;
  readonly sum?: number;
};

type WireMetric = {
  readonly name: string;
  readonly unit: string;
  readonly sum?: { readonly dataPoints: readonly Point[] };
  readonly histogram?: { readonly dataPoints: readonly Point[] };
};

type Body = {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[] }[];
  readonly resourceMetrics?: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeMetrics: readonly { readonly metrics: readonly WireMetric[] }[];
  }[];
};

type Attributes = { readonly [name: string]: unknown };

export type SpanTree = {
  readonly name: string;
  readonly kind: "internal" | "client";
  readonly attributes: Attributes;
  readonly isError?: true;
  readonly children: readonly SpanTree[];
};

type TimedSpan = { readonly name: string; readonly startMs: number; readonly endMs: number };

export type Amount = {
  readonly name: string;
  readonly unit: string;
  readonly attributes: Attributes;
  /** Of a histogram: how many were measured; `value` is their sum. */
  readonly count?: number;
  readonly value: number;
};

// What a test's own collector was sent by the SDK; a wrong form fails the comparison that follows.
const bodyOf = ({ body }: Sent) => JSON.parse(body) as Body;

function spansOf(sent: readonly Sent[]): readonly WireSpan[] {
  const bodies = sent.filter(({ path }) => path === "/v1/traces").map(bodyOf);
  return bodies.flatMap(({ resourceSpans = [] }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  );
}

/** One tree per trace, in the order in which their first spans began; children in the order of their beginning. */
export function readTraces(sent: readonly Sent[]): readonly SpanTree[] {
  const spans = [...spansOf(sent)].sort((left, right) =>
    left.startTimeUnixNano < right.startTimeUnixNano ? -1 : left.startTimeUnixNano > right.startTimeUnixNano ? 1 : 0,
  );
  const treeOf = (span: WireSpan): SpanTree => ({
    name: span.name,
    kind: span.kind === 3 ? "client" : "internal",
    attributes: attributesOf(span.attributes),
    ...(span.status.code === 2 && { isError: true as const }),
    children: spans
      .filter(({ parentSpanId, traceId }) => parentSpanId === span.spanId && traceId === span.traceId)
      .map(treeOf),
  });
  return spans.filter(({ parentSpanId }) => parentSpanId === undefined || parentSpanId === "").map(treeOf);
}

export function readTimes(sent: readonly Sent[]): readonly TimedSpan[] {
  return spansOf(sent).map(({ name, startTimeUnixNano, endTimeUnixNano }) => ({
    name,
    startMs: Number(BigInt(startTimeUnixNano) / 1_000_000n),
    endMs: Number(BigInt(endTimeUnixNano) / 1_000_000n),
  }));
}

/** Of the last sending, because each holds the sums so far. */
export function readAmounts(sent: readonly Sent[]): readonly Amount[] {
  const last = sent.findLast(({ path }) => path === "/v1/metrics");
  const metrics = (last === undefined ? [] : (bodyOf(last).resourceMetrics ?? [])).flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap((scope) => scope.metrics),
  );
  return metrics.flatMap(({ name, unit, sum, histogram }) =>
    [...(sum?.dataPoints ?? []), ...(histogram?.dataPoints ?? [])].map((point) => ({
      name,
      unit,
      attributes: attributesOf(point.attributes),
      ...(point.count !== undefined && { count: Number(point.count) }),
      value: Number(point.asInt ?? point.asDouble ?? point.sum),
    })),
  );
}

export function readResource(sent: readonly Sent[]): Attributes {
  const first = sent.find(({ path }) => path === "/v1/metrics");
  const resource = first === undefined ? undefined : bodyOf(first).resourceMetrics?.[0]?.resource;
  return attributesOf(resource?.attributes ?? []);
}

function attributesOf(attributes: readonly Attribute[]): Attributes {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, readValue(value)]));
}

function readValue({ stringValue, intValue, doubleValue, arrayValue }: Value): unknown {
  if (arrayValue !== undefined) return arrayValue.values.map(readValue);
  return stringValue ?? (intValue === undefined ? doubleValue : Number(intValue));
}
