import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  S3Client,
  type S3ClientConfig,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { S3Driver } from "flydrive/drivers/s3";
import type { FileStore } from "#server/platform/deps.ts";
import { type Env, EnvError } from "#server/platform/env.ts";
import { AppError } from "#server/platform/errors.ts";
import { uploadTexts } from "#shared/files.ts";
import { asStorageError, openPartialFolder } from "./partial-files.ts";
import { checkedKey, FileMissingError, isStorageKey } from "./storage.ts";

type Settings = NonNullable<Env["s3"]>;

const second = 1000;
const WRITE_ATTEMPTS = 3;

/**
 * Files in a bucket of an S3 server. An upload is collected in a local file before it is sent: S3 must know its size,
 * wouldn't wait for a slow phone, and so never holds a part of one.
 * Throws EnvError where the server refuses the bucket; one that can't be reached at the start may come back.
 */
export async function createS3Storage(settings: Settings, { dataDir }: { dataDir: string }): Promise<FileStore> {
  const { bucket: Bucket } = settings;
  const partials = await openPartialFolder(dataDir);
  // Two sets of connections: people who download slowly hold theirs for long, and must not keep others from sending.
  const reader = connect(settings, { requestTimeout: 15 * second, socketTimeout: 300 * second, maxSockets: 1000 });
  const client = connect(settings, { socketTimeout: 30 * second, maxSockets: 100 });
  await requireBucket(client, settings);

  // flydrive's driver neither reads ranges nor lists a bucket with foreign names in it: those are ours.
  const driver = new S3Driver({ client, bucket: Bucket, visibility: "private", supportsACL: false });

  const asked = async <T>(key: string, use: () => Promise<T>) => asking(checkedKey(key), uploadTexts.notLoaded, use);

  return {
    async write(key, source) {
      checkedKey(key);
      if (source instanceof Uint8Array) {
        const ContentMD5 = createHash("md5").update(source).digest("base64");
        return asking(key, uploadTexts.notStored, () => driver.put(key, source, withHash(ContentMD5)));
      }
      const temporary = partials.newPath();
      try {
        const { bytes, md5 } = await collect(source, temporary);
        await asking(key, uploadTexts.notStored, () =>
          again(async () => {
            const body = createReadStream(temporary);
            try {
              await driver.putStream(key, body, { contentLength: bytes, ...withHash(md5) });
            } finally {
              body.destroy();
            }
          }),
        );
      } finally {
        await rm(temporary, { force: true });
      }
    },
    async read(key, range) {
      const command = new GetObjectCommand({
        Bucket,
        Key: key,
        ...(range && { Range: `bytes=${range.start}-${range.end}` }),
      });
      const { Body } = await asked(key, () => reader.send(command));
      if (!(Body instanceof Readable)) throw new Error(`the S3 server sent no stream for ${key}`);
      return Body;
    },
    async size(key) {
      const { ContentLength } = await asked(key, () => reader.send(new HeadObjectCommand({ Bucket, Key: key })));
      return ContentLength ?? 0;
    },
    exists: (key) => asked(key, () => driver.exists(key)),
    async move(key, newKey) {
      checkedKey(newKey);
      await asked(key, () => driver.move(key, newKey));
    },
    remove: (key) => asked(key, () => driver.delete(key)),
    async *list(prefix = "") {
      if (prefix !== "") checkedKey(prefix.replace(/\/$/, ""));
      const pages = paginateListObjectsV2({ client }, { Bucket, Prefix: prefix })[Symbol.asyncIterator]();
      for (;;) {
        const page = await asking(prefix, uploadTexts.notLoaded, () => pages.next());
        if (page.done) return;
        for (const { Key: key, LastModified: modifiedAt } of page.value.Contents ?? []) {
          if (key !== undefined && modifiedAt !== undefined && isStorageKey(key)) yield { key, modifiedAt };
        }
      }
    },
  };
}

type Limits = { requestTimeout?: number; socketTimeout: number; maxSockets: number };

function connect(settings: Settings, { maxSockets, ...timeouts }: Limits): S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey } = settings;
  const config: S3ClientConfig = {
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Every S3 server knows buckets as a part of the path, not every one as a name of a machine.
    forcePathStyle: true,
    // Every failure is thrown: what the SDK writes on its own about some would stand in the log twice.
    logger: silentLogger,
    // The newer checksums are unknown to many servers that aren't Amazon's.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: 3 * second,
      throwOnRequestTimeout: true,
      ...timeouts,
      httpAgent: { maxSockets },
      httpsAgent: { maxSockets },
    },
  };
  return new S3Client(config);
}

const silent = () => {};
const silentLogger = { debug: silent, info: silent, warn: silent, error: silent };

async function requireBucket(client: S3Client, { bucket, endpoint }: Settings): Promise<void> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }));
  } catch (error) {
    const status = statusOf(error);
    if (status === undefined || status >= 500) return;
    const fault = status === 404 ? "doesn't exist" : `can't be used with this key (status ${status})`;
    throw new EnvError([`S3_BUCKET: the bucket ${bucket} of ${endpoint} ${fault}`]);
  }
}

/** The server compares it with what has arrived. */
const withHash = (ContentMD5: string) => ({ ContentMD5 });

/** Writes what the source gives to a local file, counted and hashed. */
async function collect(source: AsyncIterable<Uint8Array>, path: string): Promise<{ bytes: number; md5: string }> {
  const hash = createHash("md5");
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  try {
    await pipeline(source, counted, createWriteStream(path, { flags: "wx", mode: 0o640 }));
  } catch (error) {
    throw asStorageError(error);
  }
  return { bytes, md5: hash.digest("base64") };
}

/** The SDK sends a stream once; after a lost connection or a fault of the server it is read and sent anew. */
async function again(send: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      const status = statusOf(error);
      if (attempt === WRITE_ATTEMPTS || (status !== undefined && status < 500)) throw error;
    }
  }
}

/** What the server doesn't have is a FileMissingError, any other failure an AppError "unavailable" with this text. */
async function asking<T>(key: string, text: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    if (error instanceof Error && (error.name === "NoSuchKey" || error.name === "NotFound")) {
      throw new FileMissingError(key);
    }
    throw new AppError("unavailable", text, { cause: error });
  }
}

/** The HTTP status that the server answered with; undefined where there was no answer. */
function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}
