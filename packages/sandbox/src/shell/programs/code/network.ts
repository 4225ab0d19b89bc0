/** Programs that talk to other machines: what they send, write and run on the way. */
import type { ShellWord } from "../../shell-command.ts";
import {
  addFile,
  addJoinedScript,
  addRisk,
  addScript,
  type Findings,
  literalWord,
  type Refine,
  type RowProgram,
} from "../program-call.ts";
import { type FoundOption, findOption, hasOption, readOptions } from "../read-options.ts";
import { applyRow } from "../shapes/ordinary-program.ts";

const sendsData = "sends data to another machine";

const harmlessSshKeys =
  /^(connecttimeout|connectionattempts|batchmode|stricthostkeychecking|serveralive\w+|loglevel|port|user|compression|identitiesonly|addressfamily|tcpkeepalive|requesttty|passwordauthentication|pubkeyauthentication|preferredauthentications|numberofpasswordprompts|hostkeyalgorithms|ciphers|macs|kexalgorithms|checkhostip|visualhostkey|forwardagent|escapechar|ipqos|rekeylimit|hostname|clearallforwardings|exitonforwardfailure|controlmaster|controlpersist)$/i;

const ssh: RowProgram = ({ words, command, table: { row, options } }, findings) => {
  findings.suggestedWords = 0;
  const before = readOptions(words, options);
  const [, ...afterHost] = before.operands;
  // Options are still taken after the host.
  const after = readOptions(afterHost, options);
  for (const read of [before, after]) {
    applyRow(row, options, { ...read, operands: [] }, findings);
    for (const option of read.options) judgeSshOption(option, findings);
  }
  findings.suggestedWords = 0;
  addJoinedScript(findings, after.operands);
  const { input } = command;
  if (after.operands.length > 0 || input.kind === "inherited") return;
  if (input.kind === "text" && input.text !== undefined) findings.inner.push({ kind: "script", text: input.text });
  else findings.unknown = "it runs its input on another machine, which is not visible";
};

/** Its own `-M` takes a port. */
const autossh: RowProgram = (call, findings) => {
  const words = call.words.filter((word, index) => !/^-M\d*$/.test(word.text) && call.words[index - 1]?.text !== "-M");
  ssh({ ...call, words }, findings);
};

function judgeSshOption(option: FoundOption, findings: Findings): void {
  if (option.name !== "-o" || option.value === undefined) return;
  const [, key = "", value = ""] = /^\s*([^=\s]*)\s*[=\s]?\s*(.*)$/s.exec(option.value.text) ?? [];
  if (harmlessSshKeys.test(key)) return;
  addRisk(findings, [`-o ${key}`, `-o${key}`, key], "a setting can run a command or load a file");
  const isCommand = /^(proxycommand|localcommand|remotecommand|knownhostscommand)$/i.test(key);
  if (isCommand && value !== "none") addScript(findings, option.value.word, value);
}

const remote = /^([\w.-]+@)?[\w.-]+:(?!\/\/)|^(scp|sftp|rsync|ssh):\/\/|^\[[0-9a-f:]+\]:/i;

/** `scp`, `sftp` and `rsync`: the last word is written, here or on another machine. */
function addCopied(operands: readonly ShellWord[], findings: Findings): void {
  operands.forEach((word, index) => {
    const isLast = index === operands.length - 1 && operands.length > 1;
    if (remote.test(word.text)) {
      if (isLast) findings.outward = "sends files to another machine";
      return;
    }
    addFile(findings, isLast ? "write" : "read", word);
  });
}

const scp: Refine = ({ read }, findings) => {
  for (const option of read.options) judgeSshOption(option, findings);
  addCopied(read.operands, findings);
};

const sftp: Refine = ({ read }, findings) => {
  for (const option of read.options) judgeSshOption(option, findings);
};

const rsync: Refine = ({ read }, findings) => {
  addCopied(read.operands, findings);
  if (read.operands.some((word) => word.text.includes("::"))) findings.suggestedWords = 0;
};

const bodyNames = [
  "-d",
  "--data",
  "--data-binary",
  "--data-raw",
  "--data-urlencode",
  "--json",
  "-F",
  "--form-string",
  "-T",
  "--mail-from",
  "--mail-rcpt",
  "-Q",
];

