import { and, desc, eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { buildApp } from "#server/app.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import { backingWeights, projectBackings, projectMedia, projectUpdates } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import { findRound } from "#server/features/projects/rounds/service.ts";
import { deleteStoredFile } from "#server/files/orphans.ts";
import { fileRules } from "#shared/files.ts";
import { formatNaira } from "#shared/money.ts";
import { backingTexts } from "#shared/projects/backings-texts.ts";
import { mediaTexts, mediaTypes } from "#shared/projects/media-texts.ts";
import { updateTexts } from "#shared/projects/updates-texts.ts";
import { secondPersonTexts } from "#shared/second-person/texts.ts";
import { openTestDeps, queuedMailsTo } from "#tests/support/deps.ts";
import { createPayment, expectMoneyHolds, findProject } from "#tests/support/money.ts";
import { blockUser, type Caller, callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject, type TestProject } from "#tests/support/projects.ts";
import { giveWeight } from "#tests/support/second-person.ts";
import { uploadFile } from "#tests/support/uploads.ts";

/** Administrators' acts on a project's management screen. */

const deps = await openTestDeps();
let app: FastifyInstance;
let url: string;
let manager: TestUser;
let asManager: Caller;
let asViewer: Caller;
let project: TestProject;
let backer: TestUser;

beforeAll(async () => {
  app = await buildApp(deps, { distDir: "/nowhere" });
  url = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  await app.close();
});

beforeEach(async () => {
  // Sessions of administrators end after half an hour, and some tests move the clock.
  manager = await createAdmin(deps.db, "manager");
  asManager = await callAs(deps, manager);
  asViewer = await callAs(deps, "viewer");
  project = await createProject(deps.db);
  backer = await createUser(deps.db, { fullName: "Bola Adeyinka" });
  await asManager.backings.grant({ projectId: project.id, userId: backer.id });
});

const lastAudit = async (action?: string) => {
  const isIt = action === undefined ? undefined : eq(auditLogs.actionType, action);
  const [entry] = await deps.db.select().from(auditLogs).where(isIt).orderBy(desc(auditLogs.id)).limit(1);
  return entry;
};
const noticesTo = (userId: string) =>
  deps.db.select().from(notifications).where(eq(notifications.userId, userId)).orderBy(notifications.id);

describe("publishing an update", () => {
  const report = () => ({
    projectId: project.id,
    title: "Week one",
    content: "The ponds are full.\r\nNo losses.",
    idempotencyKey: crypto.randomUUID(),
  });

  test("shows it to everybody, tells the backers by notification and mail, and is audited", async () => {
    const { updateId } = await asManager.updates.publish(report());
    const anonymous = await callAs(deps, "anonymous");
    const { items } = await anonymous.updates.list({ projectId: project.id });
    expect(items).toMatchObject([{ id: updateId, title: "Week one", content: "The ponds are full.\nNo losses." }]);
    expect(await noticesTo(backer.id)).toMatchObject([
      { kind: "project_update", projectId: project.id, content: `${project.title}: Week one` },
    ]);
    expect(await queuedMailsTo(deps.db, backer.email)).toMatchObject([{ subject: `${project.title}: Week one` }]);
    expect(await lastAudit()).toMatchObject({
      actionType: "add_project_update",
      userId: manager.id,
      details: { projectId: project.id, updateId, update: "Week one" },
    });
  });

  test("with the same key is done once, and never gives another text's answer", async () => {
    const input = report();
    const first = await asManager.updates.publish(input);
    expect(await asManager.updates.publish(input)).toEqual(first);
    await expect(asManager.updates.publish({ ...input, title: "Week two" })).rejects.toMatchObject({
      code: "CONFLICT",
      message: updateTexts.keyUsedElsewhere,
    });
    expect(await deps.db.$count(projectUpdates, eq(projectUpdates.projectId, project.id))).toBe(1);
    expect(await noticesTo(backer.id)).toHaveLength(1);
  });

  test("needs a title and a content, of a length that is kept, and a project", async () => {
    const cases = [
      [{ title: " \u200b " }, updateTexts.required],
      [{ content: "\n\n" }, updateTexts.required],
      [{ title: "x".repeat(201) }, updateTexts.titleLong],
      [{ content: "x".repeat(20_001) }, updateTexts.contentLong],
    ] as const;
    for (const [values, message] of cases) {
      await expect(asManager.updates.publish({ ...report(), ...values })).rejects.toThrow(message);
    }
    await expect(asManager.updates.publish({ ...report(), projectId: 999_999 })).rejects.toThrow("Project not found");
    expect(await deps.db.$count(projectUpdates, eq(projectUpdates.projectId, project.id))).toBe(0);
  });
});

describe("a granted backing", () => {
  const weigh = async (
    who: Parameters<typeof callAs>[1],
    given: { weightKobo: string; seenKobo?: string; reason?: string; userId?: string; round?: number },
  ) => {
    const { reason = "They lent us a tractor.", ...details } = given;
    const asked = { projectId: project.id, userId: backer.id, round: 1, seenKobo: "0", ...details };
    return (await callAs(deps, who)).secondPerson.ask({ kind: "set_weight", details: asked, reason });
  };
  const weightsOf = async () => {
    const weights = deps.db.select({ weight: backingWeights }).from(backingWeights);
    const isIt = and(eq(projectBackings.projectId, project.id), eq(projectBackings.userId, backer.id));
    const found = await weights
      .innerJoin(projectBackings, eq(projectBackings.id, backingWeights.backingId))
      .where(isIt);
    return found.map(({ weight: { backingId, ...weight } }) => weight);
  };
  const listed = async () => (await asManager.backings.listForProject({ projectId: project.id })).items[0];

  test("has no part in a harvest until two owners give it a weight with a reason, which may change", async () => {
    const owners = { asker: await createAdmin(deps.db, "owner"), confirmer: await createAdmin(deps.db, "owner") };
    const give = (weightKobo: bigint, reason: string) =>
      giveWeight(deps, owners, { projectId: project.id, userId: backer.id, weightKobo, reason });
    expect(await listed()).toMatchObject({ isGranted: true, isPaid: false, lots: 0, weights: [] });
    await give(5_000_000n, "They lent us a tractor.");
    const reason = "They lent us a tractor.";
    expect(await listed()).toMatchObject({ weights: [{ round: 1, weightKobo: 5_000_000n, reason }] });
    expect(await lastAudit("set_backing_weight")).toMatchObject({
      details: {
        projectId: project.id,
        userId: backer.id,
        round: 1,
        reason,
        before: null,
        after: "5000000",
        requestId: expect.any(Number),
      },
    });
    await give(6_000_050n, "They lent us a plough too.");
    expect(await weightsOf()).toEqual([{ round: 1, weightKobo: 6_000_050n, reason: "They lent us a plough too." }]);
    await give(0n, "The tractor went back to them.");
    expect(await weightsOf()).toEqual([]);
    expect(await lastAudit("set_backing_weight")).toMatchObject({ details: { before: "6000050", after: null } });
    await expectMoneyHolds(deps);
  });

  test("is weighed by owners alone, with a reason, only if it was granted, and never beyond what the lots are worth", async () => {
    for (const who of ["manager", "viewer", "backer"] as const) {
      await expect(weigh(who, { weightKobo: "100" })).rejects.toMatchObject({ code: "FORBIDDEN" });
    }
    await expect(weigh("owner", { weightKobo: "100", reason: " " })).rejects.toThrow(secondPersonTexts.reasonTooShort);
    await expect(weigh("owner", { weightKobo: "100", round: 2 })).rejects.toThrow(backingTexts.noSuchRound);
    await expect(weigh("owner", { weightKobo: "100", seenKobo: "5" })).rejects.toThrow(backingTexts.weightChanged);
    await expect(weigh("owner", { weightKobo: "100", userId: crypto.randomUUID() })).rejects.toThrow(
      backingTexts.notListed,
    );
    const worth = await findRound(deps.db, { projectId: project.id, round: 1 });
    const worthKobo = BigInt(worth.lots) * worth.lotPriceKobo;
    await expect(weigh("owner", { weightKobo: String(worthKobo + 1n) })).rejects.toThrow(
      backingTexts.weightBeyond(formatNaira(worthKobo)),
    );
    const [{ id: backingId = 0 } = {}] = await deps.db
      .select()
      .from(projectBackings)
      .where(and(eq(projectBackings.projectId, project.id), eq(projectBackings.userId, backer.id)));
    const beyond = { backingId, round: 1, weightKobo: worthKobo + 1n, reason: "By hand" };
    await expect(deps.db.insert(backingWeights).values(beyond)).rejects.toThrow();
    expect(await weightsOf()).toEqual([]);
    const { backer: payer } = await createPayment(deps, { project, status: "approved" });
    await expect(weigh("owner", { weightKobo: "100", userId: payer.id })).rejects.toThrow(backingTexts.notGranted);
    const paid = (await asManager.backings.listForProject({ projectId: project.id })).items.find(
      ({ userId }) => userId === payer.id,
    );
    expect(paid).toMatchObject({ isPaid: true, isGranted: false, lots: 1, weights: [] });
  });
});

describe("backers", () => {
  const backersCount = async () => (await findProject(deps.db, project.id)).backersCount;

  test("are added by pick or by email, counted, listed and audited", async () => {
    const other = await createUser(deps.db);
    await asManager.backings.grant({ projectId: project.id, email: ` ${other.email.toUpperCase()} ` });
    expect(await backersCount()).toBe(2);
    const { items, total } = await asManager.backings.listForProject({ projectId: project.id });
    expect(total).toBe(2);
    expect(items.map(({ email }) => email).sort()).toEqual([backer.email, other.email].sort());
    expect(await lastAudit()).toMatchObject({
      actionType: "add_backer",
      details: { projectId: project.id, userId: other.id, email: other.email },
    });
    await expectMoneyHolds(deps);
  });

  test("are refused where nobody is meant, known, or free to back", async () => {
    const blocked = await createUser(deps.db);
    await blockUser(deps.db, blocked.id);
    const closed = await createUser(deps.db);
    await deps.db.update(users).set({ closedAt: deps.clock.now(), passwordHash: null }).where(eq(users.id, closed.id));
    const cases = [
      [{}, backingTexts.notPicked],
      [{ email: "  " }, backingTexts.emailMissing],
      [{ email: "nobody@example.com" }, backingTexts.userNotFound],
      [{ userId: crypto.randomUUID() }, backingTexts.userNotFound],
      [{ userId: closed.id }, backingTexts.userNotFound],
      [{ userId: blocked.id }, backingTexts.userBlocked],
      [{ userId: backer.id }, backingTexts.alreadyListed],
    ] as const;
    for (const [who, message] of cases) {
      await expect(asManager.backings.grant({ projectId: project.id, ...who })).rejects.toThrow(message);
    }
    await expect(asManager.backings.grant({ projectId: 999_999, userId: backer.id })).rejects.toThrow(
      "Project not found",
    );
    expect(await backersCount()).toBe(1);
  });

  test("added by mistake can be removed, those who paid can't", async () => {
    await asManager.backings.revokeGrant({ projectId: project.id, userId: backer.id });
    expect(await backersCount()).toBe(0);
    expect(await lastAudit()).toMatchObject({ actionType: "remove_backer", details: { email: backer.email } });
    await expect(asManager.backings.revokeGrant({ projectId: project.id, userId: backer.id })).rejects.toThrow(
      backingTexts.notListed,
    );
    const paid = await createPayment(deps, { status: "approved" });
    const projectId = paid.project.id;
    const [backing] = await deps.db.select().from(projectBackings).where(eq(projectBackings.projectId, projectId));
    await expect(asManager.backings.revokeGrant({ projectId, userId: backing?.userId ?? "" })).rejects.toThrow(
      backingTexts.supportedByPayment,
    );
    const { items } = await asManager.backings.listForProject({ projectId });
    expect(items).toMatchObject([{ userId: backing?.userId, isPaid: true }]);
    await expectMoneyHolds(deps);
  });

  test("are picked from a list that the server searches, without the blocked, and never the whole of it", async () => {
    const blocked = await createUser(deps.db, { fullName: "Zainab Blocked" });
    await blockUser(deps.db, blocked.id);
    const found = await createUser(deps.db, { fullName: "Zainab 100% Bello" });
    expect(await asManager.users.searchForPicker({ search: "zainab" })).toEqual({
      people: [{ id: found.id, fullName: found.fullName, email: found.email }],
      hasMore: false,
    });
    expect((await asManager.users.searchForPicker({ search: "100%" })).people).toHaveLength(1);
    for (let made = 0; made < 21; made += 1) await createUser(deps.db, { fullName: `Many ${made}` });
    const many = await asManager.users.searchForPicker({ search: "many" });
    expect([many.people.length, many.hasMore]).toEqual([20, true]);
  });
});

const green = (shade: number) =>
  sharp({ create: { width: 600, height: 400, channels: 3, background: { r: 20, g: shade, b: 40 } } })
    .png()
    .toBuffer();
const mp4 = Buffer.concat([
  Buffer.from("0000001866747970", "hex"),
  Buffer.from("isom\0\0\x02\0isommp41", "latin1"),
  Buffer.alloc(1000, 7),
]);

const upload = (path: string, file: Uint8Array, fields: Record<string, string>) =>
  uploadFile(deps, url, { path, person: manager, file, fields });
const uploadPhoto = (file: Buffer, altText = "") =>
  upload("project-photos", file, { projectId: String(project.id), altText });
const mediaOf = () => deps.db.select().from(projectMedia).where(eq(projectMedia.projectId, project.id));
const countFiles = async () => {
  let count = 0;
  for await (const _file of deps.storage.list()) count += 1;
  return count;
};

describe("photos", () => {
  test("come into the gallery in sizes, the same one once, with one notification for many, audited", async () => {
    const first = await uploadPhoto(await green(90), " The  pond ");
    expect(first).toMatchObject({ status: 200, body: { isNew: true } });
    await uploadPhoto(await green(120));
    const files = await countFiles();
    expect(await uploadPhoto(await green(90))).toMatchObject({
      status: 200,
      body: { isNew: false, mediaId: first.body.mediaId },
    });
    expect(await countFiles()).toBe(files);
    const { items, counts } = await asViewer.media.ofType({ projectId: project.id, type: "photo" });
    expect(counts).toEqual({ photo: 2, video: 0, youtube: 0, livestream: 0 });
    expect(items.find(({ id }) => id === first.body.mediaId)).toMatchObject({
      altText: "The pond",
      width: 600,
      height: 400,
      url: expect.stringMatching(/^\/files\/photos\/[0-9a-f]{32}\/600\.webp$/),
    });
    expect(await noticesTo(backer.id)).toMatchObject([{ kind: "project_media", title: "New photos" }]);
    expect(await queuedMailsTo(deps.db, backer.email)).toHaveLength(1);
    expect(await lastAudit()).toMatchObject({ actionType: "add_media", details: { type: "photo" } });
    deps.clock.advance({ hours: 1 });
    await uploadPhoto(await green(150));
    expect(await noticesTo(backer.id)).toHaveLength(2);
  });

  test("of a project that is gone leave nothing", async () => {
    const before = [await countFiles(), await deps.db.$count(storedFiles)];
    const answer = await upload("project-photos", await green(9), { projectId: "999999", altText: "" });
    expect(answer).toMatchObject({ status: 404, body: { error: { message: "Project not found" } } });
    expect([await countFiles(), await deps.db.$count(storedFiles)]).toEqual(before);
  });
});

describe("videos", () => {
  test("are streamed to the gallery with their poster, and answer a jump into their middle", async () => {
    const poster = await upload("project-image", await green(60), {});
    const fields = { projectId: String(project.id), altText: "", posterUrl: String(poster.body.url) };
    expect(await upload("project-videos", mp4, fields)).toMatchObject({ status: 200, body: { isNew: true } });
    expect(await upload("project-videos", mp4, fields)).toMatchObject({ status: 200, body: { isNew: false } });
    const anonymous = await callAs(deps, "anonymous");
    const { items } = await anonymous.media.gallery({ projectId: project.id });
    expect(items).toMatchObject([{ type: "video", posterUrl: poster.body.url }]);
    const path = items[0]?.url ?? "";
    expect(path).toMatch(/^\/files\/videos\/[0-9a-f]{32}\.mp4$/);
    const part = await fetch(`${url}${path}`, { headers: { range: "bytes=500-599" } });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 500-599/${mp4.length}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(mp4.subarray(500, 600));
    expect(part.headers.get("content-type")).toBe("video/mp4");
    for (const other of [path.replace(/[0-9a-f]{32}/, "0".repeat(32)), path.replace("mp4", "txt"), "/files/videos/x"])
      expect([other, (await fetch(`${url}${other}`)).status]).toEqual([other, 404]);
  });

  test("are whole where the database's answer to the commit was lost, and the video is sent again", async () => {
    const fields = { projectId: String(project.id), altText: "" };
    const transaction = deps.db.transaction.bind(deps.db);
    const spy = vi.spyOn(deps.db, "transaction").mockImplementationOnce(async (...run) => {
      await transaction(...run);
      throw new Error("the connection was lost");
    });
    expect((await upload("project-videos", mp4, fields)).status).toBe(500);
    spy.mockRestore();
    expect(await upload("project-videos", mp4, fields)).toMatchObject({ status: 200, body: { isNew: false } });
    const { items } = await (await callAs(deps, "anonymous")).media.gallery({ projectId: project.id });
    expect(items).toHaveLength(1);
    expect((await fetch(`${url}${items[0]?.url}`)).status).toBe(200);
  });

  test("are MP4 or WebM by their content; a poster that isn't there keeps none away", async () => {
    const fields = { projectId: String(project.id), altText: "" };
    const quicktime = Buffer.concat([
      Buffer.from("0000001466747970", "hex"),
      Buffer.from("qt  \0\0\x02\0qt  ", "latin1"),
    ]);
    expect(await upload("project-videos", quicktime, fields)).toMatchObject({
      status: 400,
      body: { error: { message: fileRules.video.texts.type } },
    });
    const posterUrl = `/files/photos/${"a".repeat(32)}/960.webp`;
    expect((await upload("project-videos", mp4, { ...fields, posterUrl })).status).toBe(200);
    expect(await mediaOf()).toMatchObject([{ type: "video", posterFileId: null }]);
  });
});

describe("addresses", () => {
  test("that no page may show reach administrators as none, so that the entry can be removed", async () => {
    const { id: projectId } = project;
    const urls = {
      photo: "javascript:alert(1)//x.png",
      video: "//evil.example/x.mp4",
      youtube: "data:text/html,x",
      livestream: "[url]javascript:alert(1)",
    } as const;
    for (const type of mediaTypes) {
      await deps.db.insert(projectMedia).values({ projectId, type, url: urls[type], altText: "Old" });
      const { items } = await asViewer.media.ofType({ projectId, type });
      expect(items).toMatchObject([{ type, url: "", altText: "Old", stream: null }]);
    }
  });

  test("of YouTube and livestreams are kept in one form, and once", async () => {
    const { id: projectId } = project;
    await asManager.media.addYoutube({ projectId, url: " youtu.be/dQw4w9WgXcQ " });
    await asManager.media.addLivestream({
      projectId,
      url: "[url]https://live.farm.example/pond.m3u8",
      altText: "Pond",
    });
    expect(await mediaOf()).toMatchObject([
      { type: "youtube", url: "https://www.youtube.com/watch?v=dQw4w9WgXcQ" },
      { type: "livestream", url: "[url]https://live.farm.example/pond.m3u8", altText: "Pond" },
    ]);
    const { items } = await asViewer.media.ofType({ projectId, type: "livestream" });
    expect(items).toMatchObject([{ stream: { kind: "hls" } }]);
    expect((await noticesTo(backer.id)).map(({ title }) => title)).toEqual(["New video", "New livestream"]);
    await expect(
      asManager.media.addYoutube({ projectId, url: "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=3" }),
    ).rejects.toMatchObject({ code: "CONFLICT", message: mediaTexts.alreadyThere });
  });

  test("that aren't any are refused, and nothing is kept", async () => {
    const { id: projectId } = project;
    const livestream = asManager.media.addLivestream({ projectId, url: "https://farm.example" });
    await expect(livestream).rejects.toThrow("Invalid livestream format");
    const youtube = asManager.media.addYoutube({ projectId, url: "https://vimeo.com/1" });
    await expect(youtube).rejects.toThrow("Invalid YouTube URL");
    expect(await mediaOf()).toEqual([]);
  });
});

test("what is removed from the gallery goes with its files, is audited, and can't be removed twice", async () => {
  await uploadPhoto(await green(200));
  const [photo] = await mediaOf();
  const wanted = { projectId: project.id, mediaId: photo?.id ?? 0 };
  const other = await createProject(deps.db);
  await expect(asManager.media.remove({ ...wanted, projectId: other.id })).rejects.toThrow(mediaTexts.alreadyGone);
  expect(await mediaOf()).toHaveLength(1);
  await asManager.media.remove(wanted);
  expect(await mediaOf()).toEqual([]);
  expect(await lastAudit()).toMatchObject({ actionType: "remove_media", details: { url: photo?.url } });
  await deleteStoredFile(deps, photo?.fileId ?? "");
  expect(await deps.db.$count(storedFiles, and(eq(storedFiles.id, photo?.fileId ?? "")))).toBe(0);
  expect((await fetch(`${url}${photo?.url}`)).status).toBe(404);
  await expect(asManager.media.remove(wanted)).rejects.toThrow(mediaTexts.alreadyGone);
});
