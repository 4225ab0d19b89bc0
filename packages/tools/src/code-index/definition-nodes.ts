/** The names of grammar nodes that define something, for all languages that have a grammar. */

/** Functions and the like: what they define inside is their own matter. */
export const functionNodes: ReadonlySet<string> = new Set([
  "function_declaration",
  "generator_function_declaration",
  "function_definition",
  "function_item",
  "function_signature_item",
  "function_signature",
  "method_definition",
  "method_declaration",
  "method_signature",
  "method_elem",
  "abstract_method_signature",
  "constructor_declaration",
  "compact_constructor_declaration",
  "macro_definition",
  "preproc_function_def",
]);

/** Types and rooms that have members; a large one is cut between them. */
export const containerNodes: ReadonlySet<string> = new Set([
  "class_declaration",
  "abstract_class_declaration",
  "class_definition",
  "class_specifier",
  "struct_specifier",
  "union_specifier",
  "interface_declaration",
  "annotation_type_declaration",
  "record_declaration",
  "enum_declaration",
  "enum_specifier",
  "enum_item",
  "struct_item",
  "union_item",
  "trait_item",
  "impl_item",
  "mod_item",
  "internal_module",
  "module",
  "namespace_definition",
  "type_spec",
]);

/** Names for a type or a value; a value counts outside of functions only, unless it is a function itself. */
export const typeNameNodes: ReadonlySet<string> = new Set([
  "type_alias_declaration",
  "type_alias",
  "type_item",
  "type_definition",
  "alias_declaration",
]);

export const valueNodes: ReadonlySet<string> = new Set([
  "variable_declarator",
  "public_field_definition",
  "field_definition",
  "property_signature",
  "const_spec",
  "var_spec",
  "const_item",
  "static_item",
  "assignment",
  "preproc_def",
  "enum_constant",
  "declaration",
  "field_declaration",
]);

/** Members of a plain object, of which only functions count. */
export const memberNodes: ReadonlySet<string> = new Set(["pair"]);

export const functionValueNodes: ReadonlySet<string> = new Set([
  "arrow_function",
  "function_expression",
  "generator_function",
  "class",
  "lambda",
  "func_literal",
  "closure_expression",
  "lambda_expression",
]);

/** Nodes around a definition that belong to it, or around a whole file's worth of them. */
export const wrapperNodes: ReadonlySet<string> = new Set([
  "export_statement",
  "ambient_declaration",
  "expression_statement",
  "decorated_definition",
  "template_declaration",
  "type_declaration",
  "type_definition",
  "declaration",
  "linkage_specification",
  "declaration_list",
  "preproc_ifdef",
  "preproc_if",
]);

/** They belong to what follows. Comments do as well. */
export const leadingNodes: ReadonlySet<string> = new Set([
  "attribute_item",
  "inner_attribute_item",
  "decorator",
  "access_specifier",
]);
