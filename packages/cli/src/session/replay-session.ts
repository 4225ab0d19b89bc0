/** `kedge session replay`: plays a recorded session, checks it, goes on from a fact, or gives it to another model. */
import { exitCodes } from "../exit-codes.ts";
import { writeNotice } from "../output.ts";
import { replayTexts } from "../texts/sessions.ts";
import { checkRecord } from "./replay/check-record.ts";
import { findSource } from "./replay/find-source.ts";
import { goOnFrom } from "./replay/go-on-from.ts";
import { playRecord } from "./replay/play-record.ts";
import { rerunPrompts } from "./replay/rerun-prompts.ts";
import type { ManySessions } from "./session-action.ts";

export const replaySession: ManySessions = async (context) => {
  const { flags } = context;
  const found = await findSource(context);
  if (!found.ok) return found.exitCode;
  const { source } = found;
  if (flags.check) return checkRecord(source, context);
  const last = source.records.at(-1)?.seq ?? 0;
  if (flags.until !== undefined && flags.until > last) {
    writeNotice(replayTexts.untilTooLarge(last));
    return exitCodes.usage;
  }
  if (flags.view || (flags.until === undefined && flags.model === undefined)) return playRecord(source.records, flags);
  if (flags.model !== undefined) return rerunPrompts(source, flags.model, flags);
  return goOnFrom(source, context);
};
