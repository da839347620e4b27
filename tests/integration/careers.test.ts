import { randomBytes, randomUUID } from "node:crypto";
import { desc, sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { outgoingMails } from "#server/db/schema/notifications.ts";
import { rateLimits, usedChallenges } from "#server/db/schema/sessions.ts";
import { jobApplications } from "#server/db/schema/team.ts";
import { askHumanCheck } from "#server/platform/human-check.ts";
import { positions } from "#shared/careers/positions.ts";
import { applicationPath } from "#shared/careers/texts.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { offerJobs } from "#tests/support/keep-gona.ts";
import { cfbFile, zipFile } from "#tests/support/sample-files.ts";

const deps = await openTestDeps();
let app: FastifyInstance;
let url: string;

beforeAll(async () => {
  await offerJobs(deps);
  app = await buildApp(deps, { distDir: "/nowhere" });
  url = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  await app.close();
});
beforeEach(async () => {
  await deps.db.delete(rateLimits);
  await deps.db.delete(outgoingMails);
  await deps.db.delete(jobApplications);
  await deps.db.delete(storedFiles);
  for await (const { key } of deps.storage.list()) await deps.storage.remove(key);
});
afterEach(async () => {
  // Every stored file belongs to an application's row.
  await expect.poll(countFiles).toBe(await deps.db.$count(storedFiles));
});

async function countFiles(): Promise<number> {
  let count = 0;
  for await (const _file of deps.storage.list()) count += 1;
  return count;
}

const pdf = (size = 500) => Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(size), Buffer.from("\n%%EOF\n")]);
const docx = zipFile({
  "[Content_Types].xml":
    '<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
  "word/document.xml": "<w:document/>",
});
const xlsx = zipFile({
  "[Content_Types].xml":
    '<Types><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
  "xl/workbook.xml": "<workbook/>",
});

const person = {
  fullName: "Ọlá Ìbísí",
  email: "ola@example.com",
  phone: "+234 803 000 0000",
  position: "Farm Hand",
  coverLetter: "I grew up\nbetween fish ponds.",
};

function filledIn(): Record<string, string> {
  const { first, second, challenge } = askHumanCheck(deps);
  const check = { botCheck: "true", challenge, humanVerification: String(first + second) };
  return { ...person, ...check, idempotencyKey: randomUUID() };
}

