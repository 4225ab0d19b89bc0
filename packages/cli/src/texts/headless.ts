/** Texts of runs without a screen: attachments, piped input, and how a run ended. */

export const attachmentTexts = {
  missing: "does not exist",
  notAFile: "is not a file",
  tooLarge: (megabytes: number) => `is larger than ${megabytes} MB`,
  neitherImageNorPdf: "is not an image or a PDF. Mention it in the prompt instead and the model can read it",
  problem: (path: string, what: string) => `--attach: ${path} ${what}.`,
  notAttached: (name: string, problem: string) => `@${name} ${problem}. It was not attached.`,
  notReadable: (isDenied: boolean, why: string) =>
    `${isDenied ? "is denied by your rules" : "needs permission to read"} (${why})`,
  unreadable: (why: string) => `cannot be read (${why})`,
  tooLong: (kilobytes: number) => `is longer than ${kilobytes} KB`,
  notTextEither: "is not text, an image or a PDF",
};

export const reportTexts = {
  denied: (tool: string, why: string, allow: string | undefined) =>
    `Denied ${tool}: ${why}${allow === undefined ? "" : `. Allow it with ${allow}`}`,
  interrupted: "Interrupted.",
  turnLimit: "Turn limit reached. Continue with --continue, or raise --max-turns.",
  tokenLimit: "Token limit reached.",
  costLimit: "Cost limit reached. Continue with --continue and a higher --max-budget-usd.",
  noStructuredAnswer: "The model returned no answer that matches the schema.",
  stoppedByHook: "Stopped by a hook.",
  failed: "The run failed.",
};

export const headlessTexts = {
  noPrompt: "No prompt. Pass it after -p or pipe it to standard input.",
  noModel: "No model configured.",
  modelHint: "Pass --model provider/model, run kedge to set one up, or try kedge demo.",
  noPipedInput: (seconds: number) => `No piped input after ${seconds} s; continuing without it.`,
  pipedInputTooLarge: (megabytes: number) => `The piped input is larger than ${megabytes} MB.`,
  /** Ends of sentences: which commands there are, and where one is missing. */
  commandPlace: { help: "kedge -p /help", where: "in headless mode" },
};

export const messageTexts = {
  tooLong: (characters: number) => `is longer than ${characters} characters`,
  problemIn: (line: number, problem: string) => `Line ${line} of standard input ${problem}.`,
  wrongForm: 'must be {"type":"user","text":"..."} or {"type":"user","message":{"role":"user","content":"..."}}',
  notJson: "is not valid JSON",
  noText: "has no text",
  wrongDelivery: 'must have "steer" or "follow-up" as delivery',
  attachment: (number: number) => `attachment ${number}`,
};
