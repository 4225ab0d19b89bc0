/** Sends notes to a collector through the OpenTelemetry SDK. Loaded only when something is to be sent. */
import {
  type Counter,
  type Histogram,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  ValueType,
} from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader, type PushMetricExporter } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from "@opentelemetry/sdk-trace";
import type { Collector } from "./collector.ts";
import { type CounterName, counters, type HistogramName, histograms } from "./instruments.ts";
import type { NoteAttributes, TelemetryNote } from "./telemetry-note.ts";

export type OtlpSender = {
  write(notes: readonly TelemetryNote[]): void;
  /** Sends what was written so far. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

export type OtlpSenderParts = {
  readonly collector: Collector;
  readonly kedgeVersion: string;
  /** Tells this process from others that count as well. */
  readonly instanceId: string;
  readonly intervalMs: number;
  /** The longest that one sending lasts, with its retries. */
  readonly sendingMsMax: number;
  readonly onFailure: () => void;
};

/** Names of models are as long as people make them. */
const attributeCharactersMax = 256;

export function openOtlpSender(parts: OtlpSenderParts): OtlpSender {
  const { collector, kedgeVersion, intervalMs, sendingMsMax, onFailure } = parts;
  // Given whole: the usual resource names the program's arguments, and a prompt may be one of them.
  const resource = resourceFromAttributes({
    "service.name": "kedge",
    "service.version": kedgeVersion,
    "service.instance.id": parts.instanceId,
  });
  const place = (path: string) => ({
    url: `${collector.endpoint}/${path}`,
    headers: { ...collector.headers },
    timeoutMillis: sendingMsMax,
  });
  const spans = new BatchSpanProcessor({
    exporter: tellingOfSpans(new OTLPTraceExporter(place("v1/traces")), onFailure),
    scheduledDelayMillis: intervalMs,
    exportTimeoutMillis: sendingMsMax,
  });
  const reader = new PeriodicExportingMetricReader({
    exporter: tellingOfMetrics(new OTLPMetricExporter(place("v1/metrics")), onFailure),
    exportIntervalMillis: intervalMs,
    exportTimeoutMillis: Math.min(sendingMsMax, intervalMs),
  });
  const spanLimits = { attributeValueLengthLimit: attributeCharactersMax };
  const tracers = new TracerProvider({ resource, spanProcessors: [spans], spanLimits });
  const meters = new MeterProvider({ resource, readers: [reader] });
  const write = createWriting(tracers, meters, kedgeVersion);
  return {
    write: (notes) => notes.forEach(write),
    flush: () => settled([tracers.forceFlush({ timeoutMillis: sendingMsMax }), meters.forceFlush()]),
    close: () => settled([tracers.shutdown(), meters.shutdown()]),
  };
}

/** Rejections say again what the exporters told. */
async function settled(work: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(work);
}

function createWriting(tracers: TracerProvider, meters: MeterProvider, version: string): (note: TelemetryNote) => void {
  const tracer = tracers.getTracer("kedge", version);
  const meter = meters.getMeter("kedge", version);
  const open = new Map<string, Span>();
  const counterOf = remembered((name: CounterName): Counter => {
    const { unit, description, isWhole } = counters[name];
    return meter.createCounter(name, { unit, description, valueType: isWhole ? ValueType.INT : ValueType.DOUBLE });
  });
  const histogramOf = remembered((name: HistogramName): Histogram => {
    const { unit, description, boundaries } = histograms[name];
    return meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: [...boundaries] } });
  });
  return (note) => {
    switch (note.kind) {
      case "span.started": {
        const parent = note.parentKey === undefined ? undefined : open.get(note.parentKey);
        const context = parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent);
        const kind = note.spanKind === "client" ? SpanKind.CLIENT : SpanKind.INTERNAL;
        // A date, because a plain number may be taken for one of the monotonic clock.
        const startTime = new Date(note.time);
        open.set(note.key, tracer.startSpan(note.name, { kind, startTime, attributes: plain(note) }, context));
        return;
      }
      case "span.ended": {
        const span = open.get(note.key);
        open.delete(note.key);
        span?.setAttributes(plain(note));
        if (note.isError) span?.setStatus({ code: SpanStatusCode.ERROR });
        span?.end(new Date(note.time));
        return;
      }
      case "counted":
        counterOf(note.counter).add(note.value, plain(note));
        return;
      case "measured":
        histogramOf(note.histogram).record(note.value, plain(note));
        return;
    }
  };
}

function remembered<Name, Made>(make: (name: Name) => Made): (name: Name) => Made {
  const made = new Map<Name, Made>();
  return (name) => {
    const found = made.get(name) ?? make(name);
    made.set(name, found);
    return found;
  };
}

/** The SDK wants lists that may be changed. */
function plain({ attributes }: { readonly attributes: NoteAttributes }): Record<string, string | number | string[]> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, typeof value === "object" ? [...value] : value]),
  );
}

function tellingOfSpans(exporter: SpanExporter, onFailure: () => void): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error !== undefined) onFailure();
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

function tellingOfMetrics(exporter: OTLPMetricExporter, onFailure: () => void): PushMetricExporter {
  return {
    export: (metrics, done) =>
      exporter.export(metrics, (result) => {
        if (result.error !== undefined) onFailure();
        done(result);
      }),
    forceFlush: () => exporter.forceFlush(),
    selectAggregation: (type) => exporter.selectAggregation(type),
    selectAggregationTemporality: (type) => exporter.selectAggregationTemporality(type),
    shutdown: () => exporter.shutdown(),
  };
}
