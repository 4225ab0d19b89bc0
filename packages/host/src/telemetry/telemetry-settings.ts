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
      enabled: said("Whether counts and times are sent to your own OpenTelemetry collector.", flag, usual.enabled),
      endpoint: said("The collector, for OTLP over HTTP; `OTEL_EXPORTER_OTLP_ENDPOINT` without this.", webAddress),
      headers: said("Headers that the collector wants.", record(secretText)),
      intervalSeconds: said(
        "How many seconds lie between two sendings.",
        number({ min: intervalSecondsMin, max: intervalSecondsMax }),
        usual.intervalSeconds,
      ),
    }),
    project: ignored("a project may not say who is told of your work"),
    sources: ["user", "policy"],
    counts: "at start",
  },
};

/** Every value was checked when its file was read; `null` takes back what a weaker file set. */
export function readTelemetrySettings(value: unknown): TelemetrySettings {
  const given = Object.entries((value ?? {}) as object).filter(([, member]) => member !== null);
  return { ...usual, ...Object.fromEntries(given) };
}
