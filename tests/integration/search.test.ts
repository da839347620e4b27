import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { inTransaction } from "#server/db/open.ts";
import { projectBackings, projects } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import { categoryIds } from "#shared/projects/categories.ts";
import { dashboardSorts, projectSorts } from "#shared/projects/texts.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { isLong } from "#tests/support/length.ts";
import { type Caller, callAs, createAdmin } from "#tests/support/people.ts";
import { beginMissingRounds } from "#tests/support/projects.ts";

/**
 * A search finds the same rows in the same order as plain reading of all rows. There are enough rows for every way
 * that a search can take. The seed is fixed, so that a failure repeats.
 */
const deps = await openTestDeps();
let state = 20_261;
/** A whole number from 0 up to `below` (a linear congruential generator). */
function random(below: number): number {
  state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
  return Math.floor((state / 4_294_967_296) * below);
}
/** Returns all orders in the nightly run; otherwise each search takes the next one. */
const ordersFor = <T>(orders: readonly T[], index: number): readonly T[] =>
  isLong ? orders : [orders[index % orders.length] as T];
const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;

const TOTAL = 13_600;
/** Words that thousands have, but none of the newest 200, or of the newest 10,000. */
const wordOf = (id: number) => (id <= 3300 ? "Quinoa" : id <= 6600 ? "barley" : pick(["Cassava", "yam", "maize"]));
const rare = ["Zq", "50% more", "a_b", "Ọ̀yọ́", "C:\\farm", "🌾 rice", "  x  ", "ﬁsh", "'quoted'"];
const adjectives = ["Old", "Big", "SOLAR", "village", "of of", "Dry-season"];
const terms = [
  ...["quinoa", "Barley", "cassava", "yam m", "a", "q", "zq", "zZ", "%", "_", "%%%", "___", "50%", "\\", "ọ̀yọ́", "🌾"],
  ...[
    "ﬁsh",
    "of of of",
    "ld qui",
    "xyzzy",
    "'",
    "x".repeat(100),
    "village barley",
    "barley village",
    "season y",
    "12",
    "345",
    "no. 7",
    "e a",
  ],
];
type Project = typeof projects.$inferInsert & { id: number; backersCount: number; endsAt: Date; isClosed: boolean };
let all: Project[] = [];
let people: (typeof users.$inferSelect)[] = [];
let firstBackers: Map<number, string>;
let visitor: Caller;
let admin: Caller;

beforeAll(async () => {
  const now = deps.clock.now().getTime();
  const made = Array.from({ length: TOTAL }, (_, index) => {
    const isClosed = random(10) < 4;
    const words = [pick(adjectives), wordOf(index + 1), random(50) === 0 ? pick(rare) : "", `No. ${random(9000)}`];
    return {
      title: words.filter(Boolean).join(" "),
      category: random(20) === 0 ? null : pick(categoryIds.slice(0, 3)),
      shortDescription: "Short enough.",
      description: "A description has fifty letters at the very least, so here they are.",
      imageUrl: "/scenes/1.svg",
      fundingGoalKobo: 1_000_000n,
      backersCount: random(5),
      endsAt: new Date(now + random(1000) * 3_600_000),
      isClosed,
      closedAt: isClosed ? deps.clock.now() : null,
    };
  });
  await inTransaction(deps.db, async (tx) => {
    for (let from = 0; from < TOTAL; from += 1700) await tx.insert(projects).values(made.slice(from, from + 1700));
    await beginMissingRounds(tx);
  });
  const names = ["Ada Obi", "Bola Ade", "ada obi", "Chi 100%", "Zainab_B", "Ọlá Q"];
  people = await deps.db
    .insert(users)
    .values(
      Array.from({ length: 900 }, (_, index) => ({
        email: `${pick(["ada", "bola", "zed", "q"])}.${index}@${pick(["mail", "farm"])}.example`,
        fullName: `${pick(names)}${random(30) === 0 ? " Xyz" : ""}`,
        isBlocked: random(10) === 0,
        createdAt: new Date(now - random(300) * 3_600_000),
      })),
    )
    .returning();
  const backings = Array.from({ length: 1500 }, (_, index) => ({
    projectId: 1 + ((index * 7) % TOTAL),
    userId: pick(people).id,
    grantedAt: deps.clock.now(),
    createdAt: new Date(now - random(3) * 3_600_000),
  }));
  await deps.db.insert(projectBackings).values(backings).onConflictDoNothing();
  await deps.db.execute(sql`analyze`);
  all = await deps.db.select().from(projects);
  const kept = await deps.db.select().from(projectBackings);
  kept.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a.id - b.id);
  const nameOf = new Map(people.map(({ id, fullName }) => [id, fullName]));
  firstBackers = new Map(kept.reverse().map(({ projectId, userId }) => [projectId, nameOf.get(userId) ?? ""]));
  visitor = await callAs(deps, "anonymous");
  // With an address of no random letters: one that ends with a "b" would be found by "b@".
  admin = await callAs(deps, await createAdmin(deps.db, "owner", { email: "owner@example.com" }));
}, 120_000);

