/** Proves where telemetry goes and which variables its children lose. */
import { expect, test } from "vitest";
import { findCollector, secretsOf, withoutHeaders } from "./collector.ts";

const enabled = { enabled: true, headers: {}, intervalSeconds: 60 };

test("the settings are stronger than the variables, and this machine is what is left", () => {
  const variable = { OTEL_EXPORTER_OTLP_ENDPOINT: "https://two.example/otlp/" };
  expect(findCollector({ ...enabled, endpoint: "https://one.example" }, variable)?.endpoint).toBe(
    "https://one.example",
  );
  expect(findCollector(enabled, variable)?.endpoint).toBe("https://two.example/otlp");
  expect(findCollector(enabled, { OTEL_EXPORTER_OTLP_ENDPOINT: "" })?.endpoint).toBe("http://localhost:4318");
  expect(findCollector(enabled, { OTEL_EXPORTER_OTLP_ENDPOINT: "file:///etc" })).toBeUndefined();
});

test("headers of the variable are read, and those of the settings win", () => {
  const environment = { OTEL_EXPORTER_OTLP_HEADERS: "a=1, b=x%3Dy ,broken,=none,c=%zz,d=" };
  expect(findCollector({ ...enabled, headers: { a: "2" } }, environment)?.headers).toEqual({
    a: "2",
    b: "x=y",
    c: "%zz",
    d: "",
  });
});

const collector = { endpoint: "http://x", headers: { authorization: "Bearer a-long-token", team: "red" } };

test("a token is secret with and without its scheme, and a short word is none", () => {
  expect(secretsOf(collector)).toEqual(["Bearer a-long-token", "a-long-token"]);
});

test("children lose the headers and every variable that a header was made of", () => {
  const environment = {
    OTEL_EXPORTER_OTLP_HEADERS: "x=y",
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: "x=y",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://x",
    MY_TOKEN: "a-long-token",
    COLOUR: "red",
    EMPTY: "",
  };
  expect(withoutHeaders(environment, collector)).toEqual({
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://x",
    COLOUR: "red",
    EMPTY: "",
  });
});
