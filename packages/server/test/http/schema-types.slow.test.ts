/** Proves at compile time that the schemas are the types of the protocol, neither more nor less. */
import type { z } from "@hono/zod-openapi";
import type {
  CommandAnswer,
  CommandOf,
  CommandType,
  FactOf,
  FactRecord,
  MessagePage,
  QueryAnswers,
  QueryOf,
  QueryType,
  SearchHit,
  SessionSummary,
  VerifyReport,
} from "@kedge/protocol";
import { expectTypeOf, test } from "vitest";
import type { commandAnswers } from "../../src/schemas/command-answers.ts";
import type { commandFields } from "../../src/schemas/host-command-fields.ts";
import type { queryAnswers } from "../../src/schemas/query-answers.ts";
import type { queryFields } from "../../src/schemas/query-fields.ts";
import type {
  factRecord,
  messagePage,
  runEnded,
  searchHit,
  sessionSummary,
  verifyReport,
} from "../../src/schemas/stored.ts";

/** Read-only, and absent where zod says undefined. */
type Plain<Value> = Value extends readonly (infer Element)[]
  ? readonly Plain<Element>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Plain<Exclude<Value[Key], undefined>> }
    : Value;

/** Zod says of an object without members that each of them is `never`. */
type Fields<Schema extends z.ZodType> =
  z.output<Schema> extends Record<string, never> ? Record<never, never> : z.output<Schema>;

/** Also an optional member that only one of the two has makes them differ. */
type Same<Left, Right> =
  (<Any>() => Any extends Plain<Left> ? 1 : 2) extends <Any>() => Any extends Plain<Right> ? 1 : 2 ? true : false;

type ValueOf<Answer> = Extract<Answer, { readonly ok: true }> extends { readonly value: infer Value } ? Value : never;

/** Made of two types; only one that is written out can be compared. */
type RunEnded = FactOf<"run.ended">;

test("the fields of commands", () => {
  expectTypeOf<{
    [Type in CommandType]: Same<Fields<(typeof commandFields)[Type]>, Omit<CommandOf<Type>, "type">>;
  }>().toEqualTypeOf<{ [Type in CommandType]: true }>();
});

test("the answers to commands", () => {
  expectTypeOf<{
    [Type in CommandType]: Same<z.output<(typeof commandAnswers)[Type]>, ValueOf<CommandAnswer<Type>>>;
  }>().toEqualTypeOf<{ [Type in CommandType]: true }>();
});

test("the fields of queries", () => {
  expectTypeOf<{
    [Type in QueryType]: Same<Fields<(typeof queryFields)[Type]>, Omit<QueryOf<Type>, "type">>;
  }>().toEqualTypeOf<{ [Type in QueryType]: true }>();
});

test("the answers to queries", () => {
  expectTypeOf<{
    [Type in QueryType]: Same<z.output<(typeof queryAnswers)[Type]>, QueryAnswers[Type]>;
  }>().toEqualTypeOf<{ [Type in QueryType]: true }>();
});

test("what is read from the store", () => {
  expectTypeOf<Same<z.output<typeof sessionSummary>, SessionSummary>>().toEqualTypeOf<true>();
  expectTypeOf<Same<z.output<typeof messagePage>, MessagePage>>().toEqualTypeOf<true>();
  expectTypeOf<Same<z.output<typeof searchHit>, SearchHit>>().toEqualTypeOf<true>();
  expectTypeOf<Same<z.output<typeof verifyReport>, VerifyReport>>().toEqualTypeOf<true>();
  expectTypeOf<Same<z.output<typeof runEnded>, Pick<RunEnded, keyof RunEnded>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<Omit<z.output<typeof factRecord>, "fact">, Omit<FactRecord, "fact">>>().toEqualTypeOf<true>();
});
