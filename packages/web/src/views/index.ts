/** The table of side views: what each is called, which address it has, and how its code is loaded when it is opened. */
import type { ComponentType } from "preact";
import * as texts from "../texts/frame.ts";
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
  { path: "files", title: texts.filesView, group: "work", load: () => import("./files.tsx") },
  { path: "changes", title: texts.changesView, group: "work", load: () => import("./changes.tsx") },
  { path: "terminal", title: texts.terminalView, group: "work", load: () => import("./terminal.tsx") },
  { path: "agents", title: texts.agentsView, group: "work", load: () => import("./agents.tsx") },
  { path: "cost", title: texts.costView, group: "work", load: () => import("./cost.tsx") },
  { path: "mcp", title: texts.mcpView, group: "settings", load: () => import("./mcp.tsx") },
  { path: "permissions", title: texts.permissionsView, group: "settings", load: () => import("./permissions.tsx") },
  { path: "hooks", title: texts.hooksView, group: "settings", load: () => import("./hooks.tsx") },
  { path: "memory", title: texts.memoryView, group: "settings", load: () => import("./memory.tsx") },
  { path: "devices", title: texts.devicesView, group: "settings", load: () => import("../devices/devices.tsx") },
  { path: "settings", title: texts.settingsView, group: "settings", load: () => import("./settings.tsx") },
];