async function apply(fields: Record<string, string>, file?: Uint8Array, name = "resume.pdf") {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  if (file) form.append("file", new File([Uint8Array.from(file)], name));
  const headers = { origin: deps.env.publicUrl, "x-upload": "1" };
  const response = await fetch(`${url}${applicationPath}`, { method: "POST", headers, body: form });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const kept = () => deps.db.select().from(jobApplications).orderBy(desc(jobApplications.id));

async function expectRefused(fields: Record<string, string>, refusal: object, file: Uint8Array | undefined = pdf()) {
  const usedBefore = await deps.db.$count(usedChallenges);
  const { status, body } = await apply(fields, file);
  expect([status, body]).toEqual([400, { error: expect.objectContaining({ reason: "invalid", ...refusal }) }]);
  expect(await kept()).toEqual([]);
  expect(await deps.db.$count(storedFiles)).toBe(0);
  expect(await deps.db.$count(outgoingMails)).toBe(0);
  expect(await deps.db.$count(usedChallenges)).toBe(usedBefore);
  await expect.poll(countFiles).toBe(0);
}

describe("an application", () => {
  test("without a resume is stored as new, and announced once", async () => {
    expect(await apply(filledIn())).toEqual({ status: 200, body: {} });
    expect(await kept()).toMatchObject([{ ...person, status: "new", resumeFileId: null, createdAt: deps.clock.now() }]);
    const mails = await deps.db.select().from(outgoingMails);
    expect(mails).toMatchObject([{ recipient: "support@gona.example", subject: "New application: Farm Hand" }]);
    expect(mails[0]?.text).toContain(`${deps.env.publicUrl}/admin/applicants`);
  });

  test.each<[string, Buffer, string]>([
    ["resume.pdf", pdf(), "application/pdf"],
    ["resume.docx", docx, "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
    ["resume.doc", cfbFile("WordDocument"), "application/msword"],
  ])("with %s keeps the file privately and mails none of it", async (name, file, contentType) => {
    expect((await apply(filledIn(), file, name)).status).toBe(200);
    const [application] = await kept();
    const [stored] = await deps.db.select().from(storedFiles);
    expect(stored).toMatchObject({ kind: "resume", contentType, originalName: name, uploadedBy: null });
    expect(application?.resumeFileId).toBe(stored?.id);
    expect(await deps.storage.size(stored?.storageKey ?? "")).toBe(file.length);
    const [mail] = await deps.db.select().from(outgoingMails);
    expect(mail?.text).not.toContain(stored?.storageKey);
  });

  test("for each position is taken", async () => {
    for (const { title } of positions) expect((await apply({ ...filledIn(), position: title })).status).toBe(200);
    expect((await kept()).map(({ position }) => position).sort()).toEqual(positions.map(({ title }) => title).sort());
  });

  test("sent again with the same key is one row, one file and one mail, one after the other and five at once", async () => {
    const fields = filledIn();
    for (let count = 0; count < 2; count++) expect((await apply(fields, pdf())).status).toBe(200);
    const atOnce = filledIn();
    const answers = await Promise.all(Array.from({ length: 5 }, () => apply(atOnce, pdf())));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await kept()).toHaveLength(2);
    expect(await deps.db.$count(outgoingMails)).toBe(2);
    expect(await deps.db.$count(storedFiles)).toBe(2);
  });

  test("without a cover letter keeps none, and one of 5000 emoji whole", async () => {
    await apply({ ...filledIn(), coverLetter: " \r\n " });
    expect(await kept()).toMatchObject([{ coverLetter: null }]);
    await apply({ ...filledIn(), coverLetter: "🐟".repeat(5000) });
    expect((await kept())[0]?.coverLetter).toBe("🐟".repeat(5000));
  });
});

describe("is refused and leaves nothing", () => {
  test.each<[string, Record<string, string>, string]>([
    ["no name", { fullName: "" }, "Full name is required"],
    ["a name of one letter", { fullName: " A " }, "Full name is required"],
    ["one letter that takes two units", { fullName: "𞤀" }, "Full name is required"],
    ["a name with a line break", { fullName: "Ada\r\nBcc: x@example.com" }, "Full name is required"],
    ["no address", { email: "" }, "Valid email is required"],
    ["half an address", { email: "ada@" }, "Valid email is required"],
    ["an address with a line break", { email: "ada@example.com\nBcc: x@example.com" }, "Valid email is required"],
    ["a short phone", { phone: "080300000" }, "Valid phone number is required"],
    ["a phone in words", { phone: "call me at home" }, "Valid phone number is required"],
    ["no position", { position: "" }, "Please select a position"],
    ["a position that isn't open", { position: "Chief Executive" }, "Please select a position"],
    ["a cover letter of 5001", { coverLetter: "x".repeat(5001) }, "Cover letter cannot exceed 5000 characters"],
    ["the box not ticked", { botCheck: "false" }, "Please confirm you are a human"],
    ["no answer", { humanVerification: "  " }, "Please answer the math question"],
  ])("%s", async (_what, change, text) => {
    const [field = ""] = Object.keys(change);
    await expectRefused({ ...filledIn(), ...change }, { fields: { [field]: [text] } });
  });

  test.each<[string, Record<string, string>, string, string]>([
    ["a wrong answer", { humanVerification: "99" }, "Incorrect answer, please try again", "wrong"],
    ["no question of ours", { challenge: "x" }, "This question has expired. Please answer the new one.", "expired"],
  ])("%s", async (_what, change, message, humanCheck) => {
    const refusal = { message, fields: { humanVerification: [message] }, details: { humanCheck } };
    await expectRefused({ ...filledIn(), ...change }, refusal);
  });

  test.each<[string, Buffer, string, string]>([
    ["a spreadsheet", xlsx, "resume.docx", "Please upload a PDF or Word document"],
    ["a file over 5 MB", pdf(5 * 1024 * 1024), "resume.pdf", "File size must be less than 5MB"],
    ["an empty file", Buffer.alloc(0), "resume.pdf", "This file is empty. Please choose another one."],
  ])("%s as a resume", async (_what, file, _name, message) => {
    await expectRefused(filledIn(), { message, fields: { file: [message] } }, file);
  });

  test("when the database refuses: the file goes, and the question can be answered again", async () => {
    const fields = filledIn();
    await deps.db.execute(sql`create function refuse_mail() returns trigger language plpgsql as $$
      begin raise exception 'no mail today'; end $$`);
    await deps.db.execute(
      sql`create trigger refuse_mail before insert on outgoing_mails for each row execute function refuse_mail()`,
    );
    try {
      expect((await apply(fields, pdf())).status).toBe(500);
      expect(await kept()).toEqual([]);
      await expect.poll(countFiles).toBe(0);
    } finally {
      await deps.db.execute(sql`drop trigger refuse_mail on outgoing_mails`);
    }
    expect((await apply(fields, pdf())).status).toBe(200);
    expect(await kept()).toHaveLength(1);
  });
});

test("30 applications of one address in an hour are taken, no more", async () => {
  for (let count = 0; count < 30; count++) expect((await apply(filledIn())).status).toBe(200);
  expect(await apply(filledIn(), pdf())).toMatchObject({
    status: 429,
    body: { error: { message: "Too many attempts. Please try again later." } },
  });
  expect(await kept()).toHaveLength(30);
});
