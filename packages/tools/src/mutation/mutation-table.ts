/** What is changed in source code to see whether tests notice: a row per operator, for all languages with a grammar. */

export type MutationOperator =
  | "operator-swap"
  | "boundary-shift"
  | "negated-condition"
  | "constant-change"
  | "removed-call"
  | "early-return"
  | "swapped-arguments";

/** Changes with the version of this table: what was graded with another one is graded again. */
export const mutationVersion = 2;

/** Nodes in which a sign is an operator; elsewhere `<` may open a list of types. */
export const operatorNodes: ReadonlySet<string> = new Set([
  "binary_expression",
  "binary_operator",
  "comparison_operator",
  "boolean_operator",
  "augmented_assignment",
  "augmented_assignment_expression",
  "compound_assignment_expr",
  "assignment_expression",
]);

/** A sign and what stands in its place. */
export const swaps: { readonly [sign: string]: readonly [MutationOperator, string] } = {
  "+": ["operator-swap", "-"],
  "-": ["operator-swap", "+"],
  "*": ["operator-swap", "/"],
  "/": ["operator-swap", "*"],
  "//": ["operator-swap", "*"],
  "%": ["operator-swap", "*"],
  "**": ["operator-swap", "*"],
  "+=": ["operator-swap", "-="],
  "-=": ["operator-swap", "+="],
  "*=": ["operator-swap", "/="],
  "/=": ["operator-swap", "*="],
  "&&": ["operator-swap", "||"],
  "||": ["operator-swap", "&&"],
  "??": ["operator-swap", "&&"],
  and: ["operator-swap", "or"],
  or: ["operator-swap", "and"],
  "&": ["operator-swap", "|"],
  "|": ["operator-swap", "&"],
  "^": ["operator-swap", "&"],
  "<<": ["operator-swap", ">>"],
  ">>": ["operator-swap", "<<"],
  "<": ["boundary-shift", "<="],
  "<=": ["boundary-shift", "<"],
  ">": ["boundary-shift", ">="],
  ">=": ["boundary-shift", ">"],
  "==": ["negated-condition", "!="],
  "!=": ["negated-condition", "=="],
  "===": ["negated-condition", "!=="],
  "!==": ["negated-condition", "==="],
  in: ["negated-condition", "not in"],
  "not in": ["negated-condition", "in"],
  is: ["negated-condition", "is not"],
  "is not": ["negated-condition", "is"],
};

/** Nodes that hold a condition in the field `condition`. */
export const conditionNodes: ReadonlySet<string> = new Set([
  "if_statement",
  "elif_clause",
  "while_statement",
  "do_statement",
  "if_expression",
  "while_expression",
  "ternary_expression",
  "conditional_expression",
]);

export const numberNodes: ReadonlySet<string> = new Set([
  "number",
  "integer",
  "float",
  "int_literal",
  "float_literal",
  "integer_literal",
  "number_literal",
  "decimal_integer_literal",
  "decimal_floating_point_literal",
]);

export const stringNodes: ReadonlySet<string> = new Set(["string", "string_literal", "interpreted_string_literal"]);

/** Words for yes and no, each in the spelling of its language. */
export const opposites: { readonly [word: string]: string } = {
  true: "false",
  false: "true",
  True: "False",
  False: "True",
};

export const callNodes: ReadonlySet<string> = new Set(["call_expression", "call", "method_invocation"]);
export const argumentNodes: ReadonlySet<string> = new Set(["arguments", "argument_list"]);

/** Nothing below these runs, or it is not the code's own behaviour. */
export const skippedNodes: ReadonlySet<string> = new Set([
  ...["import_statement", "import_from_statement", "import_declaration", "use_declaration", "package_clause"],
  ...["preproc_include", "type_annotation", "type_arguments", "type_parameters", "type_alias_declaration"],
  ...["interface_declaration", "decorator", "attribute_item", "annotation", "marker_annotation"],
  ...["type_declaration", "generic_type", "array_type", "template_literal_type", "type"],
]);

export type LanguageWords = {
  /** How a condition is turned round, `%` being the condition without its parentheses. */
  readonly not: string;
  /** What stands where a statement was removed. */
  readonly nothing: string;
  /** A value for every `return`; undefined where types would refuse it. */
  readonly emptyValue?: string;
  /** Conditions keep their parentheses. */
  readonly hasParentheses: boolean;
};

const braces: LanguageWords = { not: "!(%)", nothing: ";", hasParentheses: true };

export const languageWords: { readonly [language: string]: LanguageWords } = {
  JavaScript: { ...braces, emptyValue: "undefined" },
  TypeScript: { ...braces, emptyValue: "undefined" },
  TSX: { ...braces, emptyValue: "undefined" },
  Python: { not: "not (%)", nothing: "pass", emptyValue: "None", hasParentheses: false },
  Go: { not: "!(%)", nothing: "", hasParentheses: false },
  Rust: { not: "!(%)", nothing: "", hasParentheses: false },
  Java: braces,
  C: braces,
  "C++": braces,
};
