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
 * Stores files in a bucket of an S3 server. An upload is first collected in a local file: S3 needs its size, times out
 * on slow phones, and so never holds a part of a file.
 * Throws EnvError if the server refuses the bucket. A server that is unreachable at the start may come back.
 */
export async function createS3Storage(settings: Settings, { dataDir }: { dataDir: string }): Promise<FileStore> {
  const { bucket: Bucket } = settings;
  const partials = await openPartialFolder(dataDir);
  // Two connection pools: slow downloads hold theirs for long, and must not block uploads.
  const reader = connect(settings, { requestTimeout: 15 * second, socketTimeout: 300 * second, maxSockets: 1000 });
  const client = connect(settings, { socketTimeout: 30 * second, maxSockets: 100 });
  await requireBucket(client, settings);

  // flydrive's driver can't read ranges, nor list a bucket that contains foreign names. Our code does these itself.
  const driver = new S3Driver({ client, bucket: Bucket, visibility: "private", supportsACL: false });

  const request = async <T>(key: string, use: () => Promise<T>) =>
    orStorageError(checkedKey(key), uploadTexts.notLoaded, use);

  return {
    async write(key, source) {
      checkedKey(key);
      if (source instanceof Uint8Array) {
        const ContentMD5 = createHash("md5").update(source).digest("base64");
        return orStorageError(key, uploadTexts.notStored, () => driver.put(key, source, withHash(ContentMD5)));
      }
      const temporary = partials.newPath();
      try {
        const { bytes, md5 } = await collect(source, temporary);
        await orStorageError(key, uploadTexts.notStored, () =>
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
      const { Body } = await request(key, () => reader.send(command));
      if (!(Body instanceof Readable)) throw new Error(`the S3 server sent no stream for ${key}`);
      return Body;
    },
    async size(key) {
      const { ContentLength } = await request(key, () => reader.send(new HeadObjectCommand({ Bucket, Key: key })));
      return ContentLength ?? 0;
    },
    exists: (key) => request(key, () => driver.exists(key)),
    async move(key, newKey) {
      checkedKey(newKey);
      await request(key, () => driver.move(key, newKey));
    },
    remove: (key) => request(key, () => driver.delete(key)),
    async *list(prefix = "") {
      if (prefix !== "") checkedKey(prefix.replace(/\/$/, ""));
      const pages = paginateListObjectsV2({ client }, { Bucket, Prefix: prefix })[Symbol.asyncIterator]();
      for (;;) {
        const page = await orStorageError(prefix, uploadTexts.notLoaded, () => pages.next());
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
    // Every S3 server accepts the bucket in the path; not every one accepts it in the host name.
    forcePathStyle: true,
    // Every failure is thrown and logged by us, so the SDK's own log would repeat it.
    logger: silentLogger,
    // Many servers other than Amazon's don't know the newer checksums.
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

/** The server compares it with the received bytes. */
const withHash = (ContentMD5: string) => ({ ContentMD5 });

/** Writes the source to a local file, and counts and hashes it. */
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

/** The SDK can send a stream only once. After a lost connection or a server error the file is read and sent again. */
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

/** Converts a missing file to FileMissingError, and any other failure to AppError "unavailable" with this text. */
async function orStorageError<T>(key: string, text: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    if (error instanceof Error && (error.name === "NoSuchKey" || error.name === "NotFound")) {
      throw new FileMissingError(key);
    }
    throw new AppError("unavailable", text, { cause: error });
  }
}

/** The HTTP status of the server's response; undefined without a response. */
function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}
