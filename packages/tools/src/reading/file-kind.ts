/** Tells what a binary file is by its first bytes, never by its name. */

export type FileKind =
  | { readonly kind: "image"; readonly name: string; readonly mediaType: string }
  | { readonly kind: "pdf" }
  | { readonly kind: "other"; readonly name: string };

export const sniffedBytes = 512;

type Magic = { readonly bytes: string; readonly at?: number };
type Mark = Magic & { readonly and?: Magic };

const imageMarks: readonly (Mark & { readonly name: string; readonly mediaType: string })[] = [
  { bytes: "\x89PNG\r\n\x1a\n", name: "PNG", mediaType: "image/png" },
  { bytes: "\xff\xd8\xff", name: "JPEG", mediaType: "image/jpeg" },
  { bytes: "GIF87a", name: "GIF", mediaType: "image/gif" },
  { bytes: "GIF89a", name: "GIF", mediaType: "image/gif" },
  { bytes: "RIFF", and: { bytes: "WEBP", at: 8 }, name: "WebP", mediaType: "image/webp" },
];

const otherMarks: readonly (Mark & { readonly name: string })[] = [
  { bytes: "\xff\xfe", name: "UTF-16 text (convert a copy with iconv and read that)" },
  { bytes: "\xfe\xff", name: "UTF-16 text (convert a copy with iconv and read that)" },
  { bytes: "\x7fELF", name: "ELF program or library" },
  { bytes: "MZ", name: "Windows program or library" },
  { bytes: "\xcf\xfa\xed\xfe", name: "Mach-O program or library" },
  { bytes: "\xca\xfe\xba\xbe", name: "Java class or Mach-O program" },
  { bytes: "\0asm", name: "WebAssembly module" },
  { bytes: "PK\x03\x04", name: "zip archive or office document (look inside with unzip -l)" },
  { bytes: "\x1f\x8b", name: "gzip archive (look inside with zcat or tar -tzf)" },
  { bytes: "BZh", name: "bzip2 archive" },
  { bytes: "\xfd7zXZ\0", name: "xz archive" },
  { bytes: "\x28\xb5\x2f\xfd", name: "zstd archive" },
  { bytes: "7z\xbc\xaf\x27\x1c", name: "7z archive" },
  { bytes: "ustar", at: 257, name: "tar archive (look inside with tar -tf)" },
  { bytes: "SQLite format 3\0", name: "SQLite database (query it with sqlite3)" },
  { bytes: "BM", name: "BMP image (convert a copy to PNG and read that)" },
  { bytes: "II*\0", name: "TIFF image (convert a copy to PNG and read that)" },
  { bytes: "MM\0*", name: "TIFF image (convert a copy to PNG and read that)" },
  { bytes: "\0\0\x01\0", name: "icon" },
  { bytes: "ID3", name: "MP3 sound" },
  { bytes: "OggS", name: "Ogg sound or video" },
  { bytes: "fLaC", name: "FLAC sound" },
  { bytes: "RIFF", and: { bytes: "WAVE", at: 8 }, name: "WAV sound" },
  { bytes: "ftyp", at: 4, name: "MP4 video or HEIF image" },
  { bytes: "wOF2", name: "WOFF2 font" },
  {
    bytes: "\xd0\xcf\x11\xe0",
    name: "old office document (convert a copy with libreoffice --headless --convert-to docx and read that)",
  },
];

export function kindOf(beginning: Buffer): FileKind {
  const text = beginning.toString("latin1");
  const fits = ({ bytes, at = 0 }: Magic) => text.startsWith(bytes, at);
  const isMarked = (mark: Mark) => fits(mark) && (mark.and === undefined || fits(mark.and));
  if (text.startsWith("%PDF-")) return { kind: "pdf" };
  const image = imageMarks.find(isMarked);
  if (image !== undefined) return { kind: "image", name: image.name, mediaType: image.mediaType };
  return { kind: "other", name: otherMarks.find(isMarked)?.name ?? "binary file" };
}
