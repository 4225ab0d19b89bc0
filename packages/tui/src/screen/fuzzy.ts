/** Finds by a few letters in their order, best matches first: the library's, for every list that is filtered by typing. */
export { fuzzyFilter } from "@earendil-works/pi-tui";
