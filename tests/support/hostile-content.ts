import { createHash, randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { findActor, startSession } from "#server/accounts/sessions.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { notifications } from "#server/db/schema/notifications.ts";
import {
  projectBackings,
  projectFavorites,
  projectMedia,
  projectMessages,
  projectUpdates,
} from "#server/db/schema/projects.ts";
import { settings } from "#server/db/schema/settings.ts";
import { contactMessages, jobApplications } from "#server/db/schema/team.ts";
import { submitReceipt } from "#server/features/payments/buying/receipts.ts";
import { beginPurchase } from "#server/features/payments/buying/service.ts";
import { newFileKey } from "#server/files/storage.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { bankDetailKeys } from "#shared/settings/texts.ts";
import { hostileStrings } from "./hostile-values.ts";
import { cookieJar, createAdmin, createUser, type TestUser } from "./people.ts";
import { createProject } from "./projects.ts";
import { siteTermsOf } from "./site-terms.ts";

/** Contents of rows that no form of ours lets through: written past the services, straight into the tables. */

/** Nothing of ours asks this host for anything: whoever does was told so by what a row holds. */
export const foreignHost = "foreign.example";
const foreign = `https://${foreignHost}`;

/** Every one of these calls `pwned` if anything of it runs, or asks the foreign host if anything of it loads. */
const markup = [
  `<script>pwned("script")</script>`,
  `</script><script>pwned("closed script")</script>`,
  `</title><script>pwned("closed title")</script>`,
  `"><img src=x onerror=pwned("img")>`,
  `'><svg/onload=pwned("svg")>`,
  `<img src="${foreign}/none.png" srcset="${foreign}/set.png 2x" onerror=pwned("src") onload=pwned("onload")>`,
];

/** For the places that hold HTML. What it may keep of this asks nobody for anything. */
const description = [
  ...markup.filter((text) => !text.includes(foreignHost)),
  `<img src=x onerror=pwned("img") style="position:fixed;inset:0;z-index:9999">`,
  `<svg><script>pwned("svg script")</script><use href="${foreign}/a.svg#a"/></svg><math><mi xlink:href="javascript:pwned()">m</mi></math>`,
  `<style>body{display:none;background:url(${foreign}/style.png)}@import "${foreign}/import.css";</style>`,
  `<link rel=stylesheet href="${foreign}/link.css"><base href="${foreign}/"><meta http-equiv=refresh content="0;url=${foreign}/">`,
  `<iframe src="${foreign}/frame" srcdoc="<script>parent.pwned('srcdoc')</script>"></iframe><object data="${foreign}/object"></object><embed src="${foreign}/embed">`,
  `<form action="${foreign}/form"><button formaction="javascript:pwned('form')">Press</button><input autofocus onfocus=pwned("focus")></form>`,
  `<a href="javascript:pwned('link')" onclick="pwned('click')">a link</a><a href="jav&#x09;ascript:pwned('tab')">another</a><a href="data:text/html,<script>opener.pwned()</script>">data</a>`,
  `<img src="data:image/svg+xml,<svg onload=pwned()>"><img src="//${foreignHost}/relative.png"><img src="http://${foreignHost}/plain.png">`,
  `<details open ontoggle=pwned("toggle")><summary>more</summary></details><video src="${foreign}/v.mp4" poster="${foreign}/p.png" onerror=pwned("video")></video>`,
  `<noscript><p title="</noscript><img src=x onerror=pwned('noscript')>"></noscript><template><img src=x onerror=pwned("template")></template>`,
  `<p style="background:url(${foreign}/inline.png)" id="root" class="x" onmouseover=pwned("over")>The honest words of the farm.</p>`,
  `<h2>${"W".repeat(5000)}</h2><p>${"w".repeat(5000)}</p><blockquote>${"🐟".repeat(500)}</blockquote>`,
].join("\n");

const word = "Catfish".repeat(720).slice(0, 5000);
const letters = [
  "\u202eevil gnp.tpieces",
  "متى الحصاد؟ הדגים שלנו",
  `Z${"\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308".repeat(20)}algo`,
  "👩🏿‍🌾🇳🇬👨‍👩‍👧‍👦🏳️‍🌈".repeat(30),
  "\u2066isolate \u2067\u202d never closed",
  // A NUL and half of a pair no column takes (and a lone escape is no letter either: it stays, and shows as nothing).
  ...hostileStrings.filter((text) => text.trim() && text.length < 200 && !text.includes("\0") && text.isWellFormed()),
];
const addresses = [
  `javascript:pwned("address")`,
  `data:text/html,<script>pwned("data")</script>`,
  "% _ \\ ' \" ` $(1) {{1}} $1 $& __CSP_NONCE__",
];

const themes = {
  markup: {
    text: markup.join(" "),
    imageUrl: `${"javascript:pwned('image')"}//x.png`,
    videoUrl: "javascript:pwned('film')//x.mp4",
  },
  word: {
    text: word,
    imageUrl: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='pwned()'/>",
    videoUrl: `data:text/html,<script>pwned("film")</script>`,
  },
  letters: {
    text: letters.join(" "),
    imageUrl: `http://${foreignHost}/plain.png`,
    videoUrl: `http://${foreignHost}/plain.mp4`,
  },
  addresses: {
    text: addresses.join(" "),
    imageUrl: `//${foreignHost}/relative.mp4`,
    videoUrl: `javascript:pwned("film")`,
  },
} as const;
export type Theme = keyof typeof themes;
export const themeNames = Object.keys(themes) as Theme[];

const cut = (text: string, length: number) => [...text].slice(0, length).join("").toWellFormed();
/** As the database cuts and counts it, with a name in front that the test finds it by. */
export const titleOf = (theme: Theme) => cut(`${theme} farm ${themes[theme].text}`, 100);
export const textOf = (theme: Theme) => themes[theme].text;

const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** One project of each theme with all that hangs on it, a backer whose name is markup, and an owner. */
export async function writeHostileContent(deps: Deps) {
  const { db } = deps;
  const backer = await createUser(db, { fullName: cut(markup.join(" "), 200) });
  const owner = await createAdmin(db, "owner", { fullName: cut(letters.join(" "), 200) });
  await db
    .insert(settings)
    .values([
      { key: bankDetailKeys.bankName, value: markup.join(" ") },
      { key: bankDetailKeys.accountName, value: word },
      { key: bankDetailKeys.accountNumber, value: letters.join(" ").slice(0, 300) },
    ])
    .onConflictDoUpdate({ target: settings.key, set: { value: sql`excluded.value` } });
  const ids = {} as Record<Theme, number>;
  for (const theme of themeNames) ids[theme] = await writeProject(deps, theme, { backer, owner });
  for (const theme of themeNames) await writeLetters(deps, theme);
  return { backer, owner, ids };
}

async function writeProject(deps: Deps, theme: Theme, { backer, owner }: Record<"backer" | "owner", TestUser>) {
  const { db } = deps;
  const { text, imageUrl, videoUrl } = themes[theme];
  const { id: projectId } = await createProject(db, {
    title: titleOf(theme),
    creator: text,
    location: text,
    shortDescription: cut(text.padEnd(10, "."), 500),
    description,
    imageUrl,
    imageAlt: text,
    videoUrl,
    rewards: [{ title: text, description: text, amountKobo: "2500", quantity: 1 }],
    // Home shows the most backed ones. (No money is moved in these tests.)
    backersCount: 5000,
    endsAt: new Date(Date.now() + 20 * 86_400_000),
  });
  await db.insert(projectBackings).values({ projectId, userId: backer.id, grantedAt: new Date() });
  await db.insert(projectFavorites).values({ projectId, userId: backer.id });
  await db.insert(projectUpdates).values({ projectId, title: cut(text, 200), content: `${text}\n${text}` });
  await db.insert(projectMessages).values([
    { projectId, userId: backer.id, content: cut(text, 5000), isAdminReply: false },
    { projectId, userId: owner.id, content: cut(text, 5000), isAdminReply: true },
  ]);
  const altText = text;
  await db.insert(projectMedia).values([
    { projectId, type: "photo", url: imageUrl, altText },
    { projectId, type: "video", url: videoUrl, altText },
    { projectId, type: "youtube", url: `https://www.youtube.com.${foreignHost}/watch?v=dQw4w9WgXcQ`, altText },
    { projectId, type: "livestream", url: `[embed]<script>pwned("embed")</script>`, altText },
    {
      projectId,
      type: "livestream",
      url: `[embed]<iframe src="${foreign}/embed" onload=pwned("frame")></iframe>`,
      altText,
    },
    { projectId, type: "livestream", url: `[url]javascript:pwned("stream")//x.m3u8`, altText },
    { projectId, type: "livestream", url: `[url]${foreign}/watch?"><script>pwned("url")</script>`, altText },
    { projectId, type: "livestream", url: `[url]${foreign}/live/words`, altText },
  ]);
  await db.insert(notifications).values(
    [backer, owner].map(({ id: userId }) => ({
      userId,
      projectId,
      kind: "project_update" as const,
      eventKey: `hostile:${theme}`,
      title: text,
      content: text,
    })),
  );
  await sendReceipt(deps, backer, projectId, text);
  return projectId;
}

/** A job application and a contact message, the first with a resume whose file is called after the theme's text. */
async function writeLetters({ db, storage }: Deps, theme: Theme) {
  const { text } = themes[theme];
  const content = Buffer.from(`%PDF-1.7\n% ${theme}\n%%EOF\n`);
  const key = newFileKey("resume");
  await storage.write(key, content);
  const sha256 = createHash("sha256").update(content).digest("hex");
  const facts = { contentType: "application/pdf", originalName: `${text}.pdf`, sha256, bytes: content.length };
  const [file] = await db
    .insert(storedFiles)
    .values({ kind: "resume", storageKey: key, ...facts })
    .returning({ resumeFileId: storedFiles.id });
  const person = { email: text, phone: text.padEnd(10, ".") };
  await db
    .insert(jobApplications)
    .values({ ...person, fullName: titleOf(theme), position: text, coverLetter: text, ...file });
  await db
    .insert(contactMessages)
    .values({ ...person, name: titleOf(theme), message: cut(text.padEnd(10, "."), 5000) });
}

/** A receipt whose file is called after the theme's text. */
async function sendReceipt(deps: Deps, backer: TestUser, projectId: number, originalName: string) {
  const from = { device: "Test browser", ipAddress: "203.0.113.7" };
  const actor = await findActor(deps, await startSession(deps, { userId: backer.id, kind: "backer", ...from }));
  if (!actor) throw new Error("the backer can't sign in");
  const ctx: ActorContext = { ...deps, actor, ipAddress: from.ipAddress, userAgent: from.device, cookies: cookieJar() };
  await beginPurchase(ctx, {
    projectId,
    lots: 1,
    termsVersion: 1,
    siteTerms: await siteTermsOf(deps),
    hasReadTerms: true,
  });
  const key = newFileKey("receipt");
  await deps.storage.write(key, picture);
  const sha256 = createHash("sha256").update(picture).digest("hex");
  const file = { key, sha256, bytes: picture.length, contentType: "image/png", originalName };
  await submitReceipt(ctx, { projectId, lots: 1, idempotencyKey: randomUUID(), file });
}
