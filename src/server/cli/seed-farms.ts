import { randomUUID } from "node:crypto";
import { and, asc, desc, eq } from "drizzle-orm";
import { farms } from "#server/db/schema/farms.ts";
import { projectBackings, projectMessages } from "#server/db/schema/projects.ts";
import { createFarm, updateFarm } from "#server/features/farms/service.ts";
import { addLivestream, addMedia } from "#server/features/projects/media/service.ts";
import { sendMessage } from "#server/features/projects/messages/service.ts";
import { lockProject } from "#server/features/projects/rounds/service.ts";
import { createProject } from "#server/features/projects/service.ts";
import { publishUpdate } from "#server/features/projects/updates/service.ts";
import { dayInLagos } from "#shared/dates.ts";
import { nigerianStates } from "#shared/farms/texts.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { nairaToKobo } from "#shared/money.ts";
import { defaultTerms } from "#shared/projects/terms-texts.ts";
import type { Office, Person, SeededFarm, Step } from "./seed-office.ts";
import { followedOf } from "./seed-purchases.ts";

/** The demo's farms: how each begins, and what is told of it since. */

type Told = SeededFarm["messages"][number];

export const planFarms = (office: Office): Step[] => [
  ...office.farms.flatMap((farm) => planFarm(office, farm)),
  ...followedOf(office.farms)
    .slice(0, 1)
    .map((farm) => planCamera(office, farm)),
];

function planFarm(office: Office, farm: SeededFarm): Step[] {
  const { ago, as } = office;
  const on = (daysAgo: number, run: (at: Date) => Promise<unknown>): Step => ({
    at: ago(daysAgo),
    run: () => run(ago(daysAgo)),
  });
  const { about, updates, messages, startedDaysAgo } = farm;
  const photos = updates.length > 0 || farm.isClosed ? photosOf(farm) : [];
  return [
    on(startedDaysAgo, (at) => begin(office, farm, at)),
    ...(about ? [on(about.visitedDaysAgo, (at) => visit(office, farm, about, at))] : []),
    ...photos.map((photo, order) =>
      on((startedDaysAgo * (order + 1)) / (photos.length + 1), async (at) => {
        const project = await lockProject(office.tx, farm.projectId);
        await addMedia(office.tx, as("owner", at), project, photo);
      }),
    ),
    ...updates.map(({ daysAgo, title, content }) =>
      on(daysAgo, (at) => {
        const update = { projectId: farm.projectId, title, content, photos: [], idempotencyKey: randomUUID() };
        return publishUpdate(as("owner", at), update);
      }),
    ),
    ...messages.map((message, index) => on(message.daysAgo, (at) => write(office, farm, { message, index, at }))),
  ];
}

/** A farm, unless it runs another project already, and its project, open for backers. */
async function begin(office: Office, farm: SeededFarm, at: Date): Promise<void> {
  const ctx = office.as("owner", at);
  const earlier = office.farms.find(({ creator, farmId }) => creator === farm.creator && farmId > 0);
  farm.farmId = earlier?.farmId ?? (await createFarm(ctx, pageOf(farm))).id;
  const { durationDays: duration, lots, minimumLots = lots } = farm;
  const { firstHarvestInDays, ...planned } = farm.terms;
  const firstHarvestOn =
    firstHarvestInDays === undefined
      ? null
      : dayInLagos(new Date(at.getTime() + (duration + firstHarvestInDays) * dayMs));
  const all = { ...defaultTerms(500), ...planned, firstHarvestOn };
  const { plannedPriceKobo: plannedPrice, farmPartRate: farmPart, feeRate: fee, ...terms } = all;
  const { title, category, shortDescription, descriptionHtml: description, imageAlt, location } = farm;
  const project = await createProject(ctx, {
    title,
    category,
    shortDescription,
    description,
    imageAlt,
    location,
    duration,
    lots,
    minimumLots,
    farmId: farm.farmId,
    imageUrl: sceneOf(farm),
    videoUrl: "",
    fundingGoal: nairaToKobo(farm.goalNaira),
    rewards: [],
    terms: { ...terms, plannedPrice, farmPart, fee },
    idempotencyKey: randomUUID(),
  });
  farm.projectId = project.id;
}

