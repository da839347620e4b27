import { Readable } from "node:stream";
import { fileTypeFromBuffer, fileTypeFromStream } from "file-type";
import type { FileRule } from "#shared/files.ts";

/** A file's type is detected from its bytes. Its name and the browser's content type prove nothing. */

/** The number of first bytes that {@link mayBeAccepted} needs; a smaller file is passed whole. */
export const SAMPLE_BYTES = 4100;

const WORD_DOC = "application/msword";
const WORD_DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const ZIP_MAGIC = Buffer.from("PK\x03\x04", "latin1");
const CFB_MAGIC = Buffer.from("d0cf11e0a1b11ae1", "hex");

/**
 * Returns true if the first bytes may belong to one of the rule's types, so that most wrong files are refused before
 * they are stored.
 */
export async function mayBeAccepted(sample: Buffer, rule: FileRule): Promise<boolean> {
  if (startsWith(sample, ZIP_MAGIC)) return rule.types.includes(WORD_DOCX);
  if (startsWith(sample, CFB_MAGIC)) return rule.types.includes(WORD_DOC);
  return rule.types.includes((await typeOfStart(sample)) ?? "");
}

/**
 * The content type of a whole file, or undefined if it isn't one of the rule's.
 * Word documents are containers, so the check reads inside: `open` reads the file from its beginning.
 */
export async function contentTypeOf(
  sample: Buffer,
  rule: FileRule,
  open: () => Promise<Readable>,
): Promise<string | undefined> {
  const type = await findType(sample, open);
  return type !== undefined && rule.types.includes(type) ? type : undefined;
}

async function findType(sample: Buffer, open: () => Promise<Readable>): Promise<string | undefined> {
  if (startsWith(sample, CFB_MAGIC)) {
    return (await reading(open, hasWordDocumentStream)) ? WORD_DOC : undefined;
  }
  if (startsWith(sample, ZIP_MAGIC)) {
    return reading(open, async (stream) => (await fileTypeFromStream(Readable.toWeb(stream)))?.mime);
  }
  return typeOfStart(sample);
}

/** The content type by a file's first bytes; undefined if it isn't known. */
async function typeOfStart(sample: Buffer): Promise<string | undefined> {
  return (await fileTypeFromBuffer(sample))?.mime ?? (isLatePdf(sample) ? "application/pdf" : undefined);
}

/** Programs write line breaks or a printer's commands before a PDF, and readers look for it among so many bytes. */
const PDF_START_BYTES = 1024;

/** Returns true if a PDF begins behind something else, unless that is a page, which a browser might show as one. */
function isLatePdf(sample: Buffer): boolean {
  const at = sample.subarray(0, PDF_START_BYTES).indexOf("%PDF-");
  return at > 0 && !/^[^\w%]*</.test(sample.toString("latin1", 0, at));
}

async function reading<T>(open: () => Promise<Readable>, use: (stream: Readable) => Promise<T>): Promise<T> {
  const stream = await open();
  try {
    return await use(stream);
  } finally {
    stream.destroy();
  }
}

const startsWith = (bytes: Buffer, magic: Buffer) => bytes.subarray(0, magic.length).equals(magic);

// A compound file's directory entry: 128 bytes, aligned; the name in UTF-16, its length in bytes at 64, its kind at 66.
const ENTRY_BYTES = 128;
const WORD_STREAM_NAME = Buffer.from("WordDocument\0", "utf16le");
const KIND_STREAM = 2;

/** Excel and PowerPoint files are compound files too; only Word's have a stream called WordDocument. */
async function hasWordDocumentStream(stream: Readable): Promise<boolean> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    const bytes = Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % ENTRY_BYTES);
    for (let at = 0; at < whole; at += ENTRY_BYTES) {
      if (isWordDocumentEntry(bytes.subarray(at, at + ENTRY_BYTES))) return true;
    }
    rest = bytes.subarray(whole);
  }
  return false;
}

function isWordDocumentEntry(entry: Buffer): boolean {
  return (
    startsWith(entry, WORD_STREAM_NAME) &&
    entry.readUInt16LE(64) === WORD_STREAM_NAME.length &&
    entry.readUInt8(66) === KIND_STREAM
  );
}

/**
 * Returns true if a PDF is cut off. A whole one has "startxref" or "%%EOF" after its last object, even if it is
 * linearized (with another one early), was saved several times, or has something appended.
 */
export function isCutPdf(bytes: Buffer): boolean {
  const end = Math.max(bytes.lastIndexOf("startxref"), bytes.lastIndexOf("%%EOF"));
  return end <= bytes.lastIndexOf("endobj");
}
