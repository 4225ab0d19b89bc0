/** `kedge session search <words>`: where something was said or done, in all sessions of this project. */
import type { SearchHit, SearchQuery } from "@kedge/protocol";
import { exitCodes } from "../exit-codes.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { type Column, localTimeText, tableText } from "../text-table.ts";
import { searchTexts } from "../texts/sessions.ts";
import type { ManySessions } from "./session-action.ts";

const foundDefault = 20;
const dayMs = 24 * 60 * 60 * 1_000;

const columns: readonly Column<SearchHit>[] = [
  { title: searchTexts.session, align: "left", text: ({ sessionId }) => sessionId },
  { title: searchTexts.time, align: "left", text: ({ time }) => localTimeText(time) },
  { title: searchTexts.by, align: "left", text: ({ role, tool }) => tool ?? role },
  { title: searchTexts.found, align: "left", text: ({ snippet }) => snippet },
];

/** `--all` looks into other projects as well; `--days`, `--role`, `--tool` and `--file` narrow it down. */
export const searchSessions: ManySessions = async ({ started, flags, words }) => {
  const text = words.join(" ").trim();
  if (text === "") {
    writeNotice(searchTexts.usage);
    return exitCodes.usage;
  }
  const query: SearchQuery = {
    text,
    ...(flags.all ? {} : { projectId: started.projectId }),
    ...(flags.role !== undefined && { role: flags.role }),
    ...(flags.tool !== undefined && { tool: flags.tool }),
    ...(flags.file !== undefined && { file: flags.file }),
    ...(flags.days !== undefined && { after: Date.now() - flags.days * dayMs }),
    limit: flags.limit ?? foundDefault,
  };
  const hits = await started.kedge.client.search(query);
  if (flags.json) writeResult(`${JSON.stringify(hits)}\n`);
  else if (hits.length === 0) writeDiagnostic(searchTexts.noResults(JSON.stringify(text)));
  else writeResult(tableText(columns, hits));
  return exitCodes.success;
};
