/** Search over notes without a model, loaded by the first search. */
export { createNoteIndex, type Note } from "./note-index.ts";
export { type NoteHit, rankNotes, searchNotes } from "./rank-notes.ts";
export { questionWords } from "./search-terms.ts";