const has = (text: string, term: string) => text.toLowerCase().includes(term.trim().toLowerCase());
/** As the databases of the tests compare texts: by code points. */
const byText = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The first pages of a list, one after the other. */
async function readPages<Row>(
  read: (cursor: string | null) => Promise<{ items: Row[]; nextCursor: string | null }>,
  pages = 3,
): Promise<Row[]> {
  const found: Row[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < pages; page++) {
    const { items, nextCursor } = await read(cursor);
    found.push(...items);
    cursor = nextCursor;
    if (!cursor) break;
  }
  return found;
}

describe("the search of public projects finds what reading all of them finds", () => {
  const orders = {
    popular: (a: Project, b: Project) => b.backersCount - a.backersCount || b.id - a.id,
    funded: (a: Project, b: Project) => b.id - a.id,
    newest: (a: Project, b: Project) => b.id - a.id,
    ending: (a: Project, b: Project) => a.endsAt.getTime() - b.endsAt.getTime() || a.id - b.id,
  };

  /** True if each word stands somewhere. Single letters, "in", "at" and "near" only count if there is nothing else. */
  const hasWords = ({ title, location = "" }: Project, term: string) => {
    const words = term.toLowerCase().trim().split(/\s+/);
    const telling = words.filter((word) => word.length > 1 && !["in", "at", "near"].includes(word));
    const text = `${title}\n\n${location}`.toLowerCase();
    return (telling.length > 0 ? telling : words.slice(0, 1)).every((word) => text.includes(word));
  };

  test.each(terms.map((search, index) => ({ search, index })))("$search", async ({ search, index }) => {
    for (const sort of ordersFor(projectSorts, index)) {
      const [category, showClosed] = [pick([null, ...categoryIds.slice(0, 4)]), random(2) === 0];
      const found = await readPages((cursor) => visitor.projects.list({ search, sort, category, showClosed, cursor }));
      const expected = all
        .filter((project) => hasWords(project, search) && (showClosed || !project.isClosed))
        .filter((project) => category === null || project.category === category)
        .sort(orders[sort]);
      expect(found.map(({ id }) => id)).toEqual(expected.slice(0, 36).map(({ id }) => id));
    }
  });

  test("also where only old projects have the word", async () => {
    for (const search of ["quinoa", "barley"]) {
      const found = await visitor.projects.list({ search, sort: "newest", showClosed: true });
      const expected = all.filter(({ title }) => has(title, search)).sort(orders.newest);
      expect(found.items.map(({ id }) => id)).toEqual(expected.slice(0, 12).map(({ id }) => id));
    }
  });

  test("and a title that changed is found by its new words only", async () => {
    const project = all[0] as Project;
    await deps.db.update(projects).set({ title: "Wholly new" }).where(sql`${projects.id} = ${project.id}`);
    const found = await visitor.projects.list({ search: "wholly new", showClosed: true });
    expect(found.items.map(({ id }) => id)).toEqual([project.id]);
    await deps.db.update(projects).set({ title: project.title }).where(sql`${projects.id} = ${project.id}`);
    expect((await visitor.projects.list({ search: "wholly new", showClosed: true })).items).toEqual([]);
  });
});

describe("the administrators' searches find what reading all rows finds", () => {
  test("in the table of the dashboard, by title and by the first backer's name", { timeout: 120_000 }, async () => {
    const keys = {
      title: () => "",
      status: ({ isClosed }: Project) => (isClosed ? "1" : "0"),
      backer: ({ id }: Project) => (firstBackers.has(id) ? `0${firstBackers.get(id)?.toLowerCase()}` : "1"),
    };
    const searches = ["", "quinoa", "ada obi", "%", "chi 100%", "q", "xyz", "zq", "no such"];
    for (const [index, search] of searches.entries()) {
      for (const sort of ordersFor(dashboardSorts, index)) {
        const found = await readPages((cursor) => admin.dashboard.projects({ search, sort, cursor }), 4);
        const expected = all
          .filter(({ id, title }) => has(title, search) || has(firstBackers.get(id) ?? "", search))
          .map((project) => ({ ...project, key: keys[sort](project) }))
          .sort((a, b) => byText(a.key, b.key) || byText(a.title.toLowerCase(), b.title.toLowerCase()) || a.id - b.id);
        expect(found.map(({ id }) => id)).toEqual(expected.slice(0, 200).map(({ id }) => id));
        expect(found.map(({ backerName }) => backerName)).toEqual(found.map(({ id }) => firstBackers.get(id) ?? null));
      }
    }
  });

  test("of people, by name and address, also to make one a backer", { timeout: 60_000 }, async () => {
    for (const search of ["ada", "q", "xyz", "mail.ex", "_b", "zed.1", "ọlá", "nobody at all", "b@"]) {
      const matching = people.filter(({ fullName, email }) => has(fullName, search) || has(email, search));
      const found = await readPages((cursor) => admin.users.list({ search, cursor }));
      const newestFirst = [...matching].sort(
        (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || byText(a.id, b.id),
      );
      expect(found.map(({ id }) => id)).toEqual(newestFirst.slice(0, 75).map(({ id }) => id));
      const picked = await admin.users.searchForPicker({ search });
      const byAddress = matching.filter(({ isBlocked }) => !isBlocked).sort((a, b) => byText(a.email, b.email));
      expect(picked.people.map(({ email }) => email)).toEqual(
        byAddress.slice(0, picked.people.length).map(({ email }) => email),
      );
      expect(picked.hasMore).toBe(byAddress.length > picked.people.length);
    }
  });
});
