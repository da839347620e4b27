import { type FileHandle, open, rm } from "node:fs/promises";

const CHUNK_BYTES = 64 * 1024;

/** Thrown to the producer once its reader has left. */
class ReaderGone extends Error {}

/**
 * Runs `produce` at its own pace into a file at `path`, and gives the bytes to a reader who follows at theirs: a slow
 * reader holds neither memory nor whatever `produce` holds. It ends at its next part when the reader leaves. What it
 * throws comes after the bytes that it wrote before.
 */
export async function* throughFile(
  path: string,
  produce: (write: (part: string) => Promise<void>) => Promise<void>,
): AsyncGenerator<Buffer> {
  const file = await open(path, "wx+");
  // An open file can still be read. Its place on the disk comes free when it is closed, even by the end of the process.
  await rm(path);
  const progress = { bytes: 0, isOver: false, isReaderGone: false, news: Promise.withResolvers<void>() };
  const tell = () => {
    progress.news.resolve();
    progress.news = Promise.withResolvers();
  };
  const write = async (part: string) => {
    if (progress.isReaderGone) throw new ReaderGone();
    const bytes = Buffer.from(part);
    await file.appendFile(bytes);
    progress.bytes += bytes.length;
    tell();
  };
  const producing = produce(write).finally(() => {
    progress.isOver = true;
    tell();
  });
  // The reader hears of a failure below, once it has read what was written before.
  producing.catch(() => {});
  try {
    yield* follow(file, progress);
    await producing;
  } finally {
    progress.isReaderGone = true;
    await producing.catch(() => {});
    await file.close();
  }
}

type Progress = { bytes: number; isOver: boolean; news: PromiseWithResolvers<void> };

async function* follow(file: FileHandle, progress: Progress): AsyncGenerator<Buffer> {
  let at = 0;
  for (;;) {
    const { promise } = progress.news;
    if (at < progress.bytes) {
      const length = Math.min(CHUNK_BYTES, progress.bytes - at);
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, at);
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    } else if (progress.isOver) return;
    else await promise;
  }
}
