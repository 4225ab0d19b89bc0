/** A side view: its code is loaded when it is opened, and what goes wrong with that is told. */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { loadLate, outOfDate } from "../app/late-code.ts";
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";
import * as texts from "../texts/frame.ts";
import { views } from "../views/index.ts";
import { Scrolling } from "../views/scrolling.ts";
import type { ViewProps } from "../views/view-props.ts";
import { TopBar } from "./top-bar.tsx";

type Loaded = {
  readonly View?: ComponentType<ViewProps>;
  readonly isWaiting?: boolean;
  readonly isOutOfDate?: boolean;
};

export function ViewPage({
  path,
  rest,
  hash,
}: {
  readonly path: string;
  readonly rest: string;
  readonly hash: string;
}) {
  const page = usePage();
  const sessionId = useSelected(page.store, (state) => state.session?.id);
  const [{ View, isWaiting, isOutOfDate }, setLoaded] = useState<Loaded>({});
  const row = views.find((each) => each.path === path);
  useEffect(() => {
    setLoaded({});
    if (row === undefined) return;
    const left = new AbortController();
    const { signal } = left;
    const settle = (next: Loaded) => {
      if (!signal.aborted) setLoaded(next);
    };
    loadLate(page, row.load, { signal, onLost: () => settle({ isWaiting: true }) }).then(
      ({ default: View }) => settle({ View }),
      () => settle({ isOutOfDate: true }),
    );
    return () => left.abort();
  }, [path]);
  return (
    <main id="content" class="view" tabIndex={-1}>
      <TopBar title={row?.title ?? ""} />
      <Scrolling class="view-body" label={texts.viewLabel(row?.title ?? "")}>
        {isWaiting && <p class="problem">{texts.viewWaits}</p>}
        {isOutOfDate && (
          <p class="problem" role="alert">
            {outOfDate}{" "}
            <button type="button" class="text-button" onClick={() => location.reload()}>
              {texts.reload}
            </button>
          </p>
        )}
        {View !== undefined && (
          <View
            {...{ client: page.client, settings: page.settings, go: page.router.go }}
            {...{ sessionId, rest, hash }}
          />
        )}
      </Scrolling>
    </main>
  );
}
