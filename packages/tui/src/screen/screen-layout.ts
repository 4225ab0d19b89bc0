/** Where things stand on the screen: the transcript above, the footer below, the sidebar beside them. */
import { type Component, CURSOR_MARKER, ScrollView, type TuiMouseEvent, VStack } from "@earendil-works/pi-tui";
import type { Mouse } from "./input.ts";
import type { Terminal } from "./process-terminal.ts";
import type { Over, ScreenListener, ScreenParts } from "./screen-parts.ts";
import { ScreenWithSidebar, sidebarColumns } from "./screen-with-sidebar.ts";
import type { View } from "./view.ts";

export type LayoutParts = {
  readonly terminal: Terminal;
  readonly listener: () => ScreenListener | undefined;
  /** Something stands over the footer, and has the cursor. */
  readonly isCovered: () => boolean;
};

export type Layout = { readonly tui: ScreenWithSidebar; readonly scroll: ScrollView };

const sidebarFromColumns = 120;
const transcriptRowsMin = 3;

export function layOut(parts: ScreenParts, given: LayoutParts): Layout {
  const hasSidebar = (width: number) => width >= sidebarFromColumns && parts.sidebar.isShown();
  const mainColumns = (width: number) => (hasSidebar(width) ? width - sidebarColumns : width);
  const tui = new ScreenWithSidebar(
    (width) => {
      if (scroll.scrollTop === 0 && !scroll.isFollowingEnd) given.listener()?.onTop();
      return hasSidebar(width) ? parts.sidebar.render(sidebarColumns) : undefined;
    },
    given.terminal,
    parts.hardwareCursor,
    { mouse: parts.mouse, wheelScrollLines: parts.wheelLines, scrollToEndIndicator: parts.endHint },
  );
  const transcript = componentOf({ render: (width) => parts.transcript.render(mainColumns(width)) });
  const scroll = new ScrollView(
    {
      ...transcript,
      handleMouse: (event) => {
        if (event.type !== "click" || event.x >= mainColumns(event.width)) return undefined;
        given.listener()?.onTranscriptClick(event.y, event.x);
        return { handled: true };
      },
    },
    // A scrollbar would have the library cut every row of every frame in three, which takes ten times the frame.
    { follow: "end", primary: true, scrollbar: "hidden" },
  );
  const footer: Component = {
    ...componentOf({
      render: (width) => {
        const lines = parts.footer.render(mainColumns(width));
        // There is one cursor, and it belongs to what is on top; the library would write a second one out as it is.
        return given.isCovered() ? lines.map((line) => line.replaceAll(CURSOR_MARKER, "")) : lines;
      },
    }),
    handleMouse: (event) => {
      if (event.type !== "click") return undefined;
      given.listener()?.onFooterMouse(mouseOf(event));
      return { handled: true };
    },
  };
  const main = new VStack([
    { component: scroll, grow: 1, basis: 0, minSize: transcriptRowsMin },
    { component: footer, shrink: 1 },
  ]);
  tui.setLayoutRoot(main);
  return { tui, scroll };
}

function componentOf(view: View): Component {
  return {
    // The library reads the lines and changes none of them.
    render: (width) => view.render(width) as string[],
    invalidate: () => {},
  };
}

export function overlayOf(over: Over, terminal: Terminal): Component {
  return {
    render: (width) => over.render(width, terminal.rows) as string[],
    invalidate: () => {},
    handleMouse: (event) => {
      if (event.type === "move") return undefined;
      over.mouse(mouseOf(event));
      return { handled: true };
    },
  };
}

function mouseOf({ type, x, y, wheelDelta }: TuiMouseEvent): Mouse {
  return { type: type === "move" ? "drag" : type, x, y, ...(wheelDelta !== undefined && { wheelLines: wheelDelta }) };
}
