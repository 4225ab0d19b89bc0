/** Chooses the model: what the user likes and used last comes first, then every provider with its models. */

import type { QueryAnswers } from "@kedge/protocol";
import { cleanLine } from "../../screen/clean-text.ts";
import { createRemembered } from "../../screen/remembered.ts";
import type { Dialog } from "../../screen/view.ts";
import { modelTexts } from "../../texts/onboarding.ts";
import type { Theme } from "../../theme/theme.ts";
import type { ListItem } from "../list/list-dialog.ts";
import { createPicker, type PickerPage } from "../list/picker-dialog.ts";
import { flowText } from "../text/dialog-text.ts";
import { type ModelFigures, modelFigures } from "./model-figures.ts";

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
type Listed = {
  readonly model: Provider["models"][number];
  readonly provider: Provider;
  readonly providerName: string;
};
type Value = { readonly model: string; readonly providerId: string; readonly hasKey: boolean };

export function createModelDialog(props: ModelDialogProps): Dialog {
  const { providers, current, recent, favourites, theme, problem } = props;
  const remembered = createRemembered<readonly ListItem<Value>[] | undefined>();
  const figured = createRemembered<ModelFigures>();
  const figures = () => {
    const list = providers();
    return figured([list], () => modelFigures(list?.providers.flatMap(({ models }) => models) ?? []));
  };
  const first = current();
  return createPicker<Value>({
    title: modelTexts.title,
    theme,
    problem,
    items() {
      const list = providers();
      const [liked, inUse, { separator }] = [favourites(), current(), theme().symbols];
      return remembered(
        [list, liked, inUse, separator],
        () => list && modelItems(list, { liked, recent, current: inUse, separator, figures: figures() }),
      );
    },
    loadingText: modelTexts.loading,
    emptyText: modelTexts.empty,
    onChoose: ({ model, providerId, hasKey }) => (hasKey ? props.onChoose(model) : props.onLogin(providerId)),
    keys: [{ key: "ctrl+f", label: modelTexts.favorite, press: ({ model }) => props.onToggleFavourite(model) }],
    below: (page) => legendLines(figures(), page),
    sameAs: (left, right) => left.model === right.model,
    ...(first !== undefined && { selected: { model: first, providerId: "", hasKey: true } }),
  }).dialog;
}

type ItemsPlace = {
  readonly liked: readonly string[];
  readonly recent: readonly string[];
  readonly current: string | undefined;
  readonly separator: string;
  readonly figures: ModelFigures;
};

function legendLines({ legend }: ModelFigures, { width, theme }: PickerPage): readonly string[] {
  if (legend.length === 0) return [];
  return flowText(legend.join(` ${theme.symbols.separator} `), width).map((line) => theme.fg("dim", line));
}

/** Each model once. Those that are no longer offered are not listed. */
function modelItems({ providers }: ProviderList, place: ItemsPlace): readonly ListItem<Value>[] {
  // What can be used at once stands first.
  const usable = providers.toSorted((left, right) => Number(right.hasKey) - Number(left.hasKey));
  const all = usable.flatMap((provider): readonly Listed[] => {
    const providerName = cleanLine(provider.name);
    return provider.models.map((model) => ({ model, provider, providerName }));
  });
  const byModel = new Map(all.map((listed) => [listed.model.model, listed]));
  const liked = new Set(place.liked);
  const used = new Set(place.recent.filter((model) => !liked.has(model)));
  const known = (models: Iterable<string>) => [...models].flatMap((model) => byModel.get(model) ?? []);
  return [
    ...currentItem(byModel, place),
    ...known(liked).map((listed) => modelItem(listed, modelTexts.favorites, place)),
    ...known(used).map((listed) => modelItem(listed, modelTexts.recent, place)),
    ...all
      .filter(({ model }) => !liked.has(model.model) && !used.has(model.model))
      .map((listed) => modelItem(listed, listed.providerName, place)),
  ];
}

/** The model in use can be one that no list has. */
function currentItem(byModel: ReadonlyMap<string, Listed>, { current }: ItemsPlace): readonly ListItem<Value>[] {
  if (current === undefined || current === "" || byModel.size === 0 || byModel.has(current)) return [];
  const value = { model: current, providerId: "", hasKey: true };
  return [{ value, label: cleanLine(current), group: modelTexts.current, detail: modelTexts.isCurrent }];
}

function modelItem({ model, provider, providerName }: Listed, group: string, place: ItemsPlace): ListItem<Value> {
  const id = cleanLine(model.model);
  const label = cleanLine(model.name) || id;
  const notes = [
    ...(model.model === place.current ? [modelTexts.isCurrent] : []),
    ...(provider.hasKey ? [] : [modelTexts.noKey]),
    ...(label === id ? [] : [id]),
  ];
  const figures = place.figures.of(model);
  return {
    value: { model: model.model, providerId: provider.providerId, hasKey: provider.hasKey },
    label,
    group,
    keywords: `${id} ${providerName}`,
    ...(notes.length > 0 && { detail: notes.join(` ${place.separator} `) }),
    ...(figures !== "" && { right: figures }),
  };
}
