/** Reads width and height out of the headers of the pictures that models take. */

export type ImageSize = { readonly width: number; readonly height: number };

/** Undefined when the header is damaged or of an unknown form. */
export function imageSizeOf(bytes: Buffer, mediaType: string): ImageSize | undefined {
  try {
    switch (mediaType) {
      case "image/png":
        return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
      case "image/gif":
        return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
      case "image/webp":
        return webpSize(bytes);
      case "image/jpeg":
        return jpegSize(bytes);
      default:
        return undefined;
    }
  } catch (error) {
    // The file ends inside of its header.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function webpSize(bytes: Buffer): ImageSize | undefined {
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case "VP8L": {
      const packed = bytes.readUInt32LE(21);
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
    }
    case "VP8 ":
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return undefined;
  }
}

/** Walks over the segments to the frame header. */
function jpegSize(bytes: Buffer): ImageSize | undefined {
  for (let position = 2; ; ) {
    if (bytes.readUInt8(position) !== 0xff) return undefined;
    const marker = bytes.readUInt8(position + 1);
    // Fill bytes may stand before a marker.
    if (marker === 0xff) {
      position += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { width: bytes.readUInt16BE(position + 7), height: bytes.readUInt16BE(position + 5) };
    position += 2 + bytes.readUInt16BE(position + 2);
  }
}
