/** Search over folders of notes, for commands that start no session. */
export { type NoteSearch, openNoteFolder } from "./note-folder.ts";
