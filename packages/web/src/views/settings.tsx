/** Settings: how this page looks, and every setting of kedge that is not at its default, with where it comes from. */
import type { Client, ConfigEntry } from "@kedge/protocol";
import { useState } from "preact/hooks";
import { type PageSettings, systemTheme, themeNames } from "../app/settings.ts";
import { useSelected } from "../app/use-selected.ts";
import { visibleLine } from "../parts/visible-text.ts";
import * as texts from "../texts/views/settings.ts";
import { Action, Empty, Loaded, Panel } from "./panel.tsx";
import { Scrolling } from "./scrolling.ts";
import { sentenceOf, useAsked } from "./use-asked.ts";
import type { ViewProps } from "./view-props.ts";

export default function Settings({ client, settings }: ViewProps) {
  const config = useAsked("config", () => client.ask<"config.read">({ type: "config.read" }));
  const reload = async () => {
    const answer = await client.send<"config.reload">({ type: "config.reload" });
    config.again();
    return answer.ok ? undefined : sentenceOf(answer.failure);
  };
  return (
    <>
      <OwnSettings settings={settings} />
      <Panel title={texts.kedgeSettings} aside={<Action label={texts.reload} act={reload} />}>
        <Loaded of={config} loading={texts.loading}>
          {({ entries, warnings }) => (
            <>
              {warnings.length > 0 && (
                <ul class="view-problem" role="alert">
                  {warnings.map((warning) => (
                    <li key={warning}>{visibleLine(warning)}</li>
                  ))}
                </ul>
              )}
              <EntryTable
                client={client}
                entries={entries.filter(({ layer }) => layer !== "default")}
                again={config.again}
              />
            </>
          )}
        </Loaded>
        <ChangeForm client={client} again={config.again} />
      </Panel>
    </>
  );
}

/** Kept in this browser. */
function OwnSettings({ settings }: Pick<ViewProps, "settings">) {
  const { theme, showsThinking, hasDetails } = useSelected(settings, (each) => each);
  const change = (changed: Partial<PageSettings>) => settings.update((before) => ({ ...before, ...changed }));
  return (
    <Panel title={texts.thisBrowser}>
      <div class="view-form">
        <label>
          {texts.theme}{" "}
          <select value={theme} onChange={({ currentTarget }) => change({ theme: currentTarget.value })}>
            {[systemTheme, ...themeNames].map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Switch label={texts.showThinking} isOn={showsThinking} onChange={(isOn) => change({ showsThinking: isOn })} />
        <Switch label={texts.showDetails} isOn={hasDetails} onChange={(isOn) => change({ hasDetails: isOn })} />
      </div>
    </Panel>
  );
}

type SwitchProps = {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
};

function Switch({ label, isOn, onChange }: SwitchProps) {
  return (
    <label>
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onChange(currentTarget.checked)} /> {label}
    </label>
  );
}

type Changing = { readonly client: Client; readonly again: () => void };

/** Files that the server writes; the others are shared by the project, or set by an administrator. */
const layers = { user: texts.allProjects, local: texts.thisProject } as const;
type Layer = keyof typeof layers;

function EntryTable({ client, entries, again }: Changing & { readonly entries: readonly ConfigEntry[] }) {
  if (entries.length === 0) return <Empty>{texts.allDefault}</Empty>;
  return (
    <Scrolling class="view-scroll" label={texts.settings}>
      <table class="view-table">
        <thead>
          <tr>
            <th scope="col">{texts.setting}</th>
            <th scope="col">{texts.value}</th>
            <th scope="col">{texts.source}</th>
            <th scope="col">{texts.change}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ key, value, layer, file, line }) => (
            <tr key={key}>
              <td class="view-mono">{visibleLine(key)}</td>
              <td class="view-mono">{visibleLine(JSON.stringify(value) ?? "")}</td>
              <td>{visibleLine([file ?? layer, line].filter((each) => each !== undefined).join(":"))}</td>
              <td>
                {isLayer(layer) ? (
                  <Action
                    label={texts.remove}
                    question={texts.removeQuestion(visibleLine(key))}
                    tone="danger"
                    act={() => set({ client, again }, { layer, key, value: null })}
                  />
                ) : (
                  <span class="row-state">{texts.inItsFile}</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

function isLayer(layer: string): layer is Layer {
  return Object.hasOwn(layers, layer);
}

type Change = { readonly layer: Layer; readonly key: string; readonly value: ConfigEntry["value"] };

async function set({ client, again }: Changing, change: Change): Promise<string | undefined> {
  const answer = await client.send<"config.set">({ type: "config.set", ...change });
  again();
  return answer.ok ? undefined : sentenceOf(answer.failure);
}

function ChangeForm({ client, again }: Changing) {
  const [key, setKey] = useState("");
  const [text, setText] = useState("");
  const [layer, setLayer] = useState<Layer>("user");
  const save = async () => {
    if (key.trim() === "") return texts.nameSetting;
    const problem = await set({ client, again }, { layer, key: key.trim(), value: typedValue(text) });
    if (problem === undefined) {
      setKey("");
      setText("");
    }
    return problem;
  };
  return (
    <form class="view-form" aria-label={texts.changeSetting} onSubmit={(event) => event.preventDefault()}>
      <label>
        {texts.setting} <input value={key} onInput={({ currentTarget }) => setKey(currentTarget.value)} />
      </label>
      <label>
        {texts.value} <input value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
      </label>
      <label>
        {texts.appliesTo}{" "}
        <select
          value={layer}
          onChange={({ currentTarget }) => isLayer(currentTarget.value) && setLayer(currentTarget.value)}
        >
          {Object.entries(layers).map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <Action label={texts.save} act={save} />
    </form>
  );
}

/** As in `kedge config set`: what is no JSON is a text. */
function typedValue(text: string): ConfigEntry["value"] {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
