/** `git config`: whether it only reads, and what a setting it writes can run. */
import { addFile, addScript, type Findings } from "../program-call.ts";
import { findOption, hasOption, type ReadWords } from "../read-options.ts";
import { mayBeSeveral } from "../shapes/ordinary-program.ts";
import { commandKeys, harmlessKeys } from "./git-settings.ts";

const configActions = /^(list|get|set|unset|rename-section|remove-section|edit)$/;
const configLooks = [
  "-l",
  "--list",
  "--get",
  "--get-all",
  "--get-regexp",
  "--get-urlmatch",
  "--get-color",
  "--get-colorbool",
];
export function judgeConfig(read: ReadWords, findings: Findings): void {
  findings.shape = { lead: ["git", "config"], read };
  findings.suggestedWords = 0;
  const action = configActions.test(read.operands[0]?.text ?? "") ? read.operands[0]?.text : undefined;
  const operands = action === undefined ? read.operands : read.operands.slice(1);
  const [key, value] = operands;
  const seemsToRead =
    action === "list" ||
    action === "get" ||
    hasOption(read, ...configLooks) ||
    (action === undefined &&
      value === undefined &&
      !hasOption(read, "-e", "--edit", "--unset", "--unset-all", "--rename-section", "--remove-section"));
  const isCertain = read.untrusted.length === 0 && !mayBeSeveral(read.operands);
  const onlyReads = seemsToRead && isCertain && read.options.every((option) => option.rule !== undefined);
  const file = read.options.find((option) => option.name === "-f" || option.name === "--file")?.value;
  if (file !== undefined) addFile(findings, onlyReads ? "read" : "write", file.word, file.text);
  // What a commit holds of a file is read like the file.
  const blob = findOption(read, "--blob")?.value;
  const committed = /^[^:]*:(?:\d:)?(.+)$/s.exec(blob?.text ?? "")?.[1];
  if (blob !== undefined && committed !== undefined) addFile(findings, "read", blob.word, committed);
  findings.readOnly = onlyReads;
  if (onlyReads) return;
  if (key === undefined || !key.isLiteral || !harmlessKeys.test(key.text)) {
    findings.concerns.push("it changes a setting that can make git run something");
    if (key?.isLiteral && value !== undefined && commandKeys.test(key.text))
      addScript(findings, value, value.text.replace(/^!/, ""));
  } else if (hasOption(read, "--global", "--system"))
    findings.concerns.push("it changes git for every repository of the machine");
}
