import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { createStorage } from "#server/files/open-storage.ts";
import { receiveUpload } from "#server/files/uploads.ts";
import { registerUploads } from "#server/http/upload-scope.ts";
import type { FileStorage } from "#server/platform/deps.ts";
import type { FileKind } from "#shared/files.ts";
import { httpApp, listening, tempFolder, testEnv, testOrigin } from "#tests/support/http-app.ts";
import { cfbFile, zipFile } from "#tests/support/sample-files.ts";

const png = Buffer.concat([
  Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
  Buffer.from("00000001000000010806000000376ef924", "hex"),
  Buffer.from("0000000a4944415478da6300010000050001", "hex"),
  Buffer.alloc(5000, 1),
]);
const pdf = Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n");
const headers = { origin: testOrigin, "x-upload": "1" };

async function uploadServer() {
  const folder = await tempFolder();
  const storage = await createStorage({ dataDir: folder });
  const app = httpApp();
  await registerUploads(app, testEnv(), (scope) => {
    scope.post<{ Params: { kind: FileKind } }>("/uploads/:kind", (request) =>
      receiveUpload(request, { kind: request.params.kind, storage }),
    );
  });
  const url = await listening(app);
  const send = (kind: FileKind, body: FormData) => fetch(`${url}/uploads/${kind}`, { method: "POST", headers, body });
  return { url, folder, storage, send, nothingStored: () => expectNothingStored(folder) };
}

async function expectNothingStored(folder: string): Promise<void> {
  // An upload that breaks off is cleaned up after its connection is gone.
  await expect.poll(() => storedIn(folder), { timeout: 3000 }).toEqual([]);
}

async function storedIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(folder, "files"), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

function form(file: Buffer, name: string, type = "application/octet-stream"): FormData {
  const body = new FormData();
  body.set("projectId", "42");
  body.set("file", new File([Uint8Array.from(file)], name, { type }));
  return body;
}

const refused = (text: string) => ({ error: { reason: "invalid", message: text, fields: { file: [text] } } });

test("a receipt is stored as it was sent, with its hash, size, type and name", async () => {
  const { send, storage } = await uploadServer();
  const answer = await send("receipt", form(png, "réçu ₦500.png", "text/plain"));
  expect(answer.status).toBe(200);
  const received = await answer.json();
  expect(received).toEqual({
    key: expect.stringMatching(/^receipt\/[0-9a-f]{32}$/),
    sha256: createHash("sha256").update(png).digest("hex"),
    bytes: png.length,
    contentType: "image/png",
    originalName: "réçu ₦500.png",
    fields: { projectId: "42" },
  });
  expect(await storedBytes(storage, received.key)).toEqual(png);
});

async function storedBytes(storage: FileStorage, key: string): Promise<Buffer> {
  return Buffer.concat(await (await storage.read(key)).toArray());
}

test.each<[FileKind, string, Buffer, string]>([
  ["receipt", "image/jpeg", Buffer.concat([Buffer.from("ffd8ffe000104a46494600", "hex"), Buffer.alloc(100)]), "a.jpg"],
  ["receipt", "application/pdf", pdf, "a.pdf"],
  ["resume", "application/pdf", pdf, "a.pdf"],
  ["resume", "application/msword", cfbFile("WordDocument"), "cv.doc"],
  [
    "resume",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    zipFile({ "word/document.xml": "<w:document/>".repeat(2000), "[Content_Types].xml": docxContentTypes() }),
    "cv.docx",
  ],
])("%s: %s is known by its content", async (kind, contentType, file, name) => {
  const { send } = await uploadServer();
  const answer = await send(kind, form(file, name));
  expect(await answer.json()).toMatchObject({ contentType, bytes: file.length });
});

function docxContentTypes(): string {
  const main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
  return `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`;
}

test.each<[FileKind, string, Buffer, string, string]>([
  [
    "receipt",
    "a page named as a picture",
    Buffer.from("<!doctype html><script>1</script>"),
    "a.png",
    "Please upload an image or PDF",
  ],
  [
    "receipt",
    "an SVG",
    Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
    "a.png",
    "Please upload an image or PDF",
  ],
  [
    "receipt",
    "a program",
    Buffer.concat([Buffer.from("MZ"), Buffer.alloc(9000)]),
    "a.pdf",
    "Please upload an image or PDF",
  ],
  ["receipt", "a Word document", cfbFile("WordDocument"), "a.pdf", "Please upload an image or PDF"],
  ["resume", "a picture", png, "cv.pdf", "Please upload a PDF or Word document"],
  ["resume", "an Excel file", cfbFile("Workbook"), "cv.doc", "Please upload a PDF or Word document"],
  ["resume", "any archive", zipFile({ "a.txt": "hello" }), "cv.docx", "Please upload a PDF or Word document"],
  ["receipt", "nothing", Buffer.alloc(0), "a.png", "This file is empty. Please choose another one."],
])("%s: %s is refused whatever its name", async (kind, _what, file, name, text) => {
  const { send, nothingStored } = await uploadServer();
  const answer = await send(kind, form(file, name, "image/png"));
  expect(answer.status).toBe(400);
  expect(await answer.json()).toEqual(refused(text));
  await nothingStored();
});

