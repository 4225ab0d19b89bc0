/** The place of dialogs: loads their code with the first one that is opened. */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { loadLate, outOfDate } from "../app/late-code.ts";
import type { OpenDialog } from "../app/page.ts";
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";
import * as texts from "../texts/frame.ts";

type Loaded = { readonly Shown?: ComponentType<{ readonly dialog: OpenDialog }> };

export function Dialogs() {
  const page = usePage();
  const dialog = useSelected(page.state, (state) => state.dialog);
  const [{ Shown }, setLoaded] = useState<Loaded>({});
  const isNeeded = dialog !== undefined && Shown === undefined;
  useEffect(() => {
    if (!isNeeded) return;
    const left = new AbortController();
    const { signal } = left;
    const onLost = () => page.notice("warning", texts.dialogWaits);
    loadLate(page, () => import("./shown-dialog.tsx"), { signal, onLost }).then(
      ({ ShownDialog }) => setLoaded({ Shown: ShownDialog }),
      () => signal.aborted || page.notice("error", outOfDate),
    );
    return () => left.abort();
  }, [isNeeded]);
  return dialog === undefined || Shown === undefined ? null : <Shown key={dialog.name} dialog={dialog} />;
}
