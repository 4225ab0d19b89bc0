/** What the next run is done with: mode, model and effort, each opening its list. */
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";
import * as texts from "../texts/session.ts";

export function RunChoices() {
  const page = usePage();
  const session = useSelected(page.store, (state) => state.session);
  const effort = useSelected(page.store, (state) => state.effort);
  const usual = useSelected(page.state, (state) => state.model);
  const model = session?.model ?? usual ?? texts.noModel;
  return (
    <div class="run-choices">
      {session !== undefined && (
        <button
          type="button"
          class={`chip mode-${session.mode}`}
          title={texts.modeKey}
          onClick={() => page.open({ name: "modes" })}
        >
          <span class="hidden-text">{texts.modeIs} </span>
          {session.mode}
        </button>
      )}
      {session !== undefined && (
        <button type="button" class="chip" title={texts.agent} onClick={() => page.open({ name: "agent" })}>
          <span class="hidden-text">{texts.agentIs} </span>
          {session.mode === "plan" ? "plan" : "build"}
        </button>
      )}
      <button type="button" class="chip" title={texts.modelKey} onClick={() => page.open({ name: "models" })}>
        <span class="hidden-text">{texts.modelIs} </span>
        {model.split("/").at(-1)}
      </button>
      {session !== undefined && (
        <button type="button" class="chip" title={texts.effort} onClick={() => page.open({ name: "effort" })}>
          <span class="hidden-text">{texts.effortIs} </span>
          {effort ?? texts.defaultEffort}
        </button>
      )}
    </div>
  );
}
