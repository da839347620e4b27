import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { inArray, isNotNull } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildApp } from "#server/app.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { outgoingMails } from "#server/db/schema/notifications.ts";
import { paymentReceipts, projectPayments } from "#server/db/schema/payments.ts";
import { projectMedia } from "#server/db/schema/projects.ts";
import { farmReports } from "#server/db/schema/reports.ts";
import { rateLimits, usedChallenges } from "#server/db/schema/sessions.ts";
import { jobApplications } from "#server/db/schema/team.ts";
import { folderOfPhoto } from "#server/files/photo-files.ts";
import { askHumanCheck } from "#server/platform/human-check.ts";
import { errorReasons } from "#shared/errors.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createFarmPerson } from "#tests/support/farms.ts";
import { hostileStrings } from "#tests/support/hostile-values.ts";
import { offerJobs } from "#tests/support/keep-gona.ts";
import { isLong } from "#tests/support/length.ts";
import { agreeToTerms, expectMoneyHolds, setBankDetails } from "#tests/support/money.ts";
import { blockUser, createAdmin, createUser, type TestUser } from "#tests/support/people.ts";
import { createProject, type TestProject } from "#tests/support/projects.ts";
import { pngFile } from "#tests/support/sample-files.ts";
import { sessionCookie } from "#tests/support/uploads.ts";

/** Uploads that no browser of ours sends. None is a fault of the server, and a refused one leaves no row and no file. */
const actors = ["anonymous", "backer", "reporter", "keeper", "viewer", "manager", "owner", "blocked"] as const;
type ActorName = (typeof actors)[number];

const deps = await openTestDeps();
let app: FastifyInstance;
let port: number;
let projectId: number;
const cookies = new Map<ActorName, string>();

beforeAll(async () => {
  await offerJobs(deps);
  await setBankDetails(deps.db);
  app = await buildApp(deps, { distDir: "/nowhere" });
  port = Number(new URL(await app.listen({ port: 0, host: "127.0.0.1" })).port);
  const project = await createProject(deps.db);
  projectId = project.id;
  const dueAt = new Date(deps.clock.now().getTime() + 3_600_000);
  const report = { projectId, round: 1, dueAt, code: "7K3P" };
  await deps.db.insert(farmReports).values(Array.from({ length: reports }, (_, at) => ({ ...report, number: at + 1 })));
  for (const actor of actors) {
    if (actor === "anonymous") continue;
    const person = await personOf(actor, project);
    cookies.set(actor, await sessionCookie(deps, person));
    await agreeToTerms(deps, person, projectId);
    // Blocking ends sessions too; here the session is left, so that the guard itself is tested.
    if (actor === "blocked") await blockUser(deps.db, person.id);
  }
});
afterAll(async () => {
  await app.close();
});

function personOf(actor: Exclude<ActorName, "anonymous">, { farmId }: TestProject): Promise<TestUser> {
  if (actor === "reporter" || actor === "keeper") return createFarmPerson(deps.db, farmId ?? 0, actor);
  if (actor === "backer" || actor === "blocked") return createUser(deps.db);
  return createAdmin(deps.db, actor);
}

test("every upload route is tested here", () => {
  const printed = app.printRoutes({ commonPrefix: false, method: "POST" });
  const found = printed.match(/\/?uploads\S*/g) ?? [];
  expect(found.map((path) => `/${path.replace(/^\//, "")}`).sort()).toEqual(routes.map(({ path }) => path).sort());
});

const reports = 500;
let reported = 0;
/** Returns another report for each upload, because a report takes few photos. */
function nextReport(): number {
  reported = (reported % reports) + 1;
  return reported;
}

const png = pngFile();
const pdf = Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n");
const square = (side: number) => sharp({ create: { width: side, height: side, channels: 3, background: "green" } });
const photo = await square(1).png().toBuffer();
const mark = await square(256).png().toBuffer();
const video = Buffer.concat([Buffer.from("0000001866747970", "hex"), Buffer.from("isom\0\0\x02\0isommp41", "latin1")]);
const boundary = "hostile";
const atOnce = isLong ? 20 : 4;

type UploadRoute = {
  path: string;
  /** Makes the fields of a sound form, anew for each one. */
  fields(): Record<string, string>;
  /** The names of fields that accept few values. */
  strictFields: string[];
  file: Buffer;
  takers: readonly ActorName[];
  /** True if the form's file may be left out. */
  isFileOptional?: true;
};

