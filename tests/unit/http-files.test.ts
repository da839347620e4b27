import { expect, onTestFinished, test } from "vitest";
import { createStorage } from "#server/files/open-storage.ts";
import { sendFile } from "#server/files/send-file.ts";
import { newFileKey } from "#server/files/storage.ts";
import type { Env } from "#server/platform/env.ts";
import { httpApp, tempFolder } from "#tests/support/http-app.ts";
import { startS3 } from "#tests/support/s3-server.ts";

type Where = { s3?: Env["s3"] };

async function fileApp(file: Partial<Parameters<typeof sendFile>[1]> = {}, where: Where = {}) {
  const storage = await createStorage({ dataDir: await tempFolder(), ...where });
  const key = newFileKey("receipt");
  await storage.write(key, Buffer.from("0123456789"));
  const app = httpApp();
  app.get("/file", (_request, reply) =>
    sendFile(reply, { storage, key, contentType: "image/png", originalName: "a.png", disposition: "inline", ...file }),
  );
  return app;
}

test("a private file is sent so that it can't run, be guessed at or be kept", async () => {
  const answer = await (await fileApp()).inject("/file");
  expect(answer.statusCode).toBe(200);
  expect(answer.body).toBe("0123456789");
  expect(answer.headers).toMatchObject({
    "content-type": "image/png",
    "content-length": "10",
    "content-disposition": `inline; filename="a.png"; filename*=UTF-8''a.png`,
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
    "cache-control": "private, no-store",
    "accept-ranges": "bytes",
  });
});

test("what everyone may see is kept for ever", async () => {
  const answer = await (await fileApp({ cache: "public" })).inject("/file");
  expect(answer.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
});

test.each(["application/pdf", "application/msword", "text/html", "image/svg+xml"])(
  "%s is an attachment even if it was to be shown",
  async (contentType) => {
    const answer = await (await fileApp({ contentType, disposition: "inline" })).inject("/file");
    expect(answer.headers["content-disposition"]).toMatch(/^attachment;/);
  },
);

test("names keep their letters and can't break out of the header", async () => {
  const originalName = `réçu "₦5%" (a)*'b'\\\r\n.pdf`;
  const header = (await (await fileApp({ originalName })).inject("/file")).headers["content-disposition"];
  expect(header).toBe(
    `inline; filename="r__u __5__ (a)*'b'___.pdf"; filename*=UTF-8''r%C3%A9%C3%A7u%20%22%E2%82%A65%25%22%20%28a%29%2A%27b%27%5C%0D%0A.pdf`,
  );
});

const ranges: [string, number, string, string | undefined][] = [
  ["bytes=0-3", 206, "0123", "bytes 0-3/10"],
  ["bytes=4-", 206, "456789", "bytes 4-9/10"],
  ["bytes=-2", 206, "89", "bytes 8-9/10"],
  ["bytes=-99", 206, "0123456789", "bytes 0-9/10"],
  ["bytes=8-99", 206, "89", "bytes 8-9/10"],
  ["bytes=9-9", 206, "9", "bytes 9-9/10"],
  ["bytes=10-", 416, "", "bytes */10"],
  ["bytes=-0", 416, "", "bytes */10"],
  ["bytes=5-2", 200, "0123456789", undefined],
  ["bytes=0-1,4-5", 200, "0123456789", undefined],
  ["lines=0-1", 200, "0123456789", undefined],
];

test.each(ranges)("Range %s is answered with %i", async (range, status, body, contentRange) => {
  const answer = await (await fileApp()).inject({ url: "/file", headers: { range } });
  expect([answer.statusCode, answer.body, answer.headers["content-range"]]).toEqual([status, body, contentRange]);
});

test("ranges are answered from S3 as from a disk", async () => {
  const server = await startS3();
  onTestFinished(() => server.remove());
  const app = await fileApp({}, { s3: server.settings });
  for (const [range, status, body, contentRange] of ranges) {
    const answer = await app.inject({ url: "/file", headers: { range } });
    const found = [answer.statusCode, answer.body, answer.headers["content-range"]];
    expect(found, range).toEqual([status, body, contentRange]);
  }
});

test.each(["disk", "S3"])("%s: a part is sent only of the very file that the rest is of", async (kind) => {
  const server = kind === "S3" ? await startS3() : null;
  onTestFinished(async () => server?.remove());
  const app = await fileApp({ cache: "public" }, { s3: server?.settings ?? null });
  const { etag } = (await app.inject("/file")).headers;
  const part = async (headers: Record<string, string>) => {
    const { statusCode, body, headers: sent } = await app.inject({ url: "/file", headers });
    expect([sent["cache-control"], sent["content-security-policy"], sent["accept-ranges"], sent.etag]).toEqual([
      "public, max-age=31536000, immutable",
      "sandbox; default-src 'none'",
      "bytes",
      etag,
    ]);
    return [statusCode, body];
  };
  const range = "bytes=4-";
  expect(await part({ range, "if-range": String(etag) })).toEqual([206, "456789"]);
  // Another file's, only a weak one's, and a date: we name none.
  for (const other of ['"other"', `W/${etag}`, "Wed, 21 Oct 2026 07:28:00 GMT"])
    expect(await part({ range, "if-range": other })).toEqual([200, "0123456789"]);
  expect(await part({ range, "if-none-match": String(etag) })).toEqual([304, ""]);
  expect(await part({ range: "bytes=10-", "if-range": String(etag) })).toEqual([416, ""]);
});

test("HEAD tells of the whole file, whatever part is asked for", async () => {
  const app = await fileApp();
  const head = await app.inject({ method: "HEAD", url: "/file", headers: { range: "bytes=0-3" } });
  expect([head.statusCode, head.headers["content-length"], head.headers["content-range"]]).toEqual([
    200,
    "10",
    undefined,
  ]);
});

test.each(["disk", "S3"])("%s: HEAD says the size, and a file that is gone is not found", async (kind) => {
  const server = kind === "S3" ? await startS3() : null;
  onTestFinished(async () => server?.remove());
  const where = { s3: server?.settings ?? null };
  const head = await (await fileApp({}, where)).inject({ method: "HEAD", url: "/file" });
  expect([head.statusCode, head.headers["content-length"], head.body]).toEqual([200, "10", ""]);
  const gone = await (await fileApp({ key: newFileKey("receipt") }, where)).inject("/file");
  expect(gone.statusCode).toBe(404);
  expect(gone.headers["content-type"]).toContain("application/json");
});
