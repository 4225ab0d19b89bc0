/** Chooses the model: what the user likes and used last comes first, then every provider with its models. */
import type { QueryAnswers } from "@kedge/protocol";
import { cleanLine } from "../screen/clean-text.ts";
import type { Dialog } from "../screen/view.ts";
import { countText } from "../status/short-figures.ts";
import type { Theme } from "../theme/theme.ts";
import type { ListItem } from "./list-dialog.ts";
import { createPicker } from "./picker-dialog.ts";
import { createRemembered } from "./remembered.ts";

export type ProviderList = QueryAnswers["provider.list"];

export type ModelDialogProps = {
  /** Undefined while they are asked for. */
  readonly providers: () => ProviderList | undefined;
  readonly problem?: () => string | undefined;
  readonly current: () => string | undefined;
  /** The last one first. */
  readonly recent: readonly string[];
  readonly favourites: () => readonly string[];
  readonly onToggleFavourite: (model: string) => void;
  readonly theme: () => Theme;
  /** Closes nothing, like the next one: whoever opened the dialog closes it. */
  readonly onChoose: (model: string) => void;
  /** The model has a provider without a key. */
  readonly onLogin: (providerId: string) => void;
};

type Provider = ProviderList["providers"][number];
type Listed = { readonly model: Provider["models"][number]; readonly provider: Provider };
type Value = { readonly model: string; readonly providerId: string; readonly hasKey: boolean };

const keyMissing = "no key";

export function createModelDialog(props: ModelDialogProps): Dialog {
  const { providers, current, recent, favourites, theme, problem } = props;
  const remembered = createRemembered<readonly ListItem<Value>[] | undefined>();
  const first = current();
  return createPicker<Value>({
    title: "Models",
    theme,
    problem,
    items() {
      const list = providers();
      const parts = [list, favourites(), current(), theme().symbols] as const;
      return remembered(parts, () => list && modelItems(list, props));
    },
    loadingText: "Loading models.",
    emptyText: "No model is known; /connect stores a key for a provider.",
    onChoose: ({ model, providerId, hasKey }) => (hasKey ? props.onChoose(model) : props.onLogin(providerId)),
    keys: [{ key: "ctrl+f", label: "favourite", press: ({ model }) => props.onToggleFavourite(model) }],
    toneOf: (right) => (right.endsWith(keyMissing) ? "warning" : undefined),
    sameAs: (left, right) => left.model === right.model,
    ...(first !== undefined && { selected: { model: first, providerId: "", hasKey: true } }),
  }).dialog;

  function modelItems(list: ProviderList, { theme: colours }: ModelDialogProps): readonly ListItem<Value>[] {
    const all = list.providers.flatMap((provider) => provider.models.map((model): Listed => ({ model, provider })));
    const byModel = new Map(all.map((listed) => [listed.model.model, listed]));
    const liked = new Set(favourites());
    const used = new Set(recent.filter((model) => !liked.has(model)));
    const { separator } = colours().symbols;
    const itemIn = (group: string, listed: Listed) => modelItem(listed, { group, separator, current: current() });
    const known = (models: Iterable<string>) => [...models].flatMap((model) => byModel.get(model) ?? []);
    return [
      ...known(liked).map((listed) => itemIn("Favourites", listed)),
      ...known(used).map((listed) => itemIn("Recent", listed)),
      ...all
        .filter(({ model }) => !liked.has(model.model) && !used.has(model.model))
        .map((listed) => itemIn(cleanLine(listed.provider.name), listed)),
    ];
  }
}

function modelItem(
  { model, provider }: Listed,
  place: { readonly group: string; readonly separator: string; readonly current: string | undefined },
): ListItem<Value> {
  const { model: id, name, contextTokens } = model;
  const label = cleanLine(name) || cleanLine(id);
  const isCurrent = id === place.current;
  const notes = [
    ...(isCurrent ? ["current"] : []),
    ...(contextTokens === undefined ? [] : [countText(contextTokens)]),
    ...(provider.hasKey ? [] : [keyMissing]),
  ];
  return {
    value: { model: id, providerId: provider.providerId, hasKey: provider.hasKey },
    label,
    group: place.group,
    keywords: `${cleanLine(id)} ${cleanLine(provider.name)}`,
    ...(label !== cleanLine(id) && { detail: cleanLine(id) }),
    ...(notes.length > 0 && { right: notes.join(` ${place.separator} `) }),
  };
}
