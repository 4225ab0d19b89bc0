/** The settings of telemetry: whether anything is sent, where to, with which headers and how often. */
import { flag, number, object, record, said, secretText, webAddress } from "../configuration/checks.ts";
import { ignored, type SettingDeclarations } from "../configuration/setting-declaration.ts";

export type TelemetrySettings = {
  readonly enabled: boolean;
  /** The collector, without the path of a signal; the usual variable or this machine without it. */
  readonly endpoint?: string;
  readonly headers: { readonly [name: string]: string };
  readonly intervalSeconds: number;
};

const usual = { enabled: false, headers: {}, intervalSeconds: 60 } as const satisfies TelemetrySettings;

const intervalSecondsMin = 5;
const intervalSecondsMax = 3_600;

export const telemetrySettings: SettingDeclarations = {
  telemetry: {
    check: object({
      enabled: said("Send metrics and traces to your own OpenTelemetry collector.", flag, usual.enabled),
      endpoint: said("Collector URL for OTLP over HTTP; default: `OTEL_EXPORTER_OTLP_ENDPOINT`.", webAddress),
      headers: said("Headers for the collector.", record(secretText)),
      intervalSeconds: said(
        "Seconds between exports.",
        number({ min: intervalSecondsMin, max: intervalSecondsMax }),
        usual.intervalSeconds,
      ),
    }),
    project: ignored("a project may not decide where telemetry goes"),
    sources: ["user", "policy"],
    counts: "at start",
  },
};

/** Every value was checked when its file was read; `null` takes back what a weaker file set. */
export function readTelemetrySettings(value: unknown): TelemetrySettings {
  const given = Object.entries((value ?? {}) as object).filter(([, member]) => member !== null);
  return { ...usual, ...Object.fromEntries(given) };
}
