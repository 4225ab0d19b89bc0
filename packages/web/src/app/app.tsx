/** The app as a whole: signs in, connects, and shows what the address names. */
import { useEffect, useState } from "preact/hooks";
import { Frame } from "../frame/frame.tsx";
import { SignInPage } from "../frame/sign-in-page.tsx";
import { createPage, type Page } from "./page.ts";
import { redeemCode, takeCode } from "./sign-in.ts";
import { PageContext } from "./use-page.ts";
import { useSelected } from "./use-selected.ts";

export function App({ page }: { readonly page: Page }) {
  const stream = useSelected(page.state, (state) => state.stream);
  const [problem, setProblem] = useState<string>();
  const begin = () => {
    setProblem(undefined);
    page.begin();
  };
  useEffect(() => {
    const code = takeCode(window);
    if (code === undefined) return begin();
    void redeemCode(code).then((signedIn) => {
      // Whoever opens the link a second time has the cookie of the first.
      if (!signedIn.ok) setProblem(signedIn.sentence);
      page.begin();
    });
  }, [page]);
  return (
    <PageContext.Provider value={page}>
      {stream === "signed-out" && <SignInPage problem={problem} onSignedIn={begin} />}
      <div class="app" hidden={stream === "signed-out"}>
        <Frame />
      </div>
    </PageContext.Provider>
  );
}

export function startPage(): Page {
  const page = createPage(window);
  const wake = () => {
    if (document.hidden) page.stream.rest();
    else page.stream.wake();
  };
  document.addEventListener("visibilitychange", wake);
  for (const name of ["online", "focus", "pageshow"]) window.addEventListener(name, wake);
  return page;
}