const curl: Refine = ({ read, words }, findings) => {
  const method = findOption(read, "-X", "--request")?.value?.text.toUpperCase() ?? "GET";
  const hasBody = hasOption(read, ...bodyNames) && !(hasOption(read, "-G") && !hasOption(read, "-F", "-T", "--json"));
  const isPlain = method === "GET" || method === "HEAD" || method === "OPTIONS";
  if (hasBody || !isPlain) findings.outward = sendsData;
  for (const option of read.options) {
    const isSending = option.rule?.spellings.some((spelling) => bodyNames.includes(spelling)) && hasBody;
    const isMethod = option.rule?.spellings.includes("-X") && !isPlain;
    if (option.rule !== undefined && option.rule.why === undefined && (isSending || isMethod)) {
      addRisk(findings, option.rule.spellings, sendsData);
    }
  }
  for (const option of read.options) if (option.value !== undefined) addSentFile(option, findings);
  addLocalUrls(words, findings);
};

/** `@file` in a body, `name=@file` in a form, `@file` among headers. */
function addSentFile({ name, value, rule }: FoundOption, findings: Findings): void {
  if (value === undefined) return;
  const isData = rule?.spellings.some((spelling) =>
    /^(-d|--data-binary|--json|-H|-w|--header|--write-out|-b|--cookie)$/.test(spelling),
  );
  const path = isData
    ? /^@(.+)$/s.exec(value.text)?.[1]
    : /^(-F|--form)$/.test(name)
      ? /=[@<]([^;]+)/s.exec(value.text)?.[1]
      : /^(--data-urlencode|--variable)$/.test(name)
        ? /^%?[^=@]*@(.+)$/s.exec(value.text)?.[1]
        : undefined;
  if (path !== undefined) addFile(findings, "read", value.word, path);
}

function addLocalUrls(words: readonly ShellWord[], findings: Findings): void {
  for (const word of words) {
    const path = /^file:\/*(.*)$/is.exec(word.text)?.[1];
    if (path !== undefined) addFile(findings, "read", word, `/${path.replace(/^localhost\//, "")}`);
  }
}

const wget: Refine = ({ read, words }, findings) => {
  const method = findOption(read, "--method")?.value?.text.toUpperCase() ?? "GET";
  if (hasOption(read, "--post-data", "--post-file", "--body-data", "--body-file") || !/^(GET|HEAD)$/.test(method)) {
    findings.outward = sendsData;
  }
  if (!hasOption(read, "-O", "--spider", "-P", "-V", "-h")) addFile(findings, "write", literalWord("."));
  addLocalUrls(words, findings);
};

/** httpie: a method word, or fields, make it a sending request. */
const http: Refine = ({ read }, findings) => {
  const method = read.operands[0]?.text ?? "";
  const hasFields = read.operands
    .slice(1)
    .some((word) => /(^|[^:])(:=|=|@)/.test(word.text) && !/==|^https?:/.test(word.text));
  if (/^(POST|PUT|PATCH|DELETE)$/i.test(method) || hasFields || hasOption(read, "--raw", "-f", "--form"))
    findings.outward = sendsData;
  for (const word of read.operands) {
    const path = /[^:]@(.+)$/s.exec(word.text)?.[1];
    if (path !== undefined && !/^https?:|^\w+@/.test(word.text)) addFile(findings, "read", word, path);
  }
};

/** Its addresses name commands and files. */
const socat: Refine = ({ words }, findings) => {
  for (const word of words) {
    const code = /^(exec|system|shell):(.*)$/is.exec(word.text)?.[2];
    if (code !== undefined) addScript(findings, word, code.replace(/^["']/, "").replace(/["']?(,\w+(=\w+)?)*$/, ""));
    const path = /^(open|create|file|gopen):([^,]*)/i.exec(word.text)?.[2];
    if (path !== undefined) addFile(findings, "write", word, path);
  }
};

export const networkCode = { ssh, autossh };

export const networkRefinements = { scp, sftp, rsync, curl, wget, http, socat };
