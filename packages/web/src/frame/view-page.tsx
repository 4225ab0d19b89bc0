/** A side view: its code is loaded when it is opened, and what goes wrong with that is told. */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";
import { views } from "../views/index.ts";
import { Scrolling } from "../views/scrolling.ts";
import type { ViewProps } from "../views/view-props.ts";
import { TopBar } from "./top-bar.tsx";

type Loaded = { readonly View?: ComponentType<ViewProps>; readonly problem?: string };

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
  const [{ View, problem }, setLoaded] = useState<Loaded>({});
  const row = views.find((each) => each.path === path);
  useEffect(() => {
    let isWanted = true;
    setLoaded({});
    row
      ?.load()
      .then(({ default: View }) => isWanted && setLoaded({ View }))
      // Another build has taken the place of the one that this page came from.
      .catch(() => isWanted && setLoaded({ problem: "This page is out of date. Reload it." }));
    return () => {
      isWanted = false;
    };
  }, [path]);
  return (
    <main id="content" class="view" tabIndex={-1}>
      <TopBar title={row?.title ?? ""} />
      <Scrolling class="view-body" label={`${row?.title ?? ""} view`}>
        {problem !== undefined && (
          <p class="problem" role="alert">
            {problem}{" "}
            <button type="button" class="text-button" onClick={() => location.reload()}>
              Reload
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
