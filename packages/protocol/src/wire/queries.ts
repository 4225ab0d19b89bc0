/** Queries: what a client may ask for without changing anything. Everything here derives from their rows. */

import type { Flat, ValueOf, ValueOfFields } from "../json/schema.ts";
import type { queryRows } from "../rows/query-rows.ts";
import type { logLevel } from "../rows/words.ts";
import type { Answer } from "./answer.ts";

type Rows = typeof queryRows;

export type QueryType = keyof Rows;

type Queries = { readonly [Type in QueryType]: Flat<{ readonly type: Type } & ValueOfFields<Rows[Type]["fields"]>> };

export type Query = Queries[QueryType];

export type QueryOf<Type extends QueryType> = Extract<Query, { type: Type }>;

export type QueryAnswers = { readonly [Type in QueryType]: ValueOf<Rows[Type]["answer"]> };

export type QueryAnswer<Type extends QueryType> = Answer<QueryAnswers[Type]>;

export type LogLevel = ValueOf<typeof logLevel>;
