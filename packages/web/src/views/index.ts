/** The table of side views: what each is called, which address it has, and how its code is loaded when it is opened. */
import type { ComponentType } from "preact";
import type { ViewProps } from "./view-props.ts";

export type ViewRow = {
  /** One word: the view is at `/app/<path>`. */
  readonly path: string;
  /** Two words at most, for the navigation. */
  readonly title: string;
  /** The group of the navigation that it stands in. */
  readonly group: "work" | "settings";
  readonly load: () => Promise<{ readonly default: ComponentType<ViewProps> }>;
};

export const views: readonly ViewRow[] = [
  { path: "files", title: "Files", group: "work", load: () => import("./files.tsx") },
  { path: "changes", title: "Changes", group: "work", load: () => import("./changes.tsx") },
  { path: "terminal", title: "Terminal", group: "work", load: () => import("./terminal.tsx") },
  { path: "agents", title: "Agents", group: "work", load: () => import("./agents.tsx") },
  { path: "cost", title: "Cost", group: "work", load: () => import("./cost.tsx") },
  { path: "mcp", title: "MCP servers", group: "settings", load: () => import("./mcp.tsx") },
  { path: "permissions", title: "Permissions", group: "settings", load: () => import("./permissions.tsx") },
  { path: "hooks", title: "Hooks", group: "settings", load: () => import("./hooks.tsx") },
  { path: "memory", title: "Memory", group: "settings", load: () => import("./memory.tsx") },
  { path: "devices", title: "Devices", group: "settings", load: () => import("../devices/devices.tsx") },
  { path: "settings", title: "Settings", group: "settings", load: () => import("./settings.tsx") },
];
