import { randomUUID } from "node:crypto";
import { desc, eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { startSession } from "#server/accounts/sessions.ts";
import { buildApp } from "#server/app.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { jobApplications } from "#server/db/schema/team.ts";
import { userRoles, users } from "#server/db/schema/users.ts";
import { newFileKey } from "#server/files/storage.ts";
import { sessionCookieName } from "#server/platform/context.ts";
import type { applicantStatuses } from "#shared/careers/applicant-statuses.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { type Caller, callAs, cookieJar, createAdmin, type TestUser } from "#tests/support/people.ts";

const deps = await openTestDeps();
const pdf = Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n");
let app: FastifyInstance;
let url: string;
let owner: TestUser;
let ownerCaller: Caller;
let ownerCookie: string;

beforeAll(async () => {
  app = await buildApp(deps, { distDir: "/nowhere" });
  url = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  await app.close();
});
beforeEach(async () => {
  await deps.db.delete(jobApplications);
  await deps.db.delete(storedFiles);
  owner = await createAdmin(deps.db, "owner");
  const jar = cookieJar();
  ownerCaller = await callAs(deps, owner, { jar });
  ownerCookie = `${sessionCookieName(deps.env)}=${jar.get(sessionCookieName(deps.env))}`;
});

async function createApplication(values: Partial<typeof jobApplications.$inferInsert> = {}) {
  const [row] = await deps.db
    .insert(jobApplications)
    .values({
      fullName: "Ọlá Ìbísí",
      email: "ola@example.com",
      phone: "+234 803 000 0000",
      position: "Farm Hand",
      createdAt: deps.clock.now(),
      ...values,
    })
    .returning();
  if (!row) throw new Error("the application was not inserted");
  return row;
}

async function createWithResume(kind: "resume" | "receipt" = "resume", originalName = "Ọlá résumé.pdf") {
  const key = newFileKey("resume");
  await deps.storage.write(key, pdf);
  const [file] = await deps.db
    .insert(storedFiles)
    .values({
      kind,
      storageKey: key,
      sha256: "a".repeat(64),
      bytes: pdf.length,
      originalName,
      contentType: "application/pdf",
      createdAt: deps.clock.now(),
    })
    .returning();
  if (!file) throw new Error("the file was not inserted");
  return { file, application: await createApplication({ resumeFileId: file.id }) };
}

const statusOf = async (id: number) =>
  (await deps.db.select().from(jobApplications).where(eq(jobApplications.id, id)))[0]?.status;
const audited = async (applicationId: number) =>
  (await deps.db.select().from(auditLogs).orderBy(desc(auditLogs.id))).filter(
    ({ actionType, details }) => actionType === "update_applicant_status" && details.applicationId === applicationId,
  );

describe("the list", () => {
  test("is newest first, 30 a page by keyset, filtered by status and counted", async () => {
    const ids: number[] = [];
    for (let count = 0; count < 33; count += 1) {
      // Same moment for pairs: the id decides.
      if (count % 2 === 0) deps.clock.advance({ seconds: 1 });
      ids.push((await createApplication({ status: count < 2 ? "contacted" : "new" })).id);
    }
    const first = await ownerCaller.careers.applicants({});
    const second = await ownerCaller.careers.applicants({ cursor: first.nextCursor });
    expect(first.items).toHaveLength(30);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids.toReversed());
    expect(second.nextCursor).toBeNull();
    const contacted = await ownerCaller.careers.applicants({ status: "contacted" });
    expect(contacted.items.map(({ id }) => id)).toEqual(ids.slice(0, 2).toReversed());
    expect(await ownerCaller.careers.applicantCounts()).toEqual({
      all: 33,
      new: 31,
      reviewed: 0,
      contacted: 2,
      rejected: 0,
    });
    await expect(ownerCaller.careers.applicants({ cursor: "nonsense" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  test("gives no way to reach people or files: those stand in the application only", async () => {
    const { application } = await createWithResume();
    const [item] = (await ownerCaller.careers.applicants({})).items;
    expect(Object.keys(item ?? {}).sort()).toEqual(["createdAt", "fullName", "id", "position", "status"]);
    expect(await ownerCaller.careers.applicant({ applicationId: application.id })).toMatchObject({
      fullName: "Ọlá Ìbísí",
      email: "ola@example.com",
      phone: "+234 803 000 0000",
      position: "Farm Hand",
      coverLetter: null,
      status: "new",
      resume: { originalName: "Ọlá résumé.pdf", bytes: pdf.length },
    });
  });

  test("has no application that isn't there", async () => {
    await expect(ownerCaller.careers.applicant({ applicationId: 999_999 })).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: "This application no longer exists.",
    });
  });
});

describe("the status", () => {
  test("is set in every direction, audited with before and after, and without the person's name", async () => {
    const { id } = await createApplication();
    for (const status of ["reviewed", "contacted", "rejected", "new", "rejected", "contacted"] as const) {
      const before = await statusOf(id);
      expect(await ownerCaller.careers.setApplicantStatus({ applicationId: id, status })).toEqual({
        applicationId: id,
        status,
      });
      expect(await statusOf(id)).toBe(status);
      const [entry] = await audited(id);
      expect(entry).toMatchObject({
        userId: owner.id,
        details: { applicationId: id, position: "Farm Hand", before, after: status },
      });
      expect(JSON.stringify(entry?.details)).not.toContain("Ọlá");
    }
    expect(await audited(id)).toHaveLength(6);
  });

  test("set to what it is changes nothing and is not audited", async () => {
    const { id } = await createApplication();
    await ownerCaller.careers.setApplicantStatus({ applicationId: id, status: "new" });
    expect(await audited(id)).toEqual([]);
  });

  test("that is none, or of an application that isn't there, is refused, and nothing changes", async () => {
    const { id } = await createApplication();
    const hired = "hired" as (typeof applicantStatuses)[number];
    await expect(ownerCaller.careers.setApplicantStatus({ applicationId: id, status: hired })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
    await expect(
      ownerCaller.careers.setApplicantStatus({ applicationId: 999_999, status: "rejected" }),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await statusOf(id)).toBe("new");
    expect(await audited(id)).toEqual([]);
  });
});

describe("a resume", () => {
  const get = (path: string, cookie: string) => fetch(`${url}${path}`, { headers: { cookie } });

  test("is sent as an attachment with its name, sandboxed and not to be kept", async () => {
    const { application } = await createWithResume();
    const link = await ownerCaller.careers.resumeLink({ applicationId: application.id });
    expect(link.expiresAt.getTime() - deps.clock.now().getTime()).toBe(3_600_000);
    const answer = await get(link.url, ownerCookie);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(pdf)).toBe(true);
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment;/);
    expect(answer.headers.get("content-disposition")).toContain(encodeURIComponent("Ọlá résumé.pdf"));
    expect(answer.headers.get("content-security-policy")).toContain("sandbox");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("cache-control")).toContain("no-store");
  });

  test("opens in the session its link was made for only, unaltered, while the link lasts", async () => {
    const { application, file } = await createWithResume();
    const link = await ownerCaller.careers.resumeLink({ applicationId: application.id });
    const from = { kind: "admin", device: "Test", ipAddress: "127.0.0.1" } as const;
    const another = await startSession(deps, { userId: owner.id, ...from });
    expect((await get(link.url, `${sessionCookieName(deps.env)}=${another}`)).status).toBe(403);
    expect((await get(link.url, "")).status).toBe(401);
    expect(
      (
        await get(
          link.url.replace(/signature=(.)/, (_, first) => `signature=${first === "_" ? "-" : "_"}`),
          ownerCookie,
        )
      ).status,
    ).toBe(403);
    expect((await get(link.url.replace(/expires=\d+/, "expires=99999999999"), ownerCookie)).status).toBe(403);
    expect((await get(`/files/resumes/${file.id}`, ownerCookie)).status).toBe(403);
    expect(
      (await get(`/files/resumes/${randomUUID()}${link.url.slice(link.url.indexOf("?"))}`, ownerCookie)).status,
    ).toBe(403);
    expect((await get("/files/resumes/not-a-file?expires=1&signature=x", ownerCookie)).status).toBe(404);
  });

  test("is closed to an owner whose right is gone", async () => {
    const { application } = await createWithResume();
    const link = await ownerCaller.careers.resumeLink({ applicationId: application.id });
    await deps.db.update(userRoles).set({ role: "manager" }).where(eq(userRoles.userId, owner.id));
    expect((await get(link.url, ownerCookie)).status).toBe(403);
    await deps.db.update(users).set({ isBlocked: true }).where(eq(users.id, owner.id));
    expect((await get(link.url, ownerCookie)).status).toBe(401);
  });

  test("that was never sent, or whose bytes are gone, is said to be so", async () => {
    const { id } = await createApplication();
    await expect(ownerCaller.careers.resumeLink({ applicationId: id })).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: "No resume was sent with this application",
    });
    const { application } = await createWithResume();
    const link = await ownerCaller.careers.resumeLink({ applicationId: application.id });
    const size = vi.spyOn(deps.storage, "size").mockRejectedValue(new Error("the disk is broken"));
    const answer = await get(link.url, ownerCookie);
    size.mockRestore();
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ error: { reason: "not_found", message: "Could not access the resume" } });
  });
});
