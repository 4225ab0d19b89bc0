/** What the next run is done with: mode, model and effort, each opening its list. */
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";

export function RunChoices() {
  const page = usePage();
  const session = useSelected(page.store, (state) => state.session);
  const effort = useSelected(page.store, (state) => state.effort);
  const usual = useSelected(page.state, (state) => state.model);
  const model = session?.model ?? usual ?? "no model";
  return (
    <div class="run-choices">
      {session !== undefined && (
        <button
          type="button"
          class={`chip mode-${session.mode}`}
          title="Permission mode (Shift+Tab)"
          onClick={() => page.open({ name: "modes" })}
        >
          <span class="hidden-text">Mode: </span>
          {session.mode}
        </button>
      )}
      {session !== undefined && (
        <button type="button" class="chip" title="Agent" onClick={() => page.open({ name: "agent" })}>
          <span class="hidden-text">Agent: </span>
          {session.mode === "plan" ? "plan" : "build"}
        </button>
      )}
      <button type="button" class="chip" title="Model (Alt+M)" onClick={() => page.open({ name: "models" })}>
        <span class="hidden-text">Model: </span>
        {model.split("/").at(-1)}
      </button>
      {session !== undefined && (
        <button type="button" class="chip" title="Reasoning effort" onClick={() => page.open({ name: "effort" })}>
          <span class="hidden-text">Reasoning effort: </span>
          {effort ?? "default effort"}
        </button>
      )}
    </div>
  );
}
