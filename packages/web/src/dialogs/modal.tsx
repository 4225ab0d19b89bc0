/** A dialog in the browser's own top layer: nothing in the page lies above it, and the focus stays inside. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../frame/icons.tsx";
import * as texts from "../texts/dialogs.ts";

export type ModalProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
};

export function Modal({ title, onClose, children }: ModalProps) {
  const place = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = place.current;
    const before = document.activeElement;
    dialog?.showModal();
    // What one types goes into the field, where there is one; options are chosen with the arrows.
    dialog?.querySelector<HTMLElement>(".field, .option input")?.focus();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={place}
      class="modal"
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => event.target === place.current && onClose()}
    >
      <div class="modal-inside">
        <header class="modal-head">
          <h2>{title}</h2>
          <button type="button" class="icon-button" aria-label={texts.close} onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