function applicationFields(): Record<string, string> {
  const { first, second, challenge } = askHumanCheck(deps);
  const person = { fullName: "Ada Obi", email: "ada@example.com", phone: "+234 803 000 0000", coverLetter: "" };
  const check = { botCheck: "true", challenge, humanVerification: String(first + second) };
  return { ...person, ...check, position: "Farm Hand", idempotencyKey: randomUUID() };
}

const routes: UploadRoute[] = [
  {
    path: "/uploads/receipts",
    fields: () => ({ projectId: String(projectId), idempotencyKey: randomUUID() }),
    strictFields: ["projectId", "idempotencyKey"],
    file: png,
    takers: ["backer", "reporter", "keeper", "viewer", "manager", "owner"],
  },
  { path: "/uploads/project-image", fields: () => ({}), strictFields: [], file: photo, takers: ["manager", "owner"] },
  {
    path: "/uploads/project-photos",
    fields: () => ({ projectId: String(projectId), altText: "The pond" }),
    strictFields: ["projectId"],
    file: photo,
    takers: ["manager", "owner"],
  },
  {
    path: "/uploads/update-photos",
    fields: () => ({ photoKey: randomUUID() }),
    strictFields: ["photoKey"],
    file: photo,
    takers: ["manager", "owner"],
  },
  {
    path: "/uploads/report-photos",
    fields: () => ({ projectId: String(projectId), number: String(nextReport()), photoKey: randomUUID() }),
    strictFields: ["projectId", "number", "photoKey"],
    file: photo,
    takers: ["reporter", "keeper", "manager", "owner"],
  },
  {
    path: "/uploads/project-videos",
    fields: () => ({ projectId: String(projectId), posterUrl: `/files/photos/${"0".repeat(32)}/960.webp` }),
    strictFields: ["projectId", "posterUrl"],
    file: video,
    takers: ["manager", "owner"],
  },
  {
    path: "/uploads/applications",
    fields: applicationFields,
    strictFields: ["position", "email", "botCheck", "challenge", "humanVerification", "idempotencyKey"],
    file: pdf,
    takers: actors,
    isFileOptional: true,
  },
  {
    path: "/uploads/harvest-evidence",
    fields: () => ({}),
    strictFields: [],
    file: photo,
    takers: ["keeper", "manager", "owner"],
  },
  {
    path: "/uploads/release-proofs",
    fields: () => ({}),
    strictFields: [],
    file: photo,
    takers: ["keeper", "manager", "owner"],
  },
  { path: "/uploads/payment-evidence", fields: () => ({}), strictFields: [], file: pdf, takers: ["owner"] },
  { path: "/uploads/mark", fields: () => ({}), strictFields: [], file: mark, takers: ["owner"] },
];

/** One part of the form: a field, or with `filename` (as it stands in the header) the file. */
function part(name: string, content: string | Buffer, filename?: string): Buffer {
  const file = filename === undefined ? "" : `; ${filename}\r\nContent-Type: text/html`;
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from("\r\n")]);
}

const end = Buffer.from(`--${boundary}--\r\n`);
const partsOf = (fields: Record<string, string>) => Object.entries(fields).map(([name, text]) => part(name, text));

async function countFiles(): Promise<number> {
  let count = 0;
  for await (const _file of deps.storage.list()) count += 1;
  return count;
}

async function state() {
  const ofPeople = [paymentReceipts, projectPayments, jobApplications, usedChallenges];
  const tables = [storedFiles, ...ofPeople, outgoingMails, projectMedia];
  const counts = tables.map((table) => deps.db.$count(table));
  return [...(await Promise.all(counts)), await countFiles()];
}

type Given = { actor?: ActorName; headers?: Record<string, string | undefined> };

async function send(route: string, payload: Buffer, { actor = "owner", headers = {} }: Given = {}) {
  // The limit of uploads is tested elsewhere.
  await deps.db.delete(rateLimits);
  const all = {
    origin: deps.env.publicUrl,
    "x-upload": "1",
    cookie: cookies.get(actor),
    "content-type": `multipart/form-data; boundary=${boundary}`,
    ...headers,
  };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const answer = await app.inject({ method: "POST", url: route, payload, headers: Object.fromEntries(given) });
  return { status: answer.statusCode, body: answer.json<{ error?: { reason: string; message: string } }>() };
}

type Upload = Given & { what: string; payload: Buffer; status?: number };

/** Expects each upload to be refused in our shape, and nothing of it to be kept. */
async function expectRefused(route: string, uploads: Upload[]) {
  const before = await state();
  for (const { what, payload, status: expected, ...given } of uploads) {
    const { status, body } = await send(route, payload, given);
    expect(status, what).toBeGreaterThanOrEqual(400);
    expect(status, what).toBeLessThan(500);
    if (expected !== undefined) expect(status, what).toBe(expected);
    expect(errorReasons, what).toContain(body.error?.reason);
    expect(body.error?.message, what).toMatch(/^\p{Lu}.{5,200}$/u);
  }
  await expect.poll(state).toEqual(before);
}

