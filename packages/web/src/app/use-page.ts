/** The page that a component belongs to. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Page } from "./page.ts";

export const PageContext = createContext<Page | undefined>(undefined);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === undefined) throw new Error("a component stands outside of the app");
  return page;
}
