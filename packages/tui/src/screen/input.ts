/** What the user did, decoded: keys, pasted text, the mouse and the focus of the terminal. */

export type Key = {
  /** `a`, `$`, `enter`, `escape`, `tab`, `space`, `backspace`, `delete`, `up`, `pageUp`, `home`, `f1`; letters in lower case. */
  readonly name: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  /** Command on a Mac, Windows or Super elsewhere. */
  readonly meta: boolean;
  /** What it prints, where it prints something. */
  readonly text?: string;
};

export type Mouse = {
  readonly type: "press" | "release" | "drag" | "click" | "wheel";
  /** From 0, inside of the view that is told. */
  readonly x: number;
  readonly y: number;
  /** Lines, negative upwards. */
  readonly wheelLines?: number;
};

export type Input =
  | { readonly kind: "key"; readonly key: Key }
  | { readonly kind: "paste"; readonly text: string }
  | { readonly kind: "mouse"; readonly mouse: Mouse }
  | { readonly kind: "focus"; readonly isFocused: boolean };

/** `ctrl+shift+up` and the like, always in the order ctrl, alt, shift, meta: how keys are named in settings and on the screen. */
export function keyName({ name, ctrl, alt, shift, meta }: Omit<Key, "text">): string {
  const modifiers = [ctrl && "ctrl", alt && "alt", shift && "shift", meta && "meta"].filter(Boolean);
  return [...modifiers, name].join("+");
}
