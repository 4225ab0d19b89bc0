/** How tests are written in each language: patterns of single lines, and of added code where a body spans several. */

export type LanguagePatterns = {
  readonly extensions: readonly string[];
  readonly comment: RegExp;
  /** Begins one test case. */
  readonly testCase: RegExp;
  /** Near it, code of any file is test code. */
  readonly testCode: RegExp;
  readonly assertion: RegExp;
  readonly equality: RegExp;
  /** Range, truthiness, "contains", and others that many values meet. */
  readonly loose: RegExp;
  readonly skip: RegExp;
  /** Matched on the added lines of a hunk as one text. */
  readonly swallow: RegExp;
  readonly broadCatch: RegExp;
};

const braceComment = /^\s*(?:\/\/|\/?\*)/;

export const languagePatterns: readonly LanguagePatterns[] = [
  {
    extensions: ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "vue", "svelte"],
    comment: braceComment,
    testCase: /^\s*(?:it|test|specify|xit|xtest|fit)(?:\.\w+)*\s*[(`]/,
    testCode: /^\s*(?:it|test|describe)(?:\.\w+)*\(\s*["'`]/,
    assertion: /\bexpect(?:TypeOf)?\s*\(|\bassert(?:\.\w+)*\s*\(|\bt\.(?:is|deepEqual|true|like|assert)\(|\.should\b/,
    equality:
      /\.(?:toBe|toEqual|toStrictEqual|toMatchInlineSnapshot|toMatchSnapshot)\(|\bassert\.(?:equal|strictEqual|deepEqual|deepStrictEqual)\(|\.to\.(?:deep\.)?(?:equal|eql)\(|\bt\.(?:is|deepEqual)\(/,
    loose:
      /\.(?:toBeTruthy|toBeFalsy|toBeDefined|toContain\w*|toMatch|toMatchObject|toBeGreaterThan\w*|toBeLessThan\w*|toBeCloseTo|toBeInstanceOf|toHaveProperty)\(|\.not\.to(?:BeNull|BeUndefined|Be|Equal|Throw)\(|\bexpect\.any(?:thing)?\(|\btypeof\b|\bassert(?:\.ok|\.match)?\(|\bt\.(?:true|truthy|like)\(|\.to\.(?:be\.ok|exist|include|be\.a)\b/,
    skip: /\b(?:it|test|describe|suite|context)\s*\.\s*(?:skip|todo|fails|failing|only|skipIf|runIf)\b|\b(?:xit|xtest|xdescribe|fit|fdescribe)\s*\(|\bthis\.skip\(\)|\bt\.skip\(|\{\s*(?:skip|todo):\s*(?:true\b|["'])/,
    swallow:
      /\bcatch\s*(?:\([^)\n]*\))?\s*\{\s*(?:(?:\/\/[^\n]*|\/\*[^*]*\*\/)\s*)*\}|\.catch\(\s*(?:\(\w*\)|\w+)\s*=>\s*\{\s*\}\s*\)/,
    broadCatch: /\bcatch\b\s*[({]|\.catch\(/,
  },
  {
    extensions: ["py", "pyi"],
    comment: /^\s*#/,
    testCase: /^\s*(?:async\s+)?def\s+test\w*\s*\(/,
    testCode: /^\s*(?:async\s+)?def\s+test_|\bunittest\.TestCase\b/,
    assertion: /^\s*assert\b|\bself\.assert\w+\(|\bpytest\.raises\(/,
    equality: /^\s*assert\b.*[^<>!=]==[^=]|\bassert(?:List|Dict|Tuple|Set|MultiLine|Count)?Equals?\(/,
    loose:
      /^\s*assert\b(?!.*[^<>!=]==[^=])|\bapprox\(|\bassert(?:True|False|In|IsNotNone|IsInstance|Greater\w*|Less\w*|AlmostEqual|Regex|NotEqual)\(/,
    skip: /@pytest\.mark\.(?:skip|skipif|xfail)\b|\bpytest\.(?:skip|xfail|importorskip)\(|@(?:unittest\.)?(?:skip\w*|expectedFailure)\b|\bself\.skipTest\(|\bSkipTest\b|^\s*__test__\s*=\s*False|\bcollect_ignore\b/,
    swallow:
      /\bexcept(?:\s+\(?(?:Base)?Exception\)?(?:\s+as\s+\w+)?)?\s*:[ \t]*(?:#[^\n]*)?\n?(?:\s*#[^\n]*\n)*\s*(?:pass|\.\.\.|continue)[ \t]*(?:#[^\n]*)?(?:\n|$)|\bsuppress\(\s*(?:Base)?Exception\s*\)/,
    broadCatch: /\bexcept\s*:|\bexcept\s+\(?\s*(?:Base)?Exception\b|\bsuppress\(/,
  },
  {
    extensions: ["go"],
    comment: /^\s*\/\/(?!go:build)/,
    testCase: /^func\s+(?:Test|Fuzz|Example)\w*\(/,
    testCode: /^\s*func\s+Test\w*\(\w+\s+\*testing\.T\)/,
    assertion: /\bt\.(?:Errorf?|Fatalf?|Fail|FailNow)\(|\b(?:assert|require)\.\w+\(/,
    equality:
      /\b(?:assert|require)\.(?:Equal|EqualValues|Exactly|ElementsMatch|JSONEq)\(|\bif\b.*!=\s*(?!nil\b)\S|\breflect\.DeepEqual\(|\bcmp\.(?:Diff|Equal)\(/,
    loose:
      /\b(?:assert|require)\.(?:NotNil|NotEmpty|True|Contains|Greater\w*|Less\w*|InDelta|NotEqual|IsType)\(|\bif\b.*(?:== nil|== ""|[^<]<[^<-]|[^->]>[^>]|\blen\(|strings\.(?:Contains|HasPrefix|HasSuffix)\()/,
    skip: /\bt\.Skip(?:f|Now)?\(|^\s*\/\/go:build\s+(?:ignore|never|skip)/,
    swallow:
      /\bif\s+err\s*!=\s*nil\s*\{\s*(?:\/\/[^\n]*\s*)*\}|^\s*_\s*=\s*err\s*$|\bdefer\s+func\(\)\s*\{\s*_?\s*=?\s*recover\(\)\s*\}\(\)/m,
    broadCatch: /\brecover\(\)/,
  },
  {
    extensions: ["rs"],
    comment: /^\s*\/\//,
    testCase: /^\s*#\[(?:\w+::)*test\b/,
    testCode: /#\[(?:\w+::)*test\b|#\[cfg\(test\)\]|\bmod\s+tests?\b|\bassert_eq!\(/,
    assertion: /\bassert(?:_eq|_ne|_matches)?!\(/,
    equality: /\bassert_eq!\(|\bassert!\([^"]*[^<>!=]==[^=]/,
    loose: /\bassert!\((?![^"]*[^<>!=]==[^=])|\bassert_ne!\(/,
    skip: /#\[ignore\b|#\[should_panic\b|#\[cfg\((?:any\(\)|FALSE|not\(test\))\)\]/,
    swallow: /\bif\s+let\s+Err\(_\w*\)\s*=\s*[^{\n]*\{\s*(?:\/\/[^\n]*\s*)*\}|\bErr\(_\w*\)\s*=>\s*(?:\{\s*\}|\(\))/,
    broadCatch: /\bcatch_unwind\(/,
  },
  {
    extensions: ["java", "kt", "kts", "scala", "cs"],
    comment: braceComment,
    testCase: /@(?:Test|ParameterizedTest|RepeatedTest)\b|^\s*\[(?:Fact|Theory|Test|TestMethod)\b/,
    testCode: /@(?:Test|ParameterizedTest)\b|^\s*\[(?:Fact|Test)\]/,
    assertion: /\b(?:assert\w+|Assert\.\w+|verify)\s*\(/,
    equality: /\bassert(?:Equals|Same|ArrayEquals|IterableEquals)\(|\.isEqualTo\(|\bAssert\.(?:Equal|AreEqual)\(/,
    loose:
      /\bassert(?:True|NotNull|NotEquals)\(|\.(?:isNotNull|isNotEmpty|contains|isGreaterThan|isLessThan|isBetween|isInstanceOf)\(|\bAssert\.(?:True|NotNull|Contains)\(/,
    skip: /@(?:Disabled|Ignore)\b|\bassume(?:True|False|That)\(|\bSkip\s*=|\[Ignore\b/,
    swallow: /\bcatch\s*\([^)\n]*\)\s*\{\s*(?:(?:\/\/[^\n]*|\/\*[^*]*\*\/)\s*)*\}/,
    broadCatch: /\bcatch\s*\(\s*(?:final\s+)?(?:\w+\s*:\s*)?(?:Exception|Throwable|RuntimeException)\b/,
  },
  {
    extensions: ["rb"],
    comment: /^\s*#/,
    testCase: /^\s*(?:it|test|specify|xit)\b|^\s*def\s+test_\w+/,
    testCode: /^\s*(?:it|describe|context|test)\s+["']|^\s*def\s+test_/,
    assertion: /\bexpect\s*[({]|^\s*assert\w*\b|\.should\b/,
    equality: /\.to\s+(?:eq|eql|equal)\b|\bassert_equal\b/,
    loose:
      /\bbe_truthy\b|\bbe_present\b|\binclude\(|\bbe_an?\b|\bmatch\(|\bbe\s*[<>]|^\s*assert\s|\bassert_(?:includes|in_delta|not_nil|match)\b/,
    skip: /^\s*x(?:it|describe|context)\b|^\s*(?:skip|pending)\b|,\s*(?:skip|pending):\s/,
    swallow:
      /\brescue(?:\s*=>\s*\w+|\s+(?:StandardError|Exception)[^\n]*)?\s*\n\s*(?:nil\s*\n\s*)?end\b|\brescue\s+nil\b/,
    broadCatch: /\brescue\s*(?:$|=>|StandardError|Exception|nil)/,
  },
];

/** In a test, a CI file or the test scripts of a project: what makes a failure go unseen. */
export const toleratedFailures: readonly { readonly line: RegExp; readonly what: string }[] = [
  { line: /\|\|\s*(?:true|:|exit 0)(?=$|[\s"';)])/, what: "|| true" },
  { line: /\bcontinue-on-error:\s*true\b|\ballow_failure:\s*true\b|\bsoft_fail:\s*true\b/, what: "continue-on-error" },
  { line: /--passWithNoTests\b|\bpassWithNoTests:\s*true\b/, what: "--passWithNoTests" },
  { line: /--exit-zero\b|--no-fail-fast-exit\b|--warn-only\b|\bset \+e\b/, what: "an ignored exit code" },
  { line: /^\s*if:\s*(?:false|\$\{\{\s*false\s*\}\})\s*$/, what: "a step that never runs" },
  {
    line: /--(?:deselect|ignore)(?:=|\s)|--exclude(?:=|\s)|--testPathIgnorePatterns\b/,
    what: "tests excluded from the run",
  },
];

/** A limit that a failing test has to meet; its number follows. */
export const testLimits: readonly { readonly line: RegExp; readonly what: string; readonly countsWhenNew: boolean }[] =
  [
    {
      line: /\b(?:retry|retries|reruns|max_attempts|--retries|flaky_?retries)\b\D{0,12}?(?<number>\d[\d_]*)/i,
      what: "retries",
      countsWhenNew: true,
    },
    {
      line: /\b(?:jest\.setTimeout|this\.timeout|mark\.timeout)\(\s*(?<number>\d[\d_]*)/,
      what: "timeout",
      countsWhenNew: true,
    },
    {
      line: /\btime_?out\w*(?:-minutes|Ms|Seconds)?["']?\D{0,12}?(?<number>\d[\d_]*)/i,
      what: "timeout",
      countsWhenNew: false,
    },
  ];
