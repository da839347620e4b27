import { eq } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import { farms } from "#server/db/schema/farms.ts";
import { projectMedia, projectMessages, projects, projectUpdates } from "#server/db/schema/projects.ts";
import { beginRound } from "#server/features/projects/rounds/service.ts";
import { dayInLagos } from "#shared/dates.ts";
import { nigerianStates } from "#shared/farms/texts.ts";
import { dayMs } from "#shared/lagos-time.ts";
import { nairaToKobo } from "#shared/money.ts";
import { defaultTerms } from "#shared/projects/terms-texts.ts";
import type { DemoFarm } from "./demo-data.ts";
import type { Person, SeededFarm } from "./seed-office.ts";

type FarmInput = { farm: DemoFarm; index: number; owner: Person; backer: Person; people: Person[]; now: Date };

/** Writes a farm as it was on its first day, open for backers, with what was told of it since. */
export async function insertFarm(tx: Tx, { farm, index, owner, backer, people, now }: FarmInput): Promise<SeededFarm> {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs);
  const startedAt = ago(farm.startedDaysAgo);
  const endsAt = new Date(startedAt.getTime() + farm.durationDays * dayMs);
  const farmId = await insertItsFarm(tx, farm, { at: startedAt, visitedBy: owner.fullName, now });
  const scene = `/scenes/${farm.scene ?? farm.slug}.svg`;
  const [project] = await tx
    .insert(projects)
    .values({
      title: farm.title,
      farmId,
      creator: farm.creator,
      category: farm.category,
      shortDescription: farm.shortDescription,
      description: farm.descriptionHtml,
      imageUrl: scene,
      imageAlt: farm.imageAlt,
      location: farm.location,
      rewards: [],
      fundingGoalKobo: nairaToKobo(farm.goalNaira),
      durationDays: farm.durationDays,
      endsAt,
      createdAt: startedAt,
      updatedAt: startedAt,
    })
    .returning({ id: projects.id });
  if (!project) throw new Error(`the demo farm ${farm.slug} was not written`);
  const projectId = project.id;
  const { lots, minimumLots = lots } = farm;
  const offer = { lots, minimumLots, fundingGoalKobo: nairaToKobo(farm.goalNaira) };
  const { firstHarvestInDays, ...planned } = farm.terms;
  const firstHarvestOn = firstHarvestInDays
    ? dayInLagos(new Date(endsAt.getTime() + firstHarvestInDays * dayMs))
    : null;
  const terms = { ...defaultTerms(500), ...planned, firstHarvestOn };
  await beginRound(tx, { projectId, round: 1 }, { offer, terms, by: owner.id, at: startedAt });
  await tx.insert(auditLogs).values({
    actionType: "create_project",
    userId: owner.id,
    userEmail: owner.email,
    details: { projectId, title: farm.title },
    ipAddress: "127.0.0.1",
    createdAt: startedAt,
  });

  if (farm.updates.length > 0) {
    await tx
      .insert(projectUpdates)
      .values(
        farm.updates.map(({ daysAgo, title, content }) => ({ projectId, title, content, createdAt: ago(daysAgo) })),
      );
  }
  let answersId: number | null = null;
  for (const { daysAgo, from, isPrivate, content } of farm.messages.toReversed()) {
    const writer = isPrivate ? backer : people[index % people.length];
    if (!writer) throw new Error("the demo has no people");
    const isAdminReply = from === "admin";
    const [made]: { id: number }[] = await tx
      .insert(projectMessages)
      .values({
        ...{ projectId, userId: isAdminReply ? owner.id : writer.id, isAdminReply, isPrivate, content },
        ...(isAdminReply && isPrivate && { recipientId: writer.id, answersId }),
        createdAt: ago(daysAgo),
      })
      .returning({ id: projectMessages.id });
    answersId = made?.id ?? null;
  }
  if (farm.updates.length > 0 || farm.isClosed) {
    // Since it began: its own picture, and parts of it from nearer by, which browsers cut out by the address.
    const photos = [
      { url: scene, altText: farm.imageAlt },
      ...farm.closeUps.map(({ x, y, width, altText }) => ({
        url: `${scene}#svgView(viewBox(${x},${y},${width},${(width * 5) / 8}))`,
        altText,
      })),
    ];
    await tx.insert(projectMedia).values(
      photos.map(({ url, altText }, order) => ({
        projectId,
        type: "photo" as const,
        url,
        altText,
        width: 1200,
        height: 750,
        createdAt: ago((farm.startedDaysAgo * (order + 1)) / (photos.length + 1)),
      })),
    );
  }
  return { ...farm, projectId, farmId };
}

type Visit = { at: Date; visitedBy: string; now: Date };

/** The farm that runs it, which may run others already. Its place is the first part of the location, its state the last: "Kuje, Abuja FCT". */
async function insertItsFarm(tx: Tx, farm: DemoFarm, { at, visitedBy, now }: Visit): Promise<number> {
  const { slug, creator: name, location, about } = farm;
  const [known] = await tx.select({ id: farms.id }).from(farms).where(eq(farms.name, name));
  if (known) return known.id;
  const [place = "", ...rest] = location.split(", ");
  const state = nigerianStates.find((one) => rest.some((part) => part.endsWith(one)));
  if (!state) throw new Error(`the demo farm ${slug} is in no state: ${location}`);
  const told = about && {
    sinceYear: about.sinceYear,
    story: about.story,
    visitedOn: dayInLagos(new Date(now.getTime() - about.visitedDaysAgo * dayMs)),
    visitedBy,
  };
  const [row] = await tx
    .insert(farms)
    .values({ name, state, place, createdAt: at, updatedAt: at, ...told })
    .returning({ id: farms.id });
  if (!row) throw new Error(`the farm of ${slug} was not written`);
  return row.id;
}