/** Its place is the first part of the location, its state the last: "Kuje, Abuja FCT". */
function pageOf({ slug, creator: name, location }: SeededFarm) {
  const [place = "", ...rest] = location.split(", ");
  const state = nigerianStates.find((one) => rest.some((part) => part.endsWith(one)));
  if (!state) throw new Error(`the demo farm ${slug} is in no state: ${location}`);
  const untold = { latitude: null, longitude: null, sinceYear: null, story: "", registration: null };
  return { name, state, place, ...untold, visitedOn: null, visitedBy: null, visitNote: null };
}

/** An owner visits a farm, and tells of it. */
async function visit(office: Office, farm: SeededFarm, told: NonNullable<SeededFarm["about"]>, at: Date) {
  const { farmId } = farm;
  const ctx = office.as("owner", at);
  const [seen] = await office.tx.select().from(farms).where(eq(farms.id, farmId));
  const { sinceYear, story } = told;
  const page = { ...pageOf(farm), sinceYear, story, visitedOn: dayInLagos(at), visitedBy: ctx.actor.fullName };
  await updateFarm(ctx, { ...page, farmId, seenUpdatedAt: seen?.updatedAt ?? at });
}

const sceneOf = ({ scene, slug }: SeededFarm): string => `/scenes/${scene ?? slug}.svg`;

/** Its own picture, and parts of it from nearer by, which browsers cut out by the address. */
const photosOf = (farm: SeededFarm) =>
  [
    { url: sceneOf(farm), altText: farm.imageAlt },
    ...farm.closeUps.map(({ x, y, width, altText }) => ({
      url: `${sceneOf(farm)}#svgView(viewBox(${x},${y},${width},${(width * 5) / 8}))`,
      altText,
    })),
  ].map((photo) => ({ ...photo, type: "photo" as const, width: 1200, height: 750 }));

type Written = { message: Told; index: number; at: Date };

/** A backer asks, or an owner answers: privately the one who asked last. */
async function write(office: Office, { projectId }: SeededFarm, { message, index, at }: Written): Promise<void> {
  const { from, content, isPrivate } = message;
  const sent = { projectId, content, idempotencyKey: randomUUID() };
  if (from === "backer") {
    const writer = isPrivate ? office.backer : await findBacker(office, projectId, index);
    await sendMessage(office.asPerson(writer, at), { ...sent, isPrivate });
    return;
  }
  const isAsked = and(eq(projectMessages.projectId, projectId), eq(projectMessages.isAdminReply, false));
  const [asked] = isPrivate
    ? await office.tx.select().from(projectMessages).where(isAsked).orderBy(desc(projectMessages.id)).limit(1)
    : [];
  await sendMessage(office.as("owner", at), { ...sent, isPrivate: false, ...(asked && { answersId: asked.id }) });
}

/** One of the people who back a project by then. */
export async function findBacker(
  { tx, people, backer: first }: Office,
  projectId: number,
  index: number,
): Promise<Person> {
  const backings = await tx
    .select({ userId: projectBackings.userId })
    .from(projectBackings)
    .where(eq(projectBackings.projectId, projectId))
    .orderBy(asc(projectBackings.userId));
  const backers = [...people, first].filter(({ id }) => backings.some(({ userId }) => userId === id));
  const backer = backers[index % backers.length];
  if (!backer) throw new Error(`nobody backs project ${projectId} yet`);
  return backer;
}

const planCamera = (office: Office, farm: SeededFarm): Step => ({
  at: office.now,
  run: () =>
    addLivestream(office.as("owner", office.now), {
      projectId: farm.projectId,
      url: "[url]https://live.farm.example/",
      altText: "The farm's camera. In the demo its address leads nowhere.",
    }),
});
