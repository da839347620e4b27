import { crc32, deflateRawSync, deflateSync } from "node:zlib";

/** A small ZIP archive, packed as office programs do. */
export function zipFile(entries: Record<string, string>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(entries)) {
    const data = Buffer.from(text);
    const packed = deflateRawSync(data);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(data), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(data.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), facts, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00"), facts, tail, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}

/** Returns an old Office file: its header and, in the last sector, a directory with one stream. */
export function cfbFile(streamName: string): Buffer {
  const header = Buffer.alloc(512);
  Buffer.from("d0cf11e0a1b11ae1", "hex").copy(header);
  const entry = Buffer.alloc(128);
  entry.write(`${streamName}\0`, "utf16le");
  entry.writeUInt16LE((streamName.length + 1) * 2, 64);
  entry.writeUInt8(2, 66);
  // The name also stands in the text, where it says nothing about the file.
  const text = Buffer.concat([Buffer.from("WordDocument", "utf16le"), Buffer.alloc(100_000)]).subarray(0, 99_840);
  return Buffer.concat([header, text, entry, Buffer.alloc(384)]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const facts = Buffer.alloc(8);
  facts.writeUInt32BE(data.length, 0);
  facts.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([facts.subarray(0, 4), named, facts.subarray(4)]);
}

function pngStart(width: number, height: number): Buffer {
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  // One bit of grey.
  size.set([1, 0], 8);
  return Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), pngChunk("IHDR", size)]);
}

/** A PNG that has hardly begun: what tells the type and the size. */
export function pngHead(width: number, height: number): Buffer {
  return Buffer.concat([pngStart(width, height), pngChunk("IDAT", deflateSync(Buffer.alloc(5)))]);
}

/** A whole PNG, all black. What is written behind it changes its hash and nothing that is seen. */
export function pngFile(width = 1, height = 1): Buffer {
  const lines = Buffer.alloc((1 + Math.ceil(width / 8)) * height);
  return Buffer.concat([
    pngStart(width, height),
    pngChunk("IDAT", deflateSync(lines)),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}
