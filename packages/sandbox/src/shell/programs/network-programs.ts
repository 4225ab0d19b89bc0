/** Programs that talk to other machines: what they send, write and run on the way. */
import type { ShellWord } from "../shell-command.ts";
import { compileOptions, lazily } from "./option-set.ts";
import { applyRow, ordinaryProgram, type ReadCall } from "./ordinary-program.ts";
import {
  addFile,
  addJoinedScript,
  addRisk,
  addScript,
  type Findings,
  type Program,
  type Programs,
} from "./program-call.ts";
import { type FoundOption, findOption, hasOption, readOptions } from "./read-options.ts";

const writes = "writes a file";
const sendsData = "sends data to another machine";
const runs = "runs a command";
const tunnel = "opens a tunnel";

const harmlessSshKeys =
  /^(connecttimeout|connectionattempts|batchmode|stricthostkeychecking|serveralive\w+|loglevel|port|user|compression|identitiesonly|addressfamily|tcpkeepalive|requesttty|passwordauthentication|pubkeyauthentication|preferredauthentications|numberofpasswordprompts|hostkeyalgorithms|ciphers|macs|kexalgorithms|checkhostip|visualhostkey|forwardagent|escapechar|ipqos|rekeylimit|hostname|clearallforwardings|exitonforwardfailure|controlmaster|controlpersist)$/i;

const sshTable = {
  plain:
    "-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y -B: -b: -c: -e: -i: -J: -l: -m: -O: -o: -P: -p: -Q:",
  special: [
    ["-F:", "read", "loads a configuration"],
    ["-E:", "write", writes],
    ["-I:", "none", "loads other code"],
    ["-S:", "none", "uses another connection"],
    ["-D:", "none", tunnel],
    ["-L:", "none", tunnel],
    ["-R:", "none", tunnel],
    ["-W:", "none", tunnel],
    ["-w:", "none", tunnel],
  ],
  stopsAtOperand: true,
} as const;
const sshOptions = lazily(() => compileOptions(sshTable));

