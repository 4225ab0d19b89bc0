/** Recognises commands that only wait, which would keep the model idle where a background job would tell it. */

const leadingSleepMaxSeconds = 5;
const secondsPerUnit: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const endlessLoop =
  /\b(?:while\s+(?:true|:|\[\s+1\s+\]|\(\(\s*1\s*\)\)|sleep\b)|until\s+(?:false|!\s*true)|for\s*\(\(\s*;\s*;\s*\)\))/;
/** Asks again and again whether something is there. */
const pollingLoop = /\b(?:while|until)\b[^;\n]*[;\n]\s*do\b[\s\S]*?\bsleep\b[\s\S]*?\bdone\b/;
const waysOut = /\b(?:break|exit|return|timeout|SECONDS|seq|head)\b|\$\(\(|-(?:lt|le|gt|ge|eq|ne)\b/;

/** Loops are written at the beginning; what follows is text for files. */
const lookedAtCharactersMax = 10_000;

/** A sentence for the model, or undefined when the command does not merely wait. */
export function describeWaiting(command: string): string | undefined {
  if (leadingSleepSeconds(command) > leadingSleepMaxSeconds)
    return `Do not wait with sleep for more than ${leadingSleepMaxSeconds} seconds. Start what you wait for with background: true; you will be notified when it ends, and bash_output shows what it printed.`;
  const bare = command.slice(0, lookedAtCharactersMax).replaceAll(/'[^']*'|"(?:[^"\\]|\\[\s\S])*"/g, "''");
  if ((endlessLoop.test(bare) || pollingLoop.test(bare)) && /\bsleep\b/.test(bare) && !waysOut.test(bare))
    return "The loop may never end. Give it a limit, such as a count with break, or start what you wait for with background: true; you will be notified when it ends.";
  return undefined;
}

function leadingSleepSeconds(command: string): number {
  const amounts = /^\s*(?:command\s+)?sleep((?:\s+(?:infinity|[\d.]+[smhd]?)(?![\w.]))+)/.exec(command)?.[1];
  if (amounts === undefined) return 0;
  return amounts
    .trim()
    .split(/\s+/)
    .map((amount) => (amount === "infinity" ? Number.POSITIVE_INFINITY : Number.parseFloat(amount) * unitOf(amount)))
    .reduce((sum, seconds) => sum + seconds, 0);
}

function unitOf(amount: string): number {
  return secondsPerUnit[amount.at(-1) ?? ""] ?? 1;
}
