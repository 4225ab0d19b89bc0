/** Commands: noun and imperative, the only way anything is changed. Everything here derives from their rows. */

import type { Flat, ValueOf, ValueOfFields } from "../json/schema.ts";
import type { commandRows, engineRows } from "../rows/command-rows.ts";
import type { branchSummaryWish } from "../rows/conversation-rows.ts";
import type { hostRows } from "../rows/host-rows.ts";
import type { CommandRow } from "../rows/row.ts";
import type { Answer } from "./answer.ts";

type Rows = typeof commandRows;

export type SessionCommandType = keyof typeof engineRows;

export type HostCommandType = keyof typeof hostRows;

export type CommandType = keyof Rows;

/** A command as it is sent, by the row that describes it. */
export type CommandOfRow<Type, Row extends CommandRow> = Flat<{ readonly type: Type } & ValueOfFields<Row["fields"]>>;

type Commands = { readonly [Type in CommandType]: CommandOfRow<Type, Rows[Type]> };

export type Command = Commands[CommandType];

export type CommandOf<Type extends CommandType> = Extract<Command, { type: Type }>;

export type SessionCommand = CommandOf<SessionCommandType>;

export type HostCommand = CommandOf<HostCommandType>;

type Answers = { readonly [Type in CommandType]: ValueOf<Rows[Type]["answer"]> };

export type CommandAnswer<Type extends CommandType> = Answer<Answers[Type]>;

export type BranchSummaryWish = ValueOf<typeof branchSummaryWish>;
