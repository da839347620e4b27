import { Readable } from "node:stream";
import { crc32, createInflateRaw } from "node:zlib";
import { statementLimits, statementTexts } from "#shared/bank/statement-texts.ts";
import { Refusal } from "./statement.ts";

/** The files within a zip archive, inflated piece by piece and never beyond a limit for all of them together. */

const SIGNATURES = { local: 0x04034b50, entry: 0x02014b50, end: 0x06054b50 } as const;
const END_BYTES = 22;
const MAX_COMMENT = 65_535;
const MAX_FILES = 2_000;
const STORED = 0;
const DEFLATED = 8;

interface Entry {
  method: number;
  isEncrypted: boolean;
  compressed: number;
  inflated: number;
  checksum: number;
  offset: number;
}

const damaged = () => new Refusal(statementTexts.damaged);

export class Zip {
  readonly #bytes: DataView;
  readonly #entries: ReadonlyMap<string, Entry>;
  #left = statementLimits.inflatedMegabytes * 1024 * 1024;

  /** Throws a {@link Refusal} if it isn't a whole archive. */
  constructor(bytes: Uint8Array) {
    this.#bytes = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#entries = readDirectory(this.#bytes);
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /**
   * A file's text. Throws a {@link Refusal} while it is read if it is damaged, or if more comes out than the archive
   * declares or than the limit leaves; what comes out is counted, because what is declared may be false.
   */
  async *read(name: string): AsyncGenerator<string> {
    const entry = this.#entries.get(name);
    if (!entry) throw damaged();
    if (entry.isEncrypted) throw new Refusal(statementTexts.password);
    this.#left -= entry.inflated;
    if (this.#left < 0) throw new Refusal(statementTexts.inflated);
    let declared = entry.inflated;
    let checksum = 0;
    const decoder = new TextDecoder();
    for await (const piece of this.#pieces(entry)) {
      declared -= piece.length;
      if (declared < 0) throw damaged();
      checksum = crc32(piece, checksum);
      yield decoder.decode(piece, { stream: true });
    }
    if (declared !== 0 || checksum !== entry.checksum) throw damaged();
    yield decoder.decode();
  }

  async *#pieces(entry: Entry): AsyncGenerator<Uint8Array> {
    const bytes = this.#bytes;
    if (entry.offset + 30 > bytes.byteLength || bytes.getUint32(entry.offset, true) !== SIGNATURES.local)
      throw damaged();
    const start =
      entry.offset + 30 + bytes.getUint16(entry.offset + 26, true) + bytes.getUint16(entry.offset + 28, true);
    if (start + entry.compressed > bytes.byteLength) throw damaged();
    const data = new Uint8Array(bytes.buffer, bytes.byteOffset + start, entry.compressed);
    if (entry.method === STORED) {
      yield data;
      return;
    }
    if (entry.method !== DEFLATED) throw damaged();
    try {
      yield* Readable.from([data]).pipe(createInflateRaw()) as AsyncIterable<Uint8Array>;
    } catch (error) {
      // What the reader of the pieces throws isn't seen here; zlib's own errors have these codes.
      if (error instanceof Error && "code" in error && /^Z_/.test(String(error.code))) throw damaged();
      throw error;
    }
  }
}

function readDirectory(bytes: DataView): Map<string, Entry> {
  const end = findEnd(bytes);
  const count = bytes.getUint16(end + 10, true);
  if (count > MAX_FILES) throw damaged();
  const entries = new Map<string, Entry>();
  let at = bytes.getUint32(end + 16, true);
  for (let index = 0; index < count; index++) {
    if (at + 46 > bytes.byteLength || bytes.getUint32(at, true) !== SIGNATURES.entry) throw damaged();
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) => bytes.getUint16(at + field, true));
    const nameAt = at + 46;
    at = nameAt + (nameBytes ?? 0) + (extraBytes ?? 0) + (commentBytes ?? 0);
    if (at > bytes.byteLength) throw damaged();
    const name = new TextDecoder().decode(new Uint8Array(bytes.buffer, bytes.byteOffset + nameAt, nameBytes));
    const header = nameAt - 46;
    // The first of two files of one name counts for some readers, and the last for others.
    if (entries.has(name)) throw damaged();
    entries.set(name, {
      isEncrypted: (bytes.getUint16(header + 8, true) & 1) === 1,
      method: bytes.getUint16(header + 10, true),
      checksum: bytes.getUint32(header + 16, true),
      compressed: bytes.getUint32(header + 20, true),
      inflated: bytes.getUint32(header + 24, true),
      offset: bytes.getUint32(header + 42, true),
    });
  }
  return entries;
}

function findEnd(bytes: DataView): number {
  const last = bytes.byteLength - END_BYTES;
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT); at--) {
    if (bytes.getUint32(at, true) === SIGNATURES.end) return at;
  }
  throw damaged();
}
