/** Where telemetry goes: the settings first, then the standard variables, and what children must not see of it. */

import { percentDecoded } from "../percent-decoded.ts";
import type { TelemetrySettings } from "./telemetry-settings.ts";

export type Environment = { readonly [name: string]: string | undefined };

export type Collector = {
  /** Without a slash at its end and without the path of a signal. */
  readonly endpoint: string;
  readonly headers: { readonly [name: string]: string };
};

/** Where a collector listens unless somebody says otherwise. */
const usualEndpoint = "http://localhost:4318";

/** Anything shorter stands in many texts by accident. */
const secretCharactersMin = 8;

const headersVariable = /^OTEL_EXPORTER_OTLP_(?:\w+_)?HEADERS$/;

/** Undefined when the variable holds no address; a setting was checked when its file was read. */
export function findCollector(settings: TelemetrySettings, environment: Environment): Collector | undefined {
  const endpoint = settings.endpoint ?? (environment["OTEL_EXPORTER_OTLP_ENDPOINT"] || usualEndpoint);
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol)) return undefined;
  return {
    endpoint: endpoint.replace(/\/+$/, ""),
    headers: { ...headersOf(environment["OTEL_EXPORTER_OTLP_HEADERS"] ?? ""), ...settings.headers },
  };
}

/** What must not stand in any text: whole values, and the words in them, such as a token without its scheme. */
export function secretsOf({ headers }: Collector): readonly string[] {
  const parts = Object.values(headers).flatMap((value) => [value, ...value.split(/\s+/)]);
  return [...new Set(parts)].filter(({ length }) => length >= secretCharactersMin);
}

/** Without the variables that hold headers of the collector, or a part of one. */
export function withoutHeaders(environment: Environment, { headers }: Collector): Environment {
  const values = Object.values(headers);
  const isSecret = (text: string) => text.length >= secretCharactersMin && values.some((value) => value.includes(text));
  return Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => !headersVariable.test(name) && !isSecret(value ?? "")),
  );
}

/** `name=value` with commas between, each percent-encoded where it must be; what has another form is left out. */
function headersOf(text: string): { readonly [name: string]: string } {
  const pairs = text.split(",").flatMap((pair) => {
    const split = pair.indexOf("=");
    const name = percentDecoded(pair.slice(0, split).trim());
    return split < 1 || name === "" ? [] : [[name, percentDecoded(pair.slice(split + 1).trim())]];
  });
  return Object.fromEntries(pairs);
}
