import { PrismaPg } from "@prisma/adapter-pg";
import express from "express";
import { PrismaClient } from "./generated/client.ts";

/** The list of projects as it is written with Express and Prisma. */
const adapter = new PrismaPg({ connectionString: process.env.DATABASE_URL, max: 10 });
const prisma = new PrismaClient({ adapter });
const app = express();

const sorts = {
  popular: [{ backersCount: "desc" }, { id: "desc" }],
  funded: [{ currentFundingKobo: "desc" }, { id: "desc" }],
  newest: [{ id: "desc" }],
  ending: [{ endsAt: "asc" }, { id: "asc" }],
};
const pageSize = 12;
const daysLeft = (endsAt) => Math.max(0, Math.ceil((endsAt.getTime() - Date.now()) / 86_400_000));

app.get("/list", async (request, response) => {
  const { category, sort } = request.query;
  const found = await prisma.project.findMany({
    where: { isClosed: false, ...(category ? { category } : {}) },
    orderBy: sorts[sort] ?? sorts.newest,
    take: pageSize + 1,
    omit: { round: true },
    include: { currentRound: { omit: { projectId: true, round: true } } },
  });
  const items = found
    .slice(0, pageSize)
    .map(({ endsAt, fundingGoalKobo, currentFundingKobo, currentRound, ...project }) => ({
      ...project,
      ...currentRound,
      lotPriceKobo: currentRound.lotPriceKobo.toString(),
      fundingGoalKobo: fundingGoalKobo.toString(),
      currentFundingKobo: currentFundingKobo.toString(),
      daysLeft: daysLeft(endsAt),
    }));
  response.json({ items, next: found.length > pageSize ? found[pageSize - 1].id : null });
});

await prisma.$queryRaw`select 1`;
app.listen(Number(process.env.PORT), process.env.HOST ?? "127.0.0.1", () => console.log("listening"));
