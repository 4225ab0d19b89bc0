/** Custom tools and plugins: which files may run here, and what sessions are given of them. */
export { findCodeGroups } from "./code-groups.ts";
export { openCode } from "./open-code.ts";
export { pluginGroup } from "./plugin-group.ts";
