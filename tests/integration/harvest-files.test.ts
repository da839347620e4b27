import { buffer } from "node:stream/consumers";
import { eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { farmPeople } from "#server/db/schema/farms.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { harvestFiles } from "#server/db/schema/harvests.ts";
import { storePhoto } from "#server/files/photos.ts";
import { newFileKey } from "#server/files/storage.ts";
import { cleanUp } from "#server/housekeeping.ts";
import { fileRules, pdfTexts, photoTexts } from "#shared/files.ts";
import { harvestTexts } from "#shared/harvests/texts.ts";
import { photoSrcSet } from "#shared/photos.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { download } from "#tests/support/downloads.ts";
import { createFarmPerson } from "#tests/support/farms.ts";
import { type Farm, fundFarm, openHarvestOf, seenDraft } from "#tests/support/harvests.ts";
import { contextOf, expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { callAs, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { upload } from "#tests/support/uploads.ts";

/** Photos and documents of harvests: uploaded, kept while something names them, and shown to whom they concern. */

const deps = await openTestDeps();
let app: FastifyInstance;
let owner: TestUser;
let backer: TestUser;
let farm: Farm;

beforeAll(async () => {
  app = await buildApp(deps, { distDir: "/nowhere" });
  owner = await createAdmin(deps.db, "owner");
  await setBankDetails(deps.db);
  farm = await fundFarm(deps, { owner, lots: [1] });
  [backer = owner] = farm.backers;
});
afterEach(() => expectMoneyHolds(deps));
afterAll(() => app.close());

const photo = await sharp({ create: { width: 8, height: 8, channels: 3, background: "green" } })
  .png()
  .toBuffer();
const pdf = Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\nstartxref\n0\n%%EOF\n");

const send = (person: TestUser, file: Buffer, name = "field.png") =>
  upload(deps, app, person, "/uploads/harvest-evidence", { file, name });

async function uploaded(person: TestUser, file = photo, name?: string): Promise<string> {
  const { fileId, message } = await send(person, file, name);
  if (!fileId) throw new Error(`not uploaded: ${message}`);
  return fileId;
}

const read = (url: string, person?: TestUser) => download(deps, app, person ?? null, url);

const fileOf = async (fileId: string) => {
  const [row] = await deps.db.select().from(harvestFiles).where(eq(harvestFiles.fileId, fileId));
  return row?.id ?? 0;
};

test("evidence is a photo or a PDF, uploaded by who manages harvests, and nothing else is kept", async () => {
  const before = await deps.db.$count(storedFiles);
  const gif = Buffer.from("GIF89a");
  const refusals: [TestUser, Buffer, number, string?][] = [
    [backer, photo, 403],
    [await createAdmin(deps.db, "viewer"), photo, 403],
    [owner, gif, 400, fileRules.evidence.texts.type],
    [owner, photo.subarray(0, 60), 400, photoTexts.unreadable],
    [owner, Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n"), 400, pdfTexts.unreadable],
    [owner, Buffer.concat([pdf, Buffer.alloc(fileRules.evidence.maxBytes)]), 400, fileRules.evidence.texts.size],
  ];
  for (const [person, file, status, message] of refusals) {
    expect(await send(person, file)).toMatchObject({ status, ...(message && { message }) });
  }
  expect(await deps.db.$count(storedFiles)).toBe(before);
  for (const file of [photo, pdf]) expect((await send(owner, file)).status).toBe(200);
  expect(await deps.db.$count(storedFiles)).toBe(before + 2);
});

test("evidence that nothing names is removed after an hour, and what a harvest or its cost names stays", async () => {
  const asOwner = await callAs(deps, owner);
  const harvestId = await openHarvestOf(asOwner, farm, 100_000n);
  const [unused, named, cost] = [
    await uploaded(owner),
    await uploaded(owner),
    await uploaded(owner, pdf, "receipt.pdf"),
  ];
  await asOwner.harvests.addFile({ harvestId, fileId: named });
  await asOwner.harvests.addCost({ harvestId, label: "Feed", amount: "1000", paidBy: "farm", fileId: cost });
  deps.clock.advance({ hours: 2 });
  await cleanUp(deps);
  const left = (await deps.db.select({ id: storedFiles.id }).from(storedFiles)).map(({ id }) => id);
  expect([unused, named, cost].map((id) => left.includes(id))).toEqual([false, true, true]);
});

test("a backer reads the evidence of a harvest that they have a part in, and never that of costs", async () => {
  const asOwner = await callAs(deps, owner);
  const facts = { quantity: "100", lostQuantity: "0", referencePrice: "1,000", note: "" };
  const { harvestId } = await asOwner.harvests.create({ projectId: farm.project.id, round: 1, ...facts });
  const [seen, cost] = [await uploaded(owner), await uploaded(owner, pdf, "fuel.pdf")];
  await asOwner.harvests.addFile({ harvestId, fileId: seen });
  await asOwner.harvests.addCost({ harvestId, label: "Feed", amount: "1000", paidBy: "farm", fileId: cost });
  const [ofHarvest, ofCost] = [await fileOf(seen), await fileOf(cost)];
  const stranger = await createUser(deps.db);
  const statusOf = async (id: number | string, person?: TestUser) =>
    (await read(`/files/harvests/${id}`, person)).statusCode;
  const photoOfHarvest = `${ofHarvest}/8.webp`;

  expect(await statusOf(photoOfHarvest, backer)).toBe(404);
  await asOwner.harvests.open(await seenDraft(deps.db, harvestId));
  expect(await Promise.all([backer, owner, stranger, undefined].map((one) => statusOf(photoOfHarvest, one)))).toEqual([
    200, 200, 404, 401,
  ]);
  expect(await Promise.all([backer, owner].map((one) => statusOf(ofCost, one)))).toEqual([404, 200]);
  for (const id of ["0", "-1", "x", "1e3", "99999999999999999999"]) {
    expect(await Promise.all([id, `${id}/8.webp`].map((one) => statusOf(one, backer)))).toEqual([404, 404]);
  }

  const paper = await read(`/files/harvests/${ofCost}`, owner);
  expect(paper.rawPayload.equals(pdf)).toBe(true);
  expect(paper.headers["content-disposition"]).toMatch(/^attachment; filename="fuel.pdf"/);
  expect(await statusOf(`${ofCost}/320.webp`, owner)).toBe(404);
});

test("a keeper uploads evidence, and reads that of their farm's harvests and of what the farm paid", async () => {
  const asOwner = await callAs(deps, owner);
  const [farmId, other] = [farm.project.farmId ?? 0, await fundFarm(deps, { owner, lots: [1] })];
  const keeper = await createFarmPerson(deps.db, farmId, "keeper");
  const reporter = await createFarmPerson(deps.db, farmId, "reporter");
  const ofOther = await createFarmPerson(deps.db, other.project.farmId ?? 0, "keeper");
  expect((await send(reporter, photo)).status).toBe(403);
  const facts = { quantity: "100", lostQuantity: "0", referencePrice: "1,000", note: "" };
  const { farmHarvests } = await callAs(deps, keeper);
  const { harvestId } = await farmHarvests.draft({ projectId: farm.project.id, round: 1, ...facts });
  const [shown, own, platforms] = [await uploaded(keeper), await uploaded(keeper), await uploaded(owner)];
  await farmHarvests.addFile({ harvestId, fileId: shown });
  await farmHarvests.addCost({ harvestId, label: "Feed", amount: "1000", fileId: own });
  await asOwner.harvests.addCost({ harvestId, label: "Feed", amount: "2000", paidBy: "platform", fileId: platforms });
  const statuses = async (person: TestUser) => {
    const files = [await fileOf(shown), await fileOf(own), await fileOf(platforms)];
    return Promise.all(files.map(async (id) => (await read(`/files/harvests/${id}/8.webp`, person)).statusCode));
  };
  expect(await statuses(keeper)).toEqual([200, 200, 404]);
  for (const person of [reporter, ofOther, backer]) expect(await statuses(person)).toEqual([404, 404, 404]);
  expect((await farmHarvests.one({ harvestId })).files).toHaveLength(2);
  await deps.db.update(farmPeople).set({ endedAt: deps.clock.now() }).where(eq(farmPeople.userId, keeper.id));
  expect(await statuses(keeper)).toEqual([404, 404, 404]);
});

test("a photo is shown in sizes for small screens, without what the camera wrote into it, to whom it concerns", async () => {
  const asOwner = await callAs(deps, owner);
  const own = await fundFarm(deps, { owner, lots: [1] });
  const [ofFarm = owner] = own.backers;
  const harvestId = await openHarvestOf(asOwner, own, 100_000n);
  const taken = await sharp({ create: { width: 700, height: 525, channels: 3, background: "brown" } })
    .withExif({ IFD0: { Artist: "Bayo, at his own house" } })
    .jpeg()
    .toBuffer();
  expect(taken.includes("Bayo")).toBe(true);
  const [shown, cost] = [await uploaded(owner, taken, "yard.jpg"), await uploaded(owner, taken, "receipt.jpg")];
  await asOwner.harvests.addFile({ harvestId, fileId: shown });
  await asOwner.harvests.addCost({ harvestId, label: "Feed", amount: "1000", paidBy: "farm", fileId: cost });

  const [mine] = await (await own.as(0)).harvests.mine({ projectId: own.project.id });
  expect(mine?.files).toMatchObject([
    { name: "yard.jpg", contentType: "image/webp", url: `/files/harvests/${await fileOf(shown)}/700.webp` },
  ]);
  const url = mine?.files[0]?.url ?? "";
  for (const format of ["avif", "webp"] as const) {
    const offered = (photoSrcSet(url, format) ?? "").split(", ").map((entry) => entry.split(" ")[0] ?? "");
    expect(offered.length).toBeGreaterThan(3);
    for (const address of offered) {
      const { statusCode, headers, rawPayload } = await read(address, ofFarm);
      expect([statusCode, headers["content-type"]]).toEqual([200, `image/${format}`]);
      expect(headers["cache-control"]).toBe("private, no-store");
      // Nothing of the key, by which it is stored.
      expect(headers["content-disposition"]).toContain(`filename="harvest-${address.split("/").slice(-2).join("-")}"`);
      const { width, exif } = await sharp(rawPayload).metadata();
      expect([`${width}.${format}`, exif]).toEqual([address.split("/").at(-1), undefined]);
    }
  }
  const stranger = await createUser(deps.db);
  const small = url.replace("700.webp", "320.webp");
  const ofCost = `/files/harvests/${await fileOf(cost)}/320.webp`;
  const statusOf = async (address: string, person?: TestUser) => (await read(address, person)).statusCode;
  expect(await Promise.all([owner, stranger, undefined].map((one) => statusOf(small, one)))).toEqual([200, 404, 401]);
  expect(await Promise.all([owner, ofFarm].map((one) => statusOf(ofCost, one)))).toEqual([200, 404]);
  for (const file of ["321.webp", "320.png", "..%2F320.webp", "original", "x", ""]) {
    expect(await statusOf(url.replace("700.webp", file), owner)).toBe(404);
  }

  const [row] = await deps.db.select().from(storedFiles).where(eq(storedFiles.id, shown));
  const folder = row?.storageKey.replace("/700.webp", "") ?? "";
  expect(await statusOf(`/files/photos/${folder.replace("evidence/", "")}/700.webp`)).toBe(404);
  // The proof is what was uploaded, kept for nobody's screen.
  expect((await buffer(await deps.storage.read(`${folder}/original`))).equals(taken)).toBe(true);
  // A size that a disk has lost is drawn again.
  const lost = `${folder}/320.webp`;
  await deps.storage.remove(lost);
  expect(await deps.storage.exists(lost)).toBe(false);
  const drawn = await read(small, ofFarm);
  expect((await sharp(drawn.rawPayload).metadata()).width).toBe(320);
  expect(await deps.storage.exists(lost)).toBe(true);
});

test("a photo of a whole page is taken, however long it is, and one of a farm is no evidence", async () => {
  const asOwner = await callAs(deps, owner);
  const harvestId = await openHarvestOf(asOwner, await fundFarm(deps, { owner, lots: [1] }), 100_000n);
  const tall = await sharp({ create: { width: 8, height: 17_000, channels: 3, background: "white" } })
    .jpeg()
    .toBuffer();
  await asOwner.harvests.addFile({ harvestId, fileId: await uploaded(owner, tall, "transfer.jpg") });
  const [file] = (await asOwner.harvests.one({ harvestId })).files;
  const { rawPayload } = await read(file?.url ?? "", owner);
  expect((await sharp(rawPayload).metadata()).height).toBe(16_000);

  const key = newFileKey("photo");
  await deps.storage.write(key, photo);
  const upload = { key, sha256: "0".repeat(64), originalName: "farm.png" };
  const { fileId } = await storePhoto(await contextOf(deps, owner), upload);
  await expect(asOwner.harvests.addFile({ harvestId, fileId })).rejects.toThrow(harvestTexts.evidenceFirst);
});
