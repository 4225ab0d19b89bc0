/** The column beside a wide conversation: tasks of the model, changed files, the window and the cost. */
import { costText } from "@kedge/protocol";
import { changedFiles, countText, moneyText } from "@kedge/tui/session";
import { viewAddress } from "../app/router.ts";
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";
import * as texts from "../texts/session.ts";
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
    <aside class="details" aria-label={texts.details}>
      {session.todos.length > 0 && (
        <section>
          <h2>{texts.tasks}</h2>
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
        <h2>{texts.changedFiles}</h2>
        {files.length === 0 ? (
          <p class="quiet">{texts.noneYet}</p>
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
        <h2>{texts.session}</h2>
        <dl class="figures">
          <dt>{texts.model}</dt>
          <dd>{session.model}</dd>
          <dt>{texts.mode}</dt>
          <dd>{session.mode}</dd>
          {repository?.branch !== undefined && (
            <>
              <dt>{texts.branch}</dt>
              <dd>{repository.branch}</dd>
            </>
          )}
          {context !== undefined && context.windowTokens > 0 && (
            <>
              <dt>{texts.context}</dt>
              <dd>
                {texts.tokensOf(countText(context.tokens), countText(context.windowTokens))}
                <meter
                  aria-label={texts.contextUsed}
                  min={0}
                  max={context.windowTokens}
                  high={context.compactAt}
                  value={context.tokens}
                />
              </dd>
            </>
          )}
          <dt>{texts.cost}</dt>
          <dd>{costText(session.cost, moneyText)}</dd>
        </dl>
      </section>
    </aside>
  );
}
