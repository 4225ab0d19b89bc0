/**
 * Telemetry as the rest of kedge sees it: off unless the user switched it on, never in the way of a run. Notes of facts
 * wait here until the first sending is due, and only then is the SDK loaded.
 */
import { randomUUID } from "node:crypto";
import type { Engine } from "@kedge/engine";
import type { FactRecord } from "@kedge/protocol";
import { type Environment, findCollector, secretsOf, withoutHeaders } from "./collector.ts";
import { createNoteFacts } from "./note-facts.ts";
import type { OtlpSender } from "./otlp-sender.ts";
import type { TelemetryNote } from "./telemetry-note.ts";
import type { TelemetrySettings } from "./telemetry-settings.ts";

export type TelemetryParts = {
  readonly settings: TelemetrySettings;
  readonly environment: Environment;
  readonly kedgeVersion: string;
  /** Told once at most, when nothing can be sent. */
  readonly onNotice: (sentence: string) => void;
};

export type Telemetry = {
  /** Parts of headers that must not stand in any text. */
  readonly secrets: readonly string[];
  /** What commands and other children may see of an environment. */
  forChildren(environment: Environment): Environment;
  follow(engine: Pick<Engine, "subscribeAll">, toolNames: () => readonly string[]): void;
  /** Sends what is left; never longer than two seconds. */
  close(): Promise<void>;
};

/** For the last sending, and for every other one with its retries. */
const sendingMsMax = 2_000;

/** Notes that wait for the SDK; many more than a session makes between two sendings. */
const notesWaitingMax = 50_000;

const off: Telemetry = {
  secrets: [],
  forChildren: (environment) => environment,
  follow: () => undefined,
  close: async () => undefined,
};

export function createTelemetry({ settings, environment, kedgeVersion, onNotice }: TelemetryParts): Telemetry {
  if (!settings.enabled) return off;
  const collector = findCollector(settings, environment);
  if (collector === undefined) {
    onNotice("Telemetry is off: OTEL_EXPORTER_OTLP_ENDPOINT is not a URL. Fix it, or set telemetry.endpoint.");
    return off;
  }
  let isNoticed = false;
  const onFailure = (sentence: string) => {
    if (isNoticed) return;
    isNoticed = true;
    onNotice(sentence);
  };
  const host = new URL(collector.endpoint).host;
  const sending = createSending({
    intervalMs: settings.intervalSeconds * 1_000,
    onFailure,
    async load() {
      // 130 ms, because of which nothing is loaded before there is something to send.
      const { openOtlpSender } = await import("./otlp-sender.ts");
      return openOtlpSender({
        ...{ collector, kedgeVersion, sendingMsMax, instanceId: randomUUID() },
        intervalMs: settings.intervalSeconds * 1_000,
        onFailure: () => onFailure(`Telemetry cannot reach ${host}. kedge continues without it.`),
      });
    },
  });
  let unsubscribe: (() => void) | undefined;
  return {
    secrets: secretsOf(collector),
    forChildren: (given) => withoutHeaders(given, collector),
    follow(engine, toolNames) {
      const noteFacts = createNoteFacts({ toolNames });
      unsubscribe = engine.subscribeAll((_, event) => {
        if (event.kind === "fact") sending.take(event.record, noteFacts);
      });
    },
    async close() {
      unsubscribe?.();
      await sending.close();
    },
  };
}

type SendingParts = {
  readonly intervalMs: number;
  readonly load: () => Promise<OtlpSender>;
  readonly onFailure: (sentence: string) => void;
};

type Sending = {
  take(record: FactRecord, noteFacts: (record: FactRecord) => readonly TelemetryNote[]): void;
  close(): Promise<void>;
};

function createSending({ intervalMs, load, onFailure }: SendingParts): Sending {
  let waiting: TelemetryNote[] = [];
  let loading: Promise<OtlpSender | undefined> | undefined;
  let sender: OtlpSender | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isBroken = false;

  /** A run goes on whatever becomes of its telemetry, so even a defect of ours only ends the latter. */
  function giveUp(error: unknown): void {
    isBroken = true;
    waiting = [];
    const reason = error instanceof Error ? error.message : String(error);
    onFailure(`Telemetry stopped after an error: ${reason.split("\n")[0]}. kedge continues without it.`);
  }

  async function open(): Promise<OtlpSender | undefined> {
    try {
      const opened = await load();
      opened.write(waiting);
      waiting = [];
      sender = opened;
      return opened;
    } catch (error) {
      giveUp(error);
      return undefined;
    }
  }

  function opened(): Promise<OtlpSender | undefined> {
    loading ??= open();
    return loading;
  }

  return {
    take(record, noteFacts) {
      if (isBroken) return;
      try {
        const notes = noteFacts(record);
        if (sender !== undefined) return sender.write(notes);
        if (waiting.length < notesWaitingMax) waiting.push(...notes);
      } catch (error) {
        return giveUp(error);
      }
      // Whatever ended, the first request has gone out.
      if (timer !== undefined || (record.fact.type !== "step.ended" && record.fact.type !== "run.ended")) return;
      timer = setTimeout(() => {
        opened()
          .then((ready) => ready?.flush())
          .catch(giveUp);
      }, intervalMs);
      timer.unref();
    },
    async close() {
      clearTimeout(timer);
      if (isBroken || (loading === undefined && waiting.length === 0)) return;
      const over = Promise.withResolvers<void>();
      const bound = setTimeout(over.resolve, sendingMsMax);
      const sent = opened().then((ready) => ready?.close());
      await Promise.race([sent.catch(giveUp), over.promise]);
      clearTimeout(bound);
      isBroken = true;
    },
  };
}
