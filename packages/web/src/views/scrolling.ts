/** What scrolls by itself: it can be reached and named by those who use a keyboard or a screen reader. */
import { type ComponentChildren, h, type JSX, type Ref } from "preact";

export type ScrollingProps = {
  readonly label: string;
  readonly class: string;
  /** Text that keeps its lines. */
  readonly isText?: boolean;
  readonly place?: Ref<HTMLElement>;
  readonly children?: ComponentChildren;
};

export function Scrolling({ label, class: name, isText = false, place, children }: ScrollingProps): JSX.Element {
  const element: string = isText ? "pre" : "div";
  // No landmark: a page may show many of one name.
  const given = { class: name, tabIndex: 0, role: "group", "aria-label": label };
  const ref = place ?? null;
  return h(element, { ...given, ref }, children);
}
