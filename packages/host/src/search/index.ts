/** Search over notes for commands that start no session. */
export { type NoteSearch, openNoteFolder, openTopics } from "./note-folder.ts";
