/** Lists of what a run is done with: models, modes, efforts, and the themes of the page. */
import { type Effort, efforts, type PermissionMode, type QueryAnswer } from "@kedge/protocol";
import { cleanLine, countText, modeMeanings, offeredModes } from "@kedge/tui/session";
import { systemTheme, themeNames } from "../app/settings.ts";
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";
import * as texts from "../texts/dialogs.ts";
import { Picker, type PickerItem } from "./picker.tsx";
import { useAsked } from "./use-asked.ts";

export function ModelPicker() {
  const page = usePage();
  const current = useSelected(page.store, (state) => state.session?.model);
  const { value, problem } = useAsked(() => page.client.ask<"provider.list">({ type: "provider.list" }));
  async function choose(model: string): Promise<void> {
    page.closeDialog();
    if (page.store.get().session === undefined) await page.desk.begin(model);
    else await page.desk.changeModel(model);
  }
  return (
    <Picker
      title={texts.models}
      items={value === undefined ? undefined : modelItems(value.providers, current)}
      problem={problem}
      emptyText={texts.noModels}
      selected={current}
      onChoose={(model) => void choose(model)}
      onClose={page.closeDialog}
    />
  );
}

type Providers = Extract<QueryAnswer<"provider.list">, { ok: true }>["value"]["providers"];

/** Only those that can be used: without a key a provider answers nothing. */
function modelItems(providers: Providers, current: string | undefined): readonly PickerItem[] {
  const usable = providers.filter(({ hasKey }) => hasKey);
  return usable.flatMap((provider) =>
    provider.models.map((model) => ({
      value: model.model,
      label: model.name,
      group: provider.name,
      detail: model.contextTokens === undefined ? undefined : texts.contextSize(countText(model.contextTokens)),
      right: model.model === current ? texts.current : undefined,
    })),
  );
}

export function ModePicker() {
  const page = usePage();
  const current = useSelected(page.store, (state) => state.session?.mode) ?? "default";
  const items = offeredModes(current).map((mode) => ({
    ...{ value: mode, label: mode, detail: modeMeanings[mode] },
    right: mode === current ? texts.current : undefined,
  }));
  function choose(mode: string): void {
    page.closeDialog();
    // The list holds modes only.
    void page.desk.changeMode(mode as PermissionMode);
  }
  return (
    <Picker
      title={texts.modes}
      items={items}
      emptyText={texts.noModes}
      selected={current}
      onChoose={choose}
      onClose={page.closeDialog}
    />
  );
}

/** Who does the work: the model itself, with or without writing, or an agent that is called by its name in the prompt. */
export function AgentPicker() {
  const page = usePage();
  const mode = useSelected(page.store, (state) => state.session?.mode);
  const { value, problem } = useAsked(() => page.client.ask<"agent.definitions">({ type: "agent.definitions" }));
  const present = mode === undefined ? undefined : mode === "plan" ? "plan" : "build";
  const own = mainAgents.map((each) => ({ ...each, right: each.value === present ? texts.current : undefined }));
  const called = (value?.definitions ?? [])
    .filter(({ status }) => status === "used")
    .map(({ name, description }) => ({
      ...{ value: `@${name}`, label: `@${cleanLine(name)}`, group: texts.calledInPrompt },
      detail: cleanLine(description),
    }));
  function choose(chosen: string): void {
    page.closeDialog();
    if (chosen.startsWith("@")) page.state.update((state) => ({ ...state, offered: { text: `${chosen} ` } }));
    else void page.runLine(`/agent ${chosen}`);
  }
  return (
    <Picker
      title={texts.agents}
      items={value === undefined ? undefined : [...own, ...called]}
      problem={problem}
      emptyText={texts.noAgents}
      selected={present}
      onChoose={choose}
      onClose={page.closeDialog}
    />
  );
}

const mainAgents = [
  { value: "build", label: "build", detail: texts.allTools, group: texts.thisSession },
  { value: "plan", label: "plan", detail: texts.readOnly, group: texts.thisSession },
];

export function EffortPicker() {
  const page = usePage();
  const current = useSelected(page.store, (state) => state.effort);
  const items = efforts.map((effort) => ({
    value: effort,
    label: effort,
    right: effort === current ? texts.current : undefined,
  }));
  function choose(effort: string): void {
    page.closeDialog();
    // The list holds efforts only.
    page.desk.changeEffort(effort as Effort);
  }
  return (
    <Picker
      title={texts.effort}
      items={items}
      emptyText={texts.noLevels}
      selected={current}
      onChoose={choose}
      onClose={page.closeDialog}
    />
  );
}

export function ThemePicker() {
  const page = usePage();
  const current = useSelected(page.settings, (settings) => settings.theme);
  const items = [systemTheme, ...themeNames].map((name) => ({
    ...{ value: name, label: name, detail: name === systemTheme ? texts.systemTheme : undefined },
    right: name === current ? texts.current : undefined,
  }));
  function choose(theme: string): void {
    page.closeDialog();
    page.settings.update((settings) => ({ ...settings, theme }));
  }
  return (
    <Picker
      title={texts.themes}
      items={items}
      emptyText={texts.noThemes}
      selected={current}
      onChoose={choose}
      onClose={page.closeDialog}
    />
  );
}
