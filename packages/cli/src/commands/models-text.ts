/** The table of models for a person. */
import type { ListedModel, ListedProvider } from "@kedge/host";
import { type Column, countText, tableText } from "../text-table.ts";
import { modelTexts } from "../texts/accounts.ts";

type Row = { readonly provider: ListedProvider; readonly model: ListedModel };

const columns: readonly Column<Row>[] = [
  { title: modelTexts.model, align: "left", text: ({ model }) => model.ref },
  { title: modelTexts.name, align: "left", text: ({ model }) => model.name ?? "" },
  { title: modelTexts.context, align: "right", text: ({ model }) => assumed(countText(model.contextTokens), model) },
  { title: modelTexts.output, align: "right", text: ({ model }) => assumed(countText(model.outputTokensMax), model) },
  { title: modelTexts.in, align: "right", text: ({ model }) => priceText(model.prices?.input) },
  { title: modelTexts.outputPrice, align: "right", text: ({ model }) => priceText(model.prices?.output) },
];

const verboseColumns: readonly Column<Row>[] = [
  ...columns,
  { title: modelTexts.cachedPrice, align: "right", text: ({ model }) => priceText(model.prices?.cacheRead) },
  { title: modelTexts.can, align: "left", text: ({ model }) => capabilityText(model) },
  { title: modelTexts.released, align: "left", text: ({ model }) => model.released ?? "" },
  { title: modelTexts.status, align: "left", text: ({ model }) => model.status ?? "" },
  { title: modelTexts.wire, align: "left", text: ({ provider }) => provider.package ?? provider.api ?? "" },
  {
    title: modelTexts.tested,
    align: "left",
    text: ({ provider }) => (provider.tested ? modelTexts.tested : modelTexts.untested),
  },
];

const needsColumn: Column<Row> = {
  title: modelTexts.needs,
  align: "left",
  text: ({ provider }) => provider.missing?.recovery ?? "",
};

const notes = modelTexts.prices;

/** Nothing at all when there is no model. */
export function modelsText(providers: readonly ListedProvider[], { verbose }: { readonly verbose: boolean }): string {
  const rows = providers.flatMap((provider) => provider.models.map((model) => ({ provider, model })));
  if (rows.length === 0) return "";
  const isAllUsable = rows.every(({ provider }) => provider.missing === undefined);
  const chosen = verbose ? verboseColumns : columns;
  return `${tableText(isAllUsable ? chosen : [...chosen, needsColumn], rows)}\n${notes}`;
}

function assumed(text: string, model: ListedModel): string {
  return model.assumed ? `~${text}` : text;
}

function priceText(usd: number | undefined): string {
  return usd === undefined ? "?" : String(usd);
}

function capabilityText({ capabilities }: ListedModel): string {
  if (capabilities === undefined) return "";
  const { tools, reasoning, images, documents } = capabilities;
  const words = [
    tools && modelTexts.tools,
    reasoning !== "none" && modelTexts.thinking,
    images && modelTexts.images,
    documents && modelTexts.documents,
  ];
  return words.filter((word) => word !== false).join(" ");
}
