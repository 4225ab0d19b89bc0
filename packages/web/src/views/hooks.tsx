/** The hooks that are configured: on which event, for which tools, and what they run. */
import { isJsonObject, type QueryAnswers } from "@kedge/protocol";
import { withCode } from "../frame/with-code.tsx";
import { visibleLine } from "../parts/visible-text.ts";
import * as texts from "../texts/views/hooks.ts";
import { Empty, Loaded, Panel } from "./panel.tsx";
import { Scrolling } from "./scrolling.ts";
import { useAsked } from "./use-asked.ts";
import type { ViewProps } from "./view-props.ts";

export default function Hooks({ client }: ViewProps) {
  const config = useAsked("config", () => client.ask<"config.read">({ type: "config.read" }));
  return (
    <Panel title={texts.title}>
      <Loaded of={config} loading={texts.loading}>
        {(value) => {
          const hooks = hooksOf(value);
          return hooks.length === 0 ? (
            <Empty>{withCode(texts.none)}</Empty>
          ) : (
            <ul class="view-list">
              {hooks.map((hook, index) => (
                <li key={`${hook.event} ${index}`}>
                  <div class="row-head">
                    <span class="row-name">{hook.event}</span>
                    <span class="row-state">{hook.place}</span>
                  </div>
                  <p class="row-about">{hook.matcher === "" ? texts.everyCall : texts.only(hook.matcher)}</p>
                  <Scrolling class="view-text" label={texts.whatItRuns} isText>
                    {hook.runs}
                  </Scrolling>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Panel>
  );
}

type Hook = { readonly event: string; readonly matcher: string; readonly runs: string; readonly place: string };

/** Events with matchers, each with what it runs; whatever has another form is shown as it is written. */
function hooksOf({ settings, entries }: QueryAnswers["config.read"]): readonly Hook[] {
  const { hooks } = settings;
  if (!isJsonObject(hooks)) return [];
  const source = entries.find(({ key }) => key === "hooks" || key.startsWith("hooks."));
  const place = source === undefined ? "" : [source.file ?? source.layer, source.line].filter(Boolean).join(":");
  return Object.entries(hooks).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : [groups]).flatMap((group) => {
      const { matcher, hooks: runs } = isJsonObject(group) ? group : { matcher: undefined, hooks: undefined };
      const shown = (value: unknown) => ({
        ...{ event: visibleLine(event), place: visibleLine(place) },
        matcher: typeof matcher === "string" ? visibleLine(matcher) : "",
        runs: runText(value),
      });
      return Array.isArray(runs) ? runs.map(shown) : [shown(group)];
    }),
  );
}

function runText(value: unknown): string {
  const command = isJsonObject(value) ? (value["command"] ?? value["url"] ?? value["prompt"]) : undefined;
  return visibleLine(typeof command === "string" ? command : (JSON.stringify(value) ?? ""));
}
