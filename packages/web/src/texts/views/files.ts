/** Texts of the view of files. */

export const loadingFile = "Loading file…";
export const notText = (type: string, bytes: string) => `${type}, ${bytes} bytes. Not a text file.`;
export const emptyFile = "The file is empty.";
export const contentOf = (path: string) => `Content of ${path}`;
export const line = (number: number) => `Line ${number}`;
export const title = "Files";
export const findByName = "Find a file by name";
export const find = "Find a file";
export const chooseFile = "Choose a file.";
export const loading = "Loading…";
export const moreEntries = "This directory has more entries. Find files by name.";
export const searching = "Searching…";
export const noMatch = "No matching files.";
export const firstLines = (shown: string, all: string) => `The first ${shown} of ${all} lines are shown.`;
