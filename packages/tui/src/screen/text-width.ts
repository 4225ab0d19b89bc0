/** Widths, cuts and wraps of text as terminals show it, with our styles in it: the library's, under one roof. */
export { CURSOR_MARKER as cursorMark, compositeTuiLine as composeLine } from "@earendil-works/pi-tui";
export { sliceByColumn, truncateToWidth, visibleWidth, wrapTextWithAnsi as wrapText } from "./late-measures.ts";
