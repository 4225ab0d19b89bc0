/** What can be done with the session as a whole: undo, redo, and a menu of the rest. */
import { useEffect, useRef, useState } from "preact/hooks";
import { usePage } from "../app/use-page.ts";
import { useSelected } from "../app/use-selected.ts";
import { Icon } from "../frame/icons.tsx";
import * as texts from "../texts/session.ts";

type MenuRow = { readonly label: string; readonly run: () => void };

export function SessionMenu() {
  const page = usePage();
  const canRedo = useSelected(page.store, (state) => state.session?.revert !== undefined);
  const isBusy = useSelected(page.store, (state) => state.activity.kind !== "idle");
  const line = (text: string) => () => void page.runLine(text);
  const rows: readonly MenuRow[] = [
    { label: texts.menuRewind, run: () => page.open({ name: "rewind" }) },
    { label: texts.menuTree, run: () => page.open({ name: "tree" }) },
    { label: texts.menuFork, run: () => void page.desk.fork() },
    { label: texts.menuRename, run: () => page.open({ name: "rename" }) },
    { label: texts.menuCompact, run: line("/compact") },
    { label: texts.menuCopy, run: line("/dump") },
    { label: texts.menuDownload, run: line("/export md") },
    {
      label: texts.menuDetails,
      run: () => page.settings.update((settings) => ({ ...settings, hasDetails: !settings.hasDetails })),
    },
  ];
  return (
    <div class="session-menu">
      <button
        type="button"
        class="icon-button"
        aria-label={texts.undo}
        title={texts.undoKey}
        disabled={isBusy}
        onClick={() => void page.desk.undo()}
      >
        <Icon name="undo" />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={texts.redo}
        title={texts.redo}
        disabled={isBusy || !canRedo}
        onClick={() => void page.desk.redo()}
      >
        <Icon name="redo" />
      </button>
      <Menu label={texts.menu} rows={rows} />
    </div>
  );
}

function Menu({ label, rows }: { readonly label: string; readonly rows: readonly MenuRow[] }) {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    place.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
    const leave = (event: Event) => {
      if (event.target instanceof Node && place.current?.contains(event.target) !== true) setOpen(false);
    };
    document.addEventListener("pointerdown", leave);
    return () => document.removeEventListener("pointerdown", leave);
  }, [isOpen]);

  function onKey(event: KeyboardEvent): void {
    const items = [...(place.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Escape") {
      setOpen(false);
      place.current?.querySelector<HTMLElement>("button")?.focus();
    } else if (step !== 0) items[(at + step + items.length) % items.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div class="menu" ref={place} onKeyDown={isOpen ? onKey : undefined}>
      <button
        type="button"
        class="icon-button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="more" />
      </button>
      {isOpen && (
        <div class="menu-rows" role="menu" aria-label={label}>
          {rows.map((row) => (
            <button
              key={row.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                setOpen(false);
                row.run();
              }}
            >
              {row.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
