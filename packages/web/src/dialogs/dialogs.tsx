/** The place of dialogs: loads their code with the first one that is opened. */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { OpenDialog } from "../app/page.ts";
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";

type Loaded = { readonly Shown?: ComponentType<{ readonly dialog: OpenDialog }> };

export function Dialogs() {
  const page = usePage();
  const dialog = useSelected(page.state, (state) => state.dialog);
  const [{ Shown }, setLoaded] = useState<Loaded>({});
  const isNeeded = dialog !== undefined && Shown === undefined;
  useEffect(() => {
    if (!isNeeded) return;
    import("./shown-dialog.tsx")
      .then(({ ShownDialog }) => setLoaded({ Shown: ShownDialog }))
      // Another build has taken the place of the one that this page came from.
      .catch(() => page.notice("error", "This page is out of date. Reload it."));
  }, [isNeeded]);
  return dialog === undefined || Shown === undefined ? null : <Shown key={dialog.name} dialog={dialog} />;
}