describe.each(routes)("$path", (upload) => {
  const { path: route, fields, strictFields, file, takers, isFileOptional = false } = upload;
  const isPublic = takers.includes("anonymous");
  const soundFields = () => partsOf(fields());
  const soundFile = () => part("file", file, 'filename="receipt.png"');
  const soundForm = () => Buffer.concat([...soundFields(), soundFile(), end]);
  const ofFile = (what: string, content: Buffer) => ({
    what,
    payload: Buffer.concat([...soundFields(), part("file", content, 'filename="receipt.png"'), end]),
  });

  test("takes a sound upload of those it is for, and of nobody else", async () => {
    for (const actor of takers)
      expect([actor, (await send(route, soundForm(), { actor })).status]).toEqual([actor, 200]);
    const others = actors.filter((actor) => !takers.includes(actor));
    const statusOf = (actor: ActorName) => (actor === "anonymous" || actor === "blocked" ? { status: 401 } : {});
    await expectRefused(
      route,
      others.map((actor) => ({ what: actor, actor, payload: soundForm(), ...statusOf(actor) })),
    );
  });

  test("refuses a sound form in a request that isn't ours", async () => {
    const requests: [string, Record<string, string | undefined>, number][] = [
      ["without our header", { "x-upload": undefined }, 403],
      ["with another value of our header", { "x-upload": "true" }, 403],
      ["without an origin", { origin: undefined }, 403],
      ["from elsewhere", { origin: "https://evil.example" }, 403],
      ["that the browser calls cross-site", { "sec-fetch-site": "cross-site" }, 403],
      ["as JSON", { "content-type": "application/json" }, 415],
      ["as a form of a page", { "content-type": "application/x-www-form-urlencoded" }, 415],
      ["as multipart/mixed", { "content-type": `multipart/mixed; boundary=${boundary}` }, 415],
      ["without a type", { "content-type": undefined }, 415],
      ["without a boundary", { "content-type": "multipart/form-data" }, 415],
      ["with an empty boundary", { "content-type": "multipart/form-data; boundary=" }, 400],
      ["with another boundary", { "content-type": "multipart/form-data; boundary=other" }, 400],
      ["with a boundary that is too long", { "content-type": `multipart/form-data; boundary=${"x".repeat(500)}` }, 400],
    ];
    await expectRefused(
      route,
      requests.map(([what, headers, status]) => ({ what, payload: soundForm(), headers, status })),
    );
  });

  test("takes garbage for a cookie as no cookie", async () => {
    const headers = { cookie: "session=%00%F0%9F; __proto__=1; =; ;" };
    const { status } = await send(route, soundForm(), { headers });
    expect(status).toBe(isPublic ? 200 : 401);
  });

  test("refuses a form that isn't whole, and one of no file but where it may be left out", async () => {
    const withoutFile = Buffer.concat([...soundFields(), end]);
    if (isFileOptional) expect((await send(route, withoutFile)).status).toBe(200);
    const forms: Record<string, Buffer[]> = {
      nothing: [],
      ...(isFileOptional ? {} : { "no file": [withoutFile] }),
      ...(strictFields.length > 0 ? { "no fields": [soundFile(), end] } : {}),
      "two files": [...soundFields(), soundFile(), soundFile(), end],
      "no end": [...soundFields(), soundFile()],
      "half a file": [...soundFields(), soundFile().subarray(0, 90)],
      "a field called __proto__": [...soundFields(), part("__proto__", "1"), soundFile(), end],
      "a field called constructor": [...soundFields(), part("constructor", "1"), soundFile(), end],
      "2000 fields": [...Array.from({ length: 2000 }, (_, index) => part(`f${index}`, "1")), soundFile(), end],
      "a field of 1 MB": [...soundFields(), part("note", "x".repeat(1 << 20)), soundFile(), end],
      "headers of 1 MB": [part("projectId", "1", `${"x".repeat(1 << 20)}="1"`), end],
      NULs: [Buffer.alloc(200_000)],
    };
    await expectRefused(
      route,
      Object.entries(forms).map(([what, parts]) => ({ what, payload: Buffer.concat(parts) })),
    );
  });

  test("refuses every hostile value of a field", async () => {
    const values = [...hostileStrings, "0", "-1", "1e1", "0x1", "2147483648", "99999999999", "1.5", "1 "];
    // Each value is tried in one field, the fields taking turns; the nightly run tries each in all.
    const isTried = (field: number, value: number) => isLong || value % strictFields.length === field;
    const forms = strictFields.flatMap((field, at) =>
      values.filter((_, index) => isTried(at, index)).map((value) => ({ ...fields(), [field]: value })),
    );
    await expectRefused(
      route,
      forms.map((form) => ({
        what: JSON.stringify(form).slice(0, 300),
        payload: Buffer.concat([...partsOf(form), soundFile(), end]),
      })),
    );
  });

  test("refuses what isn't what it calls itself", () =>
    expectRefused(route, [
      ofFile("an SVG", Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')),
      ofFile("a page that mentions a PDF", Buffer.from("<html><script>alert(1)</script>%PDF-1.7\n")),
      ofFile("a GIF", Buffer.from("GIF89a<script>alert(1)</script>")),
      ofFile("an archive", Buffer.from(`PK\x03\x04${"x".repeat(200)}`)),
      ofFile(
        "a tag that says it is 256 MB",
        Buffer.concat([Buffer.from("ID3\x04\0\0\x7f\x7f\x7f\x7f", "latin1"), Buffer.alloc(6000)]),
      ),
      ofFile(
        "a media head that repeats",
        Buffer.concat([Buffer.from("3026b2758e66cf11a6d9", "hex"), Buffer.alloc(6000)]),
      ),
      ofFile("zeros", Buffer.alloc(100_000)),
    ]));

  test("a file's name never reaches a header, a folder or a screen as it came", async () => {
    const names = [
      ...hostileStrings.filter(({ length }) => length < 1000),
      '\\"; filename=evil.html',
      "..",
      "x".repeat(3000),
    ];
    const headers = [
      ...names.map((name) => `filename="${name.replace(/[\r\n]/g, " ")}"`),
      "filename*=UTF-8''%0d%0aX-Evil:%201",
      "filename*=UTF-8''%E0%A4%A",
      "filename=",
    ];
    // Each name is tried on one route, the routes taking turns; the nightly run tries each on all.
    const isTried = (index: number) => isLong || index % routes.length === routes.indexOf(upload);
    for (const header of headers.filter((_, index) => isTried(index))) {
      const form = Buffer.concat([...soundFields(), part("file", file, header), end]);
      const { status } = await send(route, form);
      expect([header, status]).toEqual([header, expect.toSatisfy((code) => code === 200 || code === 400)]);
    }
    for (const { name } of await deps.db.select({ name: storedFiles.originalName }).from(storedFiles)) {
      expect(name).not.toMatch(/[\p{Cc}\p{Cf}/\\]|^\.*$/u);
      expect(name.length).toBeLessThan(400);
    }
  });

  test(`keeps every file of ${atOnce} at once, and the books hold`, async () => {
    const answers = await Promise.all(Array.from({ length: atOnce }, () => send(route, soundForm())));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: atOnce }, () => 200));
    const [rows, receipts, , applications] = await state();
    const withResume = await deps.db.$count(jobApplications, isNotNull(jobApplications.resumeFileId));
    const kept = await deps.db.$count(storedFiles, inArray(storedFiles.kind, ["receipt", "resume"]));
    expect(kept).toBe((receipts ?? 0) + withResume);
    const stored = new Set<string>();
    for await (const { key } of deps.storage.list()) stored.add(folderOfPhoto(key) ?? key);
    expect(stored.size).toBe(rows);
    expect(applications).toBeGreaterThanOrEqual(withResume);
    await expectMoneyHolds(deps);
  });
});

test("uploads that break off leave nothing, wherever they break", async () => {
  const before = await state();
  const breakOff = async (bytes: Buffer) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    setTimeout(() => socket.destroy(), 300);
    await once(socket, "close");
  };
  const broken = routes.flatMap(({ path, fields, file }) => {
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nOrigin: ${deps.env.publicUrl}\r\nX-Upload: 1\r\nCookie: ${cookies.get("owner")}\r\nContent-Type: multipart/form-data; boundary=${boundary}\r\nContent-Length: 2000000\r\n\r\n`;
    const whole = [Buffer.from(head), ...partsOf(fields()), part("file", file, 'filename="receipt.png"')];
    const begun = Buffer.concat([...whole, Buffer.alloc(100_000)]);
    const lengths = [head.length, head.length + 30, begun.length - 90_000, begun.length];
    return lengths.map((length) => begun.subarray(0, length));
  });
  await Promise.all(broken.map(breakOff));
  await expect.poll(state).toEqual(before);
});
