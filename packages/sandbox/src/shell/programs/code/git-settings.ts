/** Which settings of git can make it run or load something. */
import { addRisk, addScript, type Findings } from "../program-call.ts";
import type { OptionValue } from "../read-options.ts";

/** A setting that may run something is risky under its own name; a command in it is judged like any other. */
export function judgeSetting(key: string, value: OptionValue, findings: Findings): void {
  const isKnown = value.word.isLiteral || !/[$`]/.test(key);
  if (isKnown && harmlessKeys.test(key)) return;
  if (value.word.isLiteral && harmlessSettings.test(`${key}=${value.text}`)) return;
  const isAlias = /^alias\./i.test(key);
  addRisk(findings, [`-c ${key}`, key], "a setting can make git run or load something");
  findings.readOnly = false;
  const isCommand = commandKeys.test(key) && !isAlias;
  if (!isCommand || /^(true|false|cat|)$/.test(value.text)) return;
  if (!value.word.isLiteral) findings.inner.push({ kind: "unknown", why: "a command in a setting is not known" });
  else addScript(findings, value.word, value.text.replace(/^!/, ""));
}

/** Keys of `git -c` and `git config` that cannot make git run or load anything. */
export const harmlessKeys =
  /^(color\..*|user\.(name|email)|author\.(name|email)|committer\.(name|email)|advice\..*|column\..*|core\.(quotepath|autocrlf|safecrlf|eol|ignorecase|abbrev|precomposeunicode|commentchar|filemode|symlinks|bigfilethreshold|compression|loosecompression|untrackedcache|preloadindex|longpaths|whitespace|logallrefupdates|checkstat|trustctime|multipackindex|commitgraph|splitindex)|diff\.(renames|renamelimit|algorithm|context|interhunkcontext|noprefix|mnemonicprefix|colormoved|colormovedws|wordregex|ignoresubmodules|indentheuristic|relative|statgraphwidth|wserrorhighlight|suppressblankempty|dirstat|autorefreshindex)|log\.(date|decorate|abbrevcommit|follow|showroot|mailmap|graphcolors)|status\..*|init\.defaultbranch|pull\.(rebase|ff|twohead|octopus)|push\.(default|autosetupremote|followtags)|merge\.(conflictstyle|ff|renames|renamelimit|stat|log|verbosity|directoryrenames)|rebase\.(autosquash|autostash|stat|abbreviatecommands|updaterefs|missingcommitscheck|backend)|commit\.(gpgsign|verbose|cleanup|status)|tag\.(gpgsign|sort)|branch\.(sort|autosetupmerge|autosetuprebase)|grep\.(linenumber|column|patterntype|extendedregexp|threads|fallbacktonoindex)|fetch\.(prune|prunetags|parallel|writecommitgraph|output)|blame\..*|format\.(pretty|numbered)|gc\.auto|maintenance\.auto|index\..*|pack\..*|rerere\..*|stash\..*|versionsort\..*|submodule\.recurse|feature\..*|i18n\..*|checkout\.(defaultremote|guess|workers)|apply\.whitespace|help\.autocorrect|credential\.(usehttppath|interactive)|http\.(postbuffer|lowspeedlimit|lowspeedtime|version|maxrequests))$/i;

/** Settings that switch something off, which others of the same key would not. */
const harmlessSettings =
  /^(core\.pager|pager\.[\w-]+|core\.editor|sequence\.editor|core\.fsmonitor|core\.askpass|diff\.external|credential\.helper|core\.hookspath)=(cat|less|more|true|false|:|\/dev\/null|)$|^diff\.submodule=(short|log)$/i;

/** Their value is a command line. */
export const commandKeys =
  /^(alias\..*|core\.(pager|editor|sshcommand|fsmonitor|askpass|gitproxy|alternaterefscommand)|pager\..*|diff\.external|diff\..*\.(command|textconv)|merge\..*\.driver|(difftool|mergetool|guitool|browser|man)\..*\.(cmd|path)|filter\..*\.(clean|smudge|process)|credential(\..*)?\.helper|gpg(\..*)?\.(program|defaultkeycommand)|sequence\.editor|interactive\.difffilter|trailer\..*\.(command|cmd)|uploadpack\.packobjectshook|remote\..*\.(uploadpack|receivepack)|sendemail\..*cmd|tar\..*\.command|web\.browser|receive\.procreceiverefs|imap\.tunnel|instaweb\.(httpd|browser))$/i;
