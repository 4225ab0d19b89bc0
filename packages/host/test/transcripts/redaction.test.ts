import { expect, test } from "vitest";
import { checkJournal, createExportRedactor, type ExportedRow, exportFormats } from "../../src/transcripts/index.ts";
import { rowOfRecord } from "../../src/transcripts/journal-row.ts";
import { smallSession } from "./small-session.ts";
import { exportText, storeSession } from "./stored-session.ts";

function redactor(parts: Partial<Parameters<typeof createExportRedactor>[0]> = {}): (text: string) => string {
  const made = createExportRedactor({ redact: (text) => text, environment: {}, secrets: [], ...parts });
  if (!made.ok) throw new Error(made.sentence);
  return made.redact;
}

test("values of variables with the name of a secret are replaced, short and other ones are not", () => {
  const redact = redactor({
    environment: {
      MY_API_KEY: "abcdefgh",
      DB_PASSWORD: 'quo"ted\nvalue',
      OAUTH_CODE: "abcdefghij",
      SHORT_TOKEN: "1234567",
      HOME_PAGE: "harmless-value",
      EMPTY_SECRET: undefined,
    },
  });
  const text = `abcdefgh abcdefghij 1234567 harmless-value ${JSON.stringify('quo"ted\nvalue')}`;
  const mark = "[REDACTED:variable]";
  expect(redact(text)).toBe(`${mark} ${mark} 1234567 harmless-value "${mark}"`);
});

test("the user's own list holds plain texts and regular expressions, and replacements are taken literally", () => {
  const redact = redactor({
    secrets: [
      { type: "plain", content: "Project $& Falcon", replacement: "$& the project" },
      { type: "regex", content: "emp-\\d+", flags: "i" },
      { type: "plain", content: "" },
    ],
  });
  expect(redact("Project $& Falcon by EMP-12 and emp-3")).toBe(
    "$& the project by [REDACTED:secret] and [REDACTED:secret]",
  );
});

test("an expression that cannot be read stops the export", () => {
  expect(
    createExportRedactor({ redact: (text) => text, environment: {}, secrets: [{ type: "regex", content: "(" }] }),
  ).toEqual({
    ok: false,
    sentence: "Entry 1 of the secret list is not a valid regular expression. Fix it and export again.",
  });
});

test("no format lets a secret out, wherever it was said", async () => {
  const secret = "tops3cret-value";
  const redact = redactor({ environment: { A_TOKEN: secret } });
  const words = { prompt: `use ${secret}`, thought: secret, output: `got ${secret}`, answer: `it is ${secret}` };
  const title = { type: "session.updated", title: `about ${secret}`, titleSource: "user" } as const;
  const recovered = { type: "journal.recovered", what: `lost ${secret}` } as const;
  for (const format of exportFormats) {
    const { source } = await storeSession("ses_small", [...smallSession(words), title, recovered]);
    const text = await exportText({ ...source, systemPrompt: secret, gitBranch: `fix-${secret}` }, { format, redact });
    expect([format, text.includes(secret), text.includes("[REDACTED:variable]")]).toEqual([format, false, true]);
  }
});

test("a redacted journal keeps its chain; what can no longer be checked is counted", async () => {
  const secret = "tops3cret-value";
  const redact = redactor({ environment: { A_TOKEN: secret } });
  const recovered = { type: "journal.recovered", what: `lost ${secret}` } as const;
  const { source } = await storeSession("ses_small", [...smallSession({ prompt: secret }), recovered]);
  const exported = JSON.parse(await exportText(source, { format: "json", redact }));
  expect(exported.redacted).toBe(true);
  expect(checkJournal("ses_small", exported.facts)).toEqual({
    valid: true,
    records: 10,
    contentsChecked: 0,
    unchecked: 7,
    contentsRemoved: 0,
  });
  const prompt = exported.facts[1];
  expect(prompt.payload).toEqual({ content: '{"text":"[REDACTED:variable]"}' });
  expect(exported.facts.at(-1)).toMatchObject({ data: '{"what":"lost [REDACTED:variable]"}', altered: true });
});

test("a text that was changed loses the signature that its vendor would check", async () => {
  const redact = redactor({ environment: { A_TOKEN: "tops3cret-value" } });
  const { source } = await storeSession("ses_small", smallSession({ thought: "tops3cret-value" }));
  const exported = JSON.parse(await exportText(source, { format: "json", redact }));
  const [thought] = JSON.parse(exported.facts[3].payload.content).content;
  expect(thought).toEqual({ type: "reasoning", text: "[REDACTED:variable]" });
});

test("salts make every content checkable, and never leave with a redacted export", async () => {
  const { source, records } = await storeSession("ses_small", smallSession());
  const salt = "07".repeat(16);
  async function* rows(): AsyncGenerator<ExportedRow> {
    for (const row of records.map(rowOfRecord)) {
      yield row.payload === undefined ? row : { ...row, payload: { ...row.payload, salt } };
    }
  }
  const counts = { valid: true, records: 9, contentsRemoved: 0 };
  const whole = JSON.parse(await exportText({ ...source, rows: rows() }, { format: "json", redact: "none" }));
  expect(checkJournal("ses_small", whole.facts)).toEqual({ ...counts, contentsChecked: 6, unchecked: 0 });
  const redacted = await exportText({ ...source, rows: rows() }, { format: "json", redact: redactor() });
  expect(redacted).not.toContain(salt);
  const { facts } = JSON.parse(redacted);
  expect(checkJournal("ses_small", facts)).toEqual({ ...counts, contentsChecked: 0, unchecked: 6 });
});
