/** Custom tools and plugins as lines for people: what each file brings, and what became of it. */
import type { ListedCode } from "@kedge/extend/code";

export function codeLines(listed: readonly ListedCode[]): readonly string[] {
  return listed.flatMap(({ file, owner, tools, hooks, off, disabled, droppedKeys }) => [
    `${file}  (${owner})`,
    ...(tools.length > 0 ? [`  tools: ${tools.join(", ")}`] : []),
    ...(hooks.length > 0 ? [`  hooks: ${hooks.join(", ")}`] : []),
    ...(off === undefined ? [] : [`  not used: ${off}`]),
    ...disabled.map((hook) => `  disabled after three failures: ${hook}`),
    ...(droppedKeys > 0 ? [`  unknown keys of before_plan that were dropped: ${droppedKeys}`] : []),
  ]);
}
