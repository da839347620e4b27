import { createHash, randomBytes, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { startSession } from "#server/accounts/sessions.ts";
import { buildApp } from "#server/app.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { paymentReceipts, projectPayments } from "#server/db/schema/payments.ts";
import { users } from "#server/db/schema/users.ts";
import { requireShowable } from "#server/files/showable.ts";
import { newFileKey } from "#server/files/storage.ts";
import { sessionCookieName } from "#server/platform/context.ts";
import { fileRules, pdfTexts, photoTexts, uploadTexts } from "#shared/files.ts";
import { paymentTexts } from "#shared/payments/texts.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { agreeToTerms, expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { readPdf } from "#tests/support/pdf-text.ts";
import { callAs, cookieJar, createAdmin, createUser, dismissAdmins, type TestUser } from "#tests/support/people.ts";
import { createProject, type TestProject } from "#tests/support/projects.ts";
import { pdfFile } from "#tests/support/protected-pdf.ts";
import { pngFile, pngHead } from "#tests/support/sample-files.ts";

const picture = pngFile();
const png = (size = 2000) => Buffer.concat([picture, randomBytes(size)]);
const pdf = Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n");

const deps = await openTestDeps();
let app: FastifyInstance;
let url: string;
let backer: TestUser;
let cookie: string;
let project: TestProject;
let filesBefore: number;

beforeAll(async () => {
  await setBankDetails(deps.db);
  app = await buildApp(deps, { distDir: "/nowhere" });
  url = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  await app.close();
});
beforeEach(async () => {
  await dismissAdmins(deps.db);
  backer = await createUser(deps.db);
  cookie = await cookieOf(backer);
  project = await createProject(deps.db);
  await agreeToTerms(deps, backer, project.id);
  filesBefore = await countFiles();
});
afterEach(async () => {
  await expectMoneyHolds(deps);
  // Every stored file belongs to a receipt, and every receipt has its file.
  await expect.poll(countFiles).toBe(await deps.db.$count(storedFiles));
  expect(await deps.db.$count(storedFiles)).toBe(await deps.db.$count(paymentReceipts));
});

async function cookieOf(person: Pick<TestUser, "id" | "isAdmin">): Promise<string> {
  const kind = person.isAdmin ? "admin" : "backer";
  const token = await startSession(deps, { userId: person.id, kind, device: "Test", ipAddress: "127.0.0.1" });
  return `${sessionCookieName(deps.env)}=${token}`;
}

async function countFiles(): Promise<number> {
  let count = 0;
  for await (const _file of deps.storage.list()) count += 1;
  return count;
}

type Form = { file?: Uint8Array | undefined; fields?: Record<string, string>; name?: string };

function formOf({ file, fields, name = "receipt.png" }: Form): FormData {
  const form = new FormData();
  const values = fields ?? { projectId: String(project.id), idempotencyKey: randomUUID() };
  for (const [field, value] of Object.entries(values)) form.append(field, value);
  if (file) form.append("file", new File([Uint8Array.from(file)], name));
  return form;
}

async function upload(form: Form, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/uploads/receipts`, {
    method: "POST",
    headers: { origin: deps.env.publicUrl, "x-upload": "1", cookie, ...headers },
    body: formOf(form),
  });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, body };
}

const refused = (reason: string, message: unknown) => ({ error: expect.objectContaining({ reason, message }) });

async function expectNothingSent() {
  expect(await deps.db.select().from(projectPayments).where(eq(projectPayments.projectId, project.id))).toEqual([]);
  await expect.poll(countFiles).toBe(filesBefore);
}

describe("POST /uploads/receipts", () => {
  test("keeps the receipt and answers with the payment", async () => {
    const { status, body } = await upload({ file: png() });
    expect(status).toBe(200);
    expect(body).toEqual({
      paymentId: expect.any(Number),
      receiptId: expect.any(String),
      reference: expect.stringMatching(/^GONA-/),
      amountKobo: "50000000",
      submittedAt: deps.clock.now().toISOString(),
    });
  });

  test("takes a picture of exactly 40 megapixels, and refuses a larger one before anybody's browser decodes it", async () => {
    expect((await upload({ file: pngFile(8000, 5000) })).status).toBe(200);
    project = await createProject(deps.db);
    await agreeToTerms(deps, backer, project.id);
    filesBefore = await countFiles();
    for (const [width, height] of [[8001, 5000] as const, [60_000, 60_000] as const]) {
      const file = Buffer.concat([pngHead(width, height), randomBytes(2000)]);
      expect(await upload({ file })).toEqual({ status: 400, body: refused("invalid", photoTexts.pixels) });
    }
    await expectNothingSent();
  });

  test("refuses a picture that nothing can read, and nothing changes", async () => {
    const file = Buffer.concat([pngHead(0, 1), randomBytes(2000)]);
    expect(await upload({ file })).toEqual({ status: 400, body: refused("invalid", photoTexts.unreadable) });
    await expectNothingSent();
  });

  const cut = (bytes: Buffer, share: number) => bytes.subarray(0, Math.floor(bytes.length * share));
  const photo = (format: "jpeg" | "png" | "webp", options = {}) =>
    sharp(randomBytes(300 * 200 * 3), { raw: { width: 300, height: 200, channels: 3 } })
      .toFormat(format, options)
      .toBuffer();

  test.each([
    ["a JPEG", "jpeg", {}],
    ["a progressive JPEG", "jpeg", { progressive: true }],
    ["a PNG", "png", {}],
    ["an interlaced PNG", "png", { progressive: true }],
    ["a WebP", "webp", {}],
  ] as const)(
    "refuses %s that ends in the middle, and takes the whole one as it came",
    async (_what, format, options) => {
      const whole = await photo(format, options);
      for (const share of [0.3, 0.7, 0.99]) {
        const answer = await upload({ file: cut(whole, share) });
        expect(answer, `${share} of it`).toEqual({ status: 400, body: refused("invalid", photoTexts.unreadable) });
      }
      await expectNothingSent();
      expect((await upload({ file: whole })).status).toBe(200);
      const sha256 = createHash("sha256").update(whole).digest("hex");
      expect(await deps.db.$count(storedFiles, eq(storedFiles.sha256, sha256))).toBe(1);
    },
  );

  test.each([
    ["RC4", "1.4"],
    ["AES-256", "1.7ext3"],
  ] as const)(
    "refuses a PDF that asks for a password, by %s, and takes one that opens without",
    async (_by, version) => {
      const asking = await pdfFile({ version, userPassword: "0123", ownerPassword: "owner" });
      expect(await upload({ file: asking })).toEqual({ status: 400, body: refused("invalid", pdfTexts.password) });
      await expectNothingSent();
      // Printing and copying are forbidden to all but the owner.
      const open = await pdfFile({ version, ownerPassword: "owner" });
      expect(open.includes("/Encrypt")).toBe(true);
      expect((await upload({ file: open })).status).toBe(200);
    },
  );

  test("refuses a PDF whose encryption nothing can open", async () => {
    const asking = (await pdfFile({ userPassword: "0123" })).toString("latin1").replaceAll("/Standard", "/Unheard1");
    const answer = await upload({ file: Buffer.from(asking, "latin1") });
    expect(answer).toEqual({ status: 400, body: refused("invalid", pdfTexts.unreadable) });
    await expectNothingSent();
  });

  test("takes a PDF that begins within 1,024 bytes, as its viewer does, and not one that begins later", async () => {
    const whole = await pdfFile();
    const late = Buffer.concat([Buffer.alloc(1020, "\n"), whole]);
    expect(await upload({ file: late })).toEqual({
      status: 400,
      body: refused("invalid", fileRules.receipt.texts.type),
    });
    await expectNothingSent();
    for (const before of ["\r\n\r\n", "\u001b%-12345X@PJL ENTER LANGUAGE=PDF\n", "x".repeat(1019)]) {
      const file = Buffer.concat([Buffer.from(before), whole]);
      const { status, body } = await upload({ file });
      expect(status).toBe(200);
      const [kept] = await deps.db
        .select({ contentType: storedFiles.contentType })
        .from(storedFiles)
        .innerJoin(paymentReceipts, eq(paymentReceipts.fileId, storedFiles.id))
        .where(eq(paymentReceipts.id, String(body.receiptId)));
      expect(kept).toEqual({ contentType: "application/pdf" });
      // The library of the viewer reads it.
      expect(await readPdf(file)).toBe("");
    }
  });

  test("has few of many receipts in memory at once while it looks at them", async () => {
    const keys = Array.from({ length: 12 }, () => newFileKey("receipt"));
    for (const key of keys) await deps.storage.write(key, pngFile(2000, 2000));
    let [inMemory, most] = [0, 0];
    const storage: typeof deps.storage = {
      ...deps.storage,
      read(key) {
        inMemory += 1;
        most = Math.max(most, inMemory);
        return deps.storage.read(key);
      },
    };
    const look = (key: string) =>
      requireShowable({ ...deps, storage }, { key, contentType: "image/png" }).finally(() => {
        inMemory -= 1;
      });
    await Promise.all(keys.map(look));
    for (const key of keys) await deps.storage.remove(key);
    // Four, and the one that begins as another ends.
    expect(most).toBeLessThan(6);
  });

  test("says what to do with a HEIC photo, whatever it is called", async () => {
    for (const brand of ["heic", "mif1"]) {
      const file = Buffer.concat([Buffer.from(`\0\0\0\x1cftyp${brand}\0\0\0\0mif1heicmiaf`), randomBytes(9000)]);
      const answer = await upload({ file, name: "IMG_0001.jpg" });
      expect(answer).toEqual({ status: 400, body: refused("invalid", uploadTexts.heic) });
    }
    await expectNothingSent();
  });

  test("refuses a PDF that ends in the middle, and takes the whole one", async () => {
    const body = "1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages >>\nendobj\n";
    const tail = "xref\n0 3\ntrailer\n<< /Root 1 0 R >>\nstartxref\n100\n%%EOF\n";
    // As for the web: where to begin also stands in front.
    const early = "9 0 obj\n<< /Linearized 1 >>\nendobj\nstartxref\n0\n%%EOF\n";
    for (const head of ["%PDF-1.7\n", `%PDF-1.7\n${early}`]) {
      for (const file of [head + body, head + body.slice(0, -30)]) {
        const answer = await upload({ file: Buffer.from(file) });
        expect(answer).toEqual({ status: 400, body: refused("invalid", pdfTexts.unreadable) });
      }
    }
    await expectNothingSent();
    const wholes = [
      `%PDF-1.7\n${body}${tail}`,
      `%PDF-1.7\n${early}${body}${tail}`,
      `%PDF-1.4\n${body}${tail}${"\0".repeat(5000)}`,
    ];
    for (const file of [...wholes, `${wholes[0]}3 0 obj\n<<>>\nendobj\n${tail}`]) {
      expect((await upload({ file: Buffer.from(file) })).status).toBe(200);
    }
  });

  test("refuses a project that doesn't exist, and nothing changes", async () => {
    const fields = { projectId: "2000000000", idempotencyKey: randomUUID() };
    expect(await upload({ file: png(), fields })).toEqual({
      status: 404,
      body: refused("not_found", "Project not found"),
    });
    await expectNothingSent();
  });

  test("acts for the session's person, whoever the form names", async () => {
    const stranger = await createUser(deps.db);
    const fields = {
      projectId: String(project.id),
      idempotencyKey: randomUUID(),
      userId: stranger.id,
      amountKobo: "1",
      status: "approved",
    };
    expect((await upload({ file: png(), fields })).status).toBe(200);
    const payments = await deps.db.select().from(projectPayments).where(eq(projectPayments.projectId, project.id));
    expect(payments).toMatchObject([{ userId: backer.id, amountKobo: 50_000_000n, status: "pending" }]);
  });
});

describe("GET /files/receipts", () => {
  /** Sends a file and gives the link that this person gets for it. */
  async function linkFor(person: TestUser, file: Uint8Array = png(), name?: string) {
    const { body } = await upload({ file, ...(name ? { name } : {}) });
    const jar = cookieJar();
    const caller = await callAs(deps, person, { jar });
    const link = await caller.receipts.link({ paymentId: Number(body.paymentId) });
    const session = `${sessionCookieName(deps.env)}=${jar.get(sessionCookieName(deps.env))}`;
    return { link, session, paymentId: Number(body.paymentId) };
  }
  const get = (path: string, session: string) => fetch(`${url}${path}`, { headers: { cookie: session } });

  test("gives a manager the bytes as they were sent, inline, sandboxed and not to be kept", async () => {
    const file = png();
    const { link, session } = await linkFor(await createAdmin(deps.db, "manager"), file);
    const answer = await get(link.url, session);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(file)).toBe(true);
    expect(answer.headers.get("content-type")).toBe("image/png");
    expect(answer.headers.get("content-disposition")).toMatch(/^inline;/);
    expect(answer.headers.get("content-security-policy")).toContain("sandbox");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("cache-control")).toContain("no-store");
  });

  test("sends a PDF only as an attachment, and the backer may read their own", async () => {
    const { link, session } = await linkFor(backer, pdf, 'rec"eipt\r\n.pdf');
    expect(link.contentType).toBe("application/pdf");
    const answer = await get(link.url, session);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment;/);
  });

  test("works in the session it was made for only, unaltered, for 3600 seconds", async () => {
    const manager = await createAdmin(deps.db, "manager");
    const { link, session } = await linkFor(manager);
    expect((await get(link.url, await cookieOf(manager))).status).toBe(403);
    expect((await get(link.url, "")).status).toBe(401);
    expect(
      (
        await get(
          link.url.replace(/signature=(.)/, (_, first) => `signature=${first === "_" ? "-" : "_"}`),
          session,
        )
      ).status,
    ).toBe(403);
    expect((await get(link.url.replace(/expires=\d+/, "expires=99999999999"), session)).status).toBe(403);
    expect((await get(link.url.split("?")[0] ?? "", session)).status).toBe(403);
    // Administrators' sessions idle out before the link does, so a backer's longer one is used.
    const { link: own, session: ownSession } = await linkFor(backer);
    deps.clock.advance({ seconds: 3599 });
    expect((await get(own.url, ownSession)).status).toBe(200);
    deps.clock.advance({ seconds: 1 });
    expect((await get(own.url, ownSession)).status).not.toBe(200);
  });

  test("is closed to strangers and viewers, and to a manager whose right is gone", async () => {
    const manager = await createAdmin(deps.db, "manager");
    const { link, session, paymentId } = await linkFor(manager);
    for (const who of ["backer", "viewer"] as const) {
      const caller = await callAs(deps, who);
      await expect(caller.receipts.link({ paymentId })).rejects.toMatchObject({
        code: "NOT_FOUND",
        message: "No receipt available for this payment",
      });
    }
    await deps.db.update(users).set({ isAdmin: false }).where(eq(users.id, manager.id));
    expect((await get(link.url, session)).status).toBe(404);
  });

  test("says that a receipt whose bytes are gone can't be accessed", async () => {
    const { link, session } = await linkFor(backer);
    const size = vi.spyOn(deps.storage, "size").mockRejectedValue(new Error("the disk is broken"));
    const answer = await get(link.url, session);
    size.mockRestore();
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({
      error: { reason: "not_found", message: paymentTexts.receiptUnavailable },
    });
    expect((await get("/files/receipts/not-a-receipt?expires=1&signature=x", session)).status).toBe(404);
  });
});