test("a file over the limit is refused and leaves nothing, also when its size isn't announced", async () => {
  const { url, send, nothingStored } = await uploadServer();
  const tooLarge = Buffer.concat([png, Buffer.alloc(10 * 1024 * 1024 - png.length + 1)]);
  const announced = await send("receipt", form(tooLarge, "a.png"));
  expect(await announced.json()).toEqual(refused("File size must be less than 10MB"));

  const asRequest = new Request(url, { method: "POST", body: form(tooLarge, "a.png") });
  const chunked = await fetch(`${url}/uploads/receipt`, {
    method: "POST",
    headers: { ...headers, "content-type": asRequest.headers.get("content-type") ?? "" },
    body: asRequest.body,
    duplex: "half",
  } as RequestInit);
  expect(chunked.status).toBe(400);
  expect(await chunked.json()).toEqual(refused("File size must be less than 10MB"));
  await nothingStored();
});

test("a file of exactly the limit is taken", async () => {
  const { send } = await uploadServer();
  const largest = Buffer.concat([png, Buffer.alloc(10 * 1024 * 1024 - png.length)]);
  expect((await send("receipt", form(largest, "a.png"))).status).toBe(200);
});

test("no file, two files and a broken form are refused with a text", async () => {
  const { url, send, nothingStored } = await uploadServer();
  const empty = new FormData();
  empty.set("projectId", "42");
  expect(await (await send("receipt", empty)).json()).toEqual(refused("Please choose your payment receipt"));

  const two = form(png, "a.png");
  two.append("file", new File([png], "b.png"));
  expect(await (await send("receipt", two)).json()).toEqual(refused("Please choose one file only."));

  const many = form(png, "a.png");
  for (let index = 0; index < 20; index += 1) many.set(`field${index}`, "x");
  expect((await send("receipt", many)).status).toBe(400);

  const long = form(png, "a.png");
  long.set("note", "x".repeat(5000));
  expect((await send("receipt", long)).status).toBe(400);

  for (const body of ["", "nonsense", '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc']) {
    const type = { ...headers, "content-type": "multipart/form-data; boundary=b" };
    const answer = await fetch(`${url}/uploads/receipt`, { method: "POST", headers: type, body });
    expect(answer.status, body).toBe(400);
  }
  await nothingStored();
});

test("a name that climbs out of its folder is only a name", async () => {
  const { send, folder } = await uploadServer();
  for (const name of ["../../../etc/passwd.png", "..\\..\\boot.png", "a\u202Egnp.exe\u0000"]) {
    const { originalName, key } = await (await send("receipt", form(png, name))).json();
    expect(originalName).not.toMatch(/[/\\\p{C}]/u);
    expect(await readFile(join(folder, "files", key))).toEqual(png);
  }
  const { originalName } = await (await send("receipt", form(png, `${"x".repeat(500)}.png`))).json();
  expect(originalName).toMatch(/^x{146}\.png$/);
});

test("a route that refuses before it looks at the body doesn't read all of it", async () => {
  const { url } = await uploadServer();
  let sent = 0;
  async function* body() {
    for (; sent < 200; sent += 1) yield Buffer.alloc(1024 * 1024);
  }
  const answer = await fetch(`${url}/uploads/video`, {
    method: "POST",
    headers: { origin: testOrigin, "content-type": "multipart/form-data; boundary=b" },
    body: Readable.toWeb(Readable.from(body())),
    duplex: "half",
  } as RequestInit);
  expect(answer.status).toBe(403);
  expect(sent).toBeLessThan(60);
});

test("300 MB are refused early and in flat memory", { timeout: 30_000 }, async () => {
  const { url, nothingStored } = await uploadServer();
  const before = process.memoryUsage.rss();
  let peak = before;
  let sent = 0;
  const head = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\n\r\n`;
  const mp4 = Buffer.from("000000186674797069736f6d0000020069736f6d69736f32", "hex");
  const megabyte = Buffer.alloc(1024 * 1024);
  async function* body() {
    yield Buffer.from(head);
    yield mp4;
    for (; sent < 300; sent += 1) {
      peak = Math.max(peak, process.memoryUsage.rss());
      yield megabyte;
    }
    yield Buffer.from("\r\n--b--\r\n");
  }
  const answer = await fetch(`${url}/uploads/video`, {
    method: "POST",
    headers: { ...headers, "content-type": "multipart/form-data; boundary=b" },
    body: Readable.toWeb(Readable.from(body())),
    duplex: "half",
  } as RequestInit);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toEqual(refused("File size must be less than 200MB"));
  expect(sent).toBeLessThan(260);
  // Test runner, client and server share this process.
  expect(peak - before).toBeLessThan(120 * 1024 * 1024);
  await nothingStored();
});
