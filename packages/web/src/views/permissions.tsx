/** The permission rules that hold, in the order in which they are evaluated, with where each one comes from. */
import type { Client, ListedRule } from "@kedge/protocol";
import { visibleLine } from "../parts/visible-text.ts";
import * as texts from "../texts/views/permissions.ts";
import { Action, Empty, Loaded, Panel } from "./panel.tsx";
import { Scrolling } from "./scrolling.ts";
import { sentenceOf, useAsked } from "./use-asked.ts";
import type { ViewProps } from "./view-props.ts";

const tones = { allow: "good", ask: "waiting", deny: "bad" } as const;

export default function Permissions({ client }: ViewProps) {
  const rules = useAsked("rules", () => client.ask<"rule.list">({ type: "rule.list" }));
  const project = useAsked("project", () => client.ask<"project.read">({ type: "project.read" }));
  return (
    <Panel title={texts.title}>
      <Loaded of={project} loading={texts.loading}>
        {({ mode, isTrusted }) => (
          <p class="view-note">
            {texts.modeOfNew} {mode}. {isTrusted ? texts.trusted : texts.notTrusted} {texts.order}
          </p>
        )}
      </Loaded>
      <Loaded of={rules} loading={texts.loadingRules}>
        {(value) =>
          value.rules.length === 0 ? (
            <Empty>{texts.noRules}</Empty>
          ) : (
            <RuleTable client={client} rules={value.rules} again={rules.again} />
          )
        }
      </Loaded>
    </Panel>
  );
}

type TableProps = { readonly client: Client; readonly rules: readonly ListedRule[]; readonly again: () => void };

function RuleTable({ client, rules, again }: TableProps) {
  return (
    <Scrolling class="view-scroll" label={texts.rules}>
      <table class="view-table">
        <thead>
          <tr>
            <th scope="col">{texts.answer}</th>
            <th scope="col">{texts.permission}</th>
            <th scope="col">{texts.pattern}</th>
            <th scope="col">{texts.source}</th>
            <th scope="col">{texts.change}</th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule, index) => (
            <tr key={`${index} ${rule.permission} ${rule.pattern}`}>
              <td class={`row-state ${tones[rule.action]}`}>{rule.action}</td>
              <td>{visibleLine(rule.permission)}</td>
              <td class="view-mono">{visibleLine(rule.pattern)}</td>
              <td>{rule.source}</td>
              <td>
                {rule.ruleId === undefined ? (
                  <span class="row-state">{texts.inItsFile}</span>
                ) : (
                  <Action
                    label={texts.remove}
                    question={texts.removeQuestion}
                    tone="danger"
                    act={() => remove(rule.ruleId ?? "")}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );

  async function remove(ruleId: string): Promise<string | undefined> {
    const answer = await client.send<"rule.remove">({ type: "rule.remove", ruleId });
    again();
    return answer.ok ? undefined : sentenceOf(answer.failure);
  }
}
