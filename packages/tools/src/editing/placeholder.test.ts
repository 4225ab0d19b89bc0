// Which lines count as code that was never written out, and which are ordinary comments.
import { expect, test } from "vitest";
import { findPlaceholder } from "./placeholder.ts";

test.each([
  "// ... rest of the methods",
  "  # ... existing code ...",
  "/* … remaining code unchanged … */",
  "// rest of the code remains the same",
  "<!-- rest of the file -->",
  "// (other methods unchanged)",
  "{/* ... existing code */}",
  "-- ... rest of the file ...",
  "// ...existing code...",
  "// ... existing imports",
  "# [remaining tests unchanged]",
  "// ... other cases here",
  "// ... (unchanged)",
  "# ... [existing code] ...",
  "// ... existing code, unchanged ...",
  "{/* ... existing JSX ... */}",
  "-- ... other columns ...",
  "// ... same as above ...",
  "// ... keep existing ...",
  "// code omitted for brevity",
])("%s is a placeholder", (line) => {
  expect(findPlaceholder(`first();\n${line}\nlast();`)).toBe(line.trim());
});

test.each([
  "// The rest of the arguments are passed on.",
  "// Existing imports",
  "// Other methods",
  "# remaining tests",
  "// Existing imports are kept in the order in which they were written.",
  "# other methods of payment cost extra",
  "// ...",
  "...rest",
  "const rest = ...;",
  "// remaining bytes",
  "// the same file is read twice",
  "## Rest of the world",
  "// Handles the remaining cases by falling back to the default renderer",
  "# Unchanged since 1998",
  "// (no changes)",
  "// Same as before.",
  "// [...]",
  "// Keep all entries, in order",
])("%s is an ordinary line", (line) => {
  expect(findPlaceholder(`first();\n${line}\nlast();`)).toBeUndefined();
});

test("a placeholder that the file has already may stay", () => {
  expect(findPlaceholder("// ... rest of the methods", "a();\n  // ... rest of the methods\n")).toBeUndefined();
});
