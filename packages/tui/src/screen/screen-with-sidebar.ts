/** The alternate screen with a sidebar at the right of everything. */
import { type Terminal, TuiAltScreen, type TuiAltScreenOptions } from "@earendil-works/pi-tui";
import { visibleWidth } from "./text-width.ts";

export const sidebarColumns = 38;

/**
 * The library can lay out columns itself, but then puts every row of every frame together again, character by character:
 * 17 ms for 50 rows, 1 ms this way. So this is its subclass, at a place that it leaves open.
 */
export class ScreenWithSidebar extends TuiAltScreen {
  private readonly sidebarAt: (width: number) => readonly string[] | undefined;
  private readonly padded = new Map<string, string>();
  private paddedColumns = 0;

  constructor(
    sidebarAt: (width: number) => readonly string[] | undefined,
    terminal: Terminal,
    hardwareCursor: boolean,
    options: TuiAltScreenOptions,
  ) {
    super(terminal, hardwareCursor, undefined, options);
    this.sidebarAt = sidebarAt;
  }

  protected override compositeOverlays(lines: string[], width: number, height: number): string[] {
    const sidebar = this.sidebarAt(width);
    if (sidebar === undefined) return super.compositeOverlays(lines, width, height);
    const rows = lines.map((line, row) => this.pad(line, width - sidebarColumns) + (sidebar[row] ?? ""));
    return super.compositeOverlays(rows, width, height);
  }

  private pad(line: string, columns: number): string {
    if (this.paddedColumns !== columns || this.padded.size > paddedRowsMax) this.padded.clear();
    this.paddedColumns = columns;
    const known = this.padded.get(line);
    if (known !== undefined) return known;
    const padded = line + " ".repeat(Math.max(0, columns - visibleWidth(line)));
    this.padded.set(line, padded);
    return padded;
  }
}

const paddedRowsMax = 1_000;
