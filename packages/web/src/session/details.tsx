/** The column beside a wide conversation: tasks of the model, changed files, the window and the cost. */
import { costText } from "@kedge/protocol";
import { changedFiles, countText, moneyText } from "@kedge/tui/session";
import { viewAddress } from "../app/router.ts";
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";
import { views } from "../views/index.ts";

const marks = { pending: "○", in_progress: "◐", completed: "●", cancelled: "–" } as const;

export function Details() {
  const page = usePage();
  const session = useSelected(page.store, (state) => state.session);
  const messages = useSelected(page.store, (state) => state.messages);
  const context = useSelected(page.store, (state) => state.context);
  const repository = useSelected(page.store, (state) => state.repository);
  if (session === undefined) return null;
  const files = changedFiles(messages);
  const hasFiles = views.some(({ path }) => path === "files");
  return (
    <aside class="details" aria-label="Session details">
      {session.todos.length > 0 && (
        <section>
          <h2>Tasks</h2>
          <ul class="todos">
            {session.todos.map(({ content, status }) => (
              <li key={content} class={status}>
                <span aria-hidden="true">{marks[status as keyof typeof marks] ?? marks.pending}</span>
                <span>{content}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h2>Changed files</h2>
        {files.length === 0 ? (
          <p class="quiet">None yet</p>
        ) : (
          <ul class="changed">
            {files.map(({ path, status }) => (
              <li key={path}>
                {hasFiles ? <a href={viewAddress("files", path)}>{path}</a> : <span>{path}</span>}
                <span class={`file-${status}`}>{status}</span>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section>
        <h2>Session</h2>
        <dl class="figures">
          <dt>Model</dt>
          <dd>{session.model}</dd>
          <dt>Mode</dt>
          <dd>{session.mode}</dd>
          {repository?.branch !== undefined && (
            <>
              <dt>Branch</dt>
              <dd>{repository.branch}</dd>
            </>
          )}
          {context !== undefined && context.windowTokens > 0 && (
            <>
              <dt>Context</dt>
              <dd>
                {countText(context.tokens)} of {countText(context.windowTokens)}
                <meter
                  aria-label="Context used"
                  min={0}
                  max={context.windowTokens}
                  high={context.compactAt}
                  value={context.tokens}
                />
              </dd>
            </>
          )}
          <dt>Cost</dt>
          <dd>{costText(session.cost, moneyText)}</dd>
        </dl>
      </section>
    </aside>
  );
}