const ssh: Program = ({ words, command }, findings) => {
  findings.suggestedWords = 0;
  const before = readOptions(words, sshOptions());
  const [, ...afterHost] = before.operands;
  // Options are still taken after the host.
  const after = readOptions(afterHost, sshOptions());
  for (const read of [before, after]) {
    applyRow(sshTable, sshOptions(), { ...read, operands: [] }, findings);
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
const autossh: Program = (call, findings) => {
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

const scp = ordinaryProgram(
  {
    plain: "-3 -4 -6 -A -B -C -O -p -q -R -r -s -T -v -c: -D: -i: -J: -l: -o: -P: -X:",
    special: [
      ["-S:", "script", runs],
      ["-F:", "read", "loads a configuration"],
    ],
    suggestedWords: 0,
  },
  ({ read }, findings) => {
    for (const option of read.options) judgeSshOption(option, findings);
    addCopied(read.operands, findings);
  },
);

const sftp = ordinaryProgram(
  {
    plain: "-4 -6 -A -a -C -f -N -p -q -r -v -B: -c: -D: -i: -J: -l: -o: -P: -R: -s: -X:",
    special: [
      ["-S:", "script", runs],
      ["-F:", "read", "loads a configuration"],
      ["-b:", "read", "runs commands of a file"],
    ],
    suggestedWords: 0,
  },
  ({ read }, findings) => {
    for (const option of read.options) judgeSshOption(option, findings);
    findings.outward = "exchanges files with another machine";
  },
);

const rsync = ordinaryProgram(
  {
    plain:
      "-v/--verbose -q/--quiet --info: --debug: --stderr: -c/--checksum -a/--archive -r/--recursive -R/--relative --no-implied-dirs -b/--backup --suffix: -u/--update --inplace --append --append-verify -d/--dirs -l/--links -L/--copy-links --copy-unsafe-links --safe-links --munge-links -k/--copy-dirlinks -K/--keep-dirlinks -H/--hard-links -p/--perms -E/--executability --chmod: -A/--acls -X/--xattrs -o/--owner -g/--group --devices --specials -D -t/--times -O/--omit-dir-times -J --super --fake-super -S/--sparse --preallocate -n/--dry-run -W/--whole-file -x/--one-file-system -B/--block-size: --delete --delete-before --delete-during --delete-delay --delete-after --delete-excluded --ignore-errors --force --max-delete: --max-size: --min-size: --partial -m/--prune-empty-dirs --numeric-ids --usermap: --groupmap: --chown: --timeout: --contimeout: -I/--ignore-times --size-only -@/--modify-window: -y/--fuzzy -z/--compress --compress-level: --compress-choice: --skip-compress: -C/--cvs-exclude -f/--filter: -F --exclude: --include: -0/--from0 -s/--secluded-args --old-args --address: --port: --sockopts: --blocking-io --stats -8 -h/--human-readable --progress -P -i/--itemize-changes --out-format: --list-only --bwlimit: --ignore-existing --existing --no-motd --protocol: --iconv: -4/--ipv4 -6/--ipv6 --version --no-perms --no-owner --no-group --no-times",
    special: [
      ["-e/--rsh:", "script", runs],
      ["--rsync-path:", "script", runs],
      ["-M/--remote-option:", "none", "passes options to the other side"],
      ["--log-file:", "write", writes],
      ["--write-batch:", "write", writes],
      ["--only-write-batch:", "write", writes],
      ["--read-batch:", "read"],
      ["--backup-dir:", "write"],
      ["--partial-dir:", "write"],
      ["--temp-dir/-T:", "write"],
      ["--compare-dest:", "read"],
      ["--copy-dest:", "read"],
      ["--link-dest:", "read"],
      ["--exclude-from:", "read"],
      ["--include-from:", "read"],
      ["--files-from:", "read"],
      ["--password-file:", "read"],
      ["--early-input:", "read"],
      ["--config:", "read", "loads a configuration"],
      ["--daemon", "none", "opens a server"],
      ["--remove-source-files", "change", "removes the files it copied"],
    ],
  },
  ({ read }, findings) => {
    addCopied(read.operands, findings);
    if (read.operands.some((word) => word.text.includes("::"))) findings.suggestedWords = 0;
  },
);

const curl = ordinaryProgram(
  {
    plain:
      "-0 -1 -2 -3 -4/--ipv4 -6/--ipv6 -a/--append -A/--user-agent: -b: --cookie: --compressed --connect-timeout: -C/--continue-at: -e/--referer: -f/--fail --fail-with-body -g/--globoff -G/--get -H: --header: -i/--include -I/--head -j -k/--insecure -l/--list-only -L/--location --location-trusted -m/--max-time: --max-redirs: -N/--no-buffer -p -q/--disable -r/--range: --retry: --retry-delay: --retry-max-time: --retry-all-errors -R/--remote-time -s/--silent -S/--show-error --no-progress-meter --http1.1 --http2 --http3 --url: -v/--verbose -V/--version -w: --write-out: -x/--proxy: -y: -Y: -z: -#/--progress-bar -M/--manual -h/--help? --tlsv1.2 --tlsv1.3 --resolve: --interface: --limit-rate: --max-filesize: --path-as-is --create-dirs --no-keepalive --keepalive-time: -Z/--parallel --ssl-reqd --proto: --noproxy: -u/--user: --basic --digest --negotiate --ntlm --anyauth --oauth2-bearer: -n/--netrc --netrc-optional -t/--telnet-option: -B/--use-ascii",
    special: [
      ["-o/--output:", "write", writes],
      ["-O/--remote-name", "change", writes],
      ["--remote-name-all", "change", writes],
      ["-J/--remote-header-name", "change", writes],
      ["--output-dir:", "write", writes],
      ["-c/--cookie-jar:", "write", writes],
      ["-D/--dump-header:", "write", writes],
      ["--trace:", "write", writes],
      ["--trace-ascii:", "write", writes],
      ["--stderr:", "write", writes],
      ["--libcurl:", "write", writes],
      ["--hsts:", "write", writes],
      ["--alt-svc:", "write", writes],
      ["--etag-save:", "write", writes],
      ["--etag-compare:", "read"],
      ["-K/--config:", "read", "loads options that are not visible"],
      ["--netrc-file:", "read"],
      ["--engine:", "none", "loads other code"],
      ["-E/--cert:", "read"],
      ["--key:", "read"],
      ["--cacert:", "read"],
      ["--unix-socket:", "none", "talks to a service of this machine"],
      ["--abstract-unix-socket:", "none", "talks to a service of this machine"],
      ["-T/--upload-file:", "read", "sends a file"],
      ["-Q/--quote:", "none", "changes files on the other machine"],
      ["-X/--request:", "none"],
      ["-d/--data/--data-ascii:", "none"],
      ["--data-binary:", "none"],
      ["--data-raw:", "none"],
      ["--data-urlencode:", "none"],
      ["--json:", "none"],
      ["-F/--form:", "none"],
      ["--form-string:", "none"],
      ["--mail-from:", "none"],
      ["--mail-rcpt:", "none"],
      ["--variable:", "none"],
    ],
    suggestedWords: 0,
  },
  (call, findings) => judgeRequest(call, findings),
);

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

function judgeRequest({ read, words }: ReadCall, findings: Findings): void {
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
}

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

const wget = ordinaryProgram(
  {
    plain:
      "-b/--background -q/--quiet -v/--verbose -nv/--no-verbose -d/--debug -t/--tries: -c/--continue -N/--timestamping -S/--server-response --spider -T/--timeout: -w/--wait: -4 -6 --user: --password: -nd -x -nH --no-check-certificate --header: -U/--user-agent: --referer: -r/--recursive -l/--level: -k/--convert-links -p/--page-requisites -m/--mirror -A/--accept: -R/--reject: -D/--domains: -np/--no-parent -nc/--no-clobber --max-redirect: --show-progress --compression: --no-cookies --no-hsts -h/--help -V/--version",
    special: [
      ["-O/--output-document:", "write", writes],
      ["-P/--directory-prefix:", "write", writes],
      ["-o/--output-file:", "write", writes],
      ["-a/--append-output:", "write", writes],
      ["-i/--input-file:", "read"],
      ["-e/--execute:", "none", "sets options that can run a command"],
      ["--config:", "read", "loads a configuration"],
      ["--use-askpass?", "script", runs],
      ["--post-data:", "none", sendsData],
      ["--post-file:", "read", sendsData],
      ["--body-data:", "none", sendsData],
      ["--body-file:", "read", sendsData],
      ["--method:", "none"],
      ["--save-cookies:", "write", writes],
      ["--load-cookies:", "read"],
      ["--warc-file:", "write", writes],
      ["--hsts-file:", "write", writes],
      ["--rejected-log:", "write", writes],
    ],
    suggestedWords: 0,
  },
  ({ read, words }, findings) => {
    const method = findOption(read, "--method")?.value?.text.toUpperCase() ?? "GET";
    if (hasOption(read, "--post-data", "--post-file", "--body-data", "--body-file") || !/^(GET|HEAD)$/.test(method)) {
      findings.outward = sendsData;
    }
    if (!hasOption(read, "-O", "--spider", "-P", "-V", "-h"))
      addFile(findings, "write", { text: ".", isLiteral: true, isSplit: false, isGlob: false });
    addLocalUrls(words, findings);
  },
);

/** httpie: a method word, or fields, make it a sending request. */
const http = ordinaryProgram(
  {
    special: [
      ["-o/--output:", "write", writes],
      ["-d/--download", "change", writes],
      ["--session:", "none"],
      ["-f/--form", "none"],
      ["-j/--json", "none"],
      ["--raw:", "none"],
      ["-a/--auth:", "none"],
    ],
    suggestedWords: 0,
  },
  ({ read }, findings) => {
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
  },
);

/** Open lines to other machines: what goes over them is anything. */
const openLine = (name: string): Program =>
  ordinaryProgram(
    {
      special: [
        ["-e/--exec:", "script", runs],
        ["-c/--sh-exec:", "script", runs],
        ["--lua-exec:", "read", runs],
        ["-o/--output:", "write", writes],
      ],
      suggestedWords: 0,
    },
    ({ words }, findings) => {
      if (name === "socat") {
        for (const word of words) {
          const code = /^(exec|system|shell):(.*)$/is.exec(word.text)?.[2];
          if (code !== undefined)
            addScript(findings, word, code.replace(/^["']/, "").replace(/["']?(,\w+(=\w+)?)*$/, ""));
          const path = /^(open|create|file|gopen):([^,]*)/i.exec(word.text)?.[2];
          if (path !== undefined) addFile(findings, "write", word, path);
        }
      }
      findings.outward = "opens a line to another machine";
    },
  );

const sends = (why: string): Program => ordinaryProgram({ outward: why, suggestedWords: 0 });

const asks = ordinaryProgram({
  special: [
    ["-f:", "read"],
    ["-k:", "read"],
  ],
  suggestedWords: 0,
  takesNumbers: true,
});

export const networkPrograms: Programs = new Map<string, Program>([
  ["ssh", ssh],
  ["autossh", autossh],
  ["mosh", ssh],
  ["scp", scp],
  ["sftp", sftp],
  ["rsync", rsync],
  ["curl", curl],
  ["wget", wget],
  ["http", http],
  ["https", http],
  ["xh", http],
  ...["nc", "ncat", "netcat", "telnet", "socat", "openssl-s_client"].map((name) => [name, openLine(name)] as const),
  ...["mail", "mailx", "sendmail", "mutt", "msmtp", "swaks", "ssmtp", "neomutt", "himalaya"].map(
    (name) => [name, sends("sends mail")] as const,
  ),
  ...[
    "slack",
    "slack-cli",
    "telegram-send",
    "matrix-commander",
    "signal-cli",
    "discord",
    "ntfy",
    "jira",
    "linear",
    "glab",
  ].map((name) => [name, sends("writes to a service for people")] as const),
  ...["ftp", "tftp", "lftp", "ncftpput"].map((name) => [name, sends("exchanges files with another machine")] as const),
  ...["dig", "nslookup", "host", "ping", "ping6", "traceroute", "mtr", "whois", "nmap", "tcpdump"].map(
    (name) => [name, asks] as const,
  ),
]);
