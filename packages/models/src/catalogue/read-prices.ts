/** Reads prices per million tokens out of the catalogue; half a price is none. */
import { isJsonObject, type Prices } from "@kedge/protocol";

type FlatPrices = Omit<Prices, "above">;

export function readPrices(value: unknown): Prices | undefined {
  const prices = readFlat(value);
  if (prices === undefined || !isJsonObject(value) || !isJsonObject(value["above"])) return prices;
  const { inputTokens, prices: higher } = value["above"];
  const above = readFlat(higher);
  return typeof inputTokens === "number" && inputTokens > 0 && above !== undefined
    ? { ...prices, above: { inputTokens, prices: above } }
    : prices;
}

function readFlat(value: unknown): FlatPrices | undefined {
  if (!isJsonObject(value)) return undefined;
  const { input, output, cacheRead, cacheWrite, reasoning } = value;
  if (!isAmount(input) || !isAmount(output)) return undefined;
  return {
    input,
    output,
    ...(isAmount(cacheRead) ? { cacheRead } : {}),
    ...(isAmount(cacheWrite) ? { cacheWrite } : {}),
    ...(isAmount(reasoning) ? { reasoning } : {}),
  };
}

export function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
