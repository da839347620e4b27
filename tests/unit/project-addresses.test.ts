import { describe, expect, test } from "vitest";
import { readPaySearch } from "#client/features/payments/buying/pay-search.ts";
import { readDiscoverSearch, toListInput } from "#client/features/projects/discover/discover-search.ts";
import { listProjectsInput } from "#shared/projects/inputs.ts";
import { readProjectId } from "#shared/projects/project-id.ts";

describe("a project's id in an address", () => {
  test("is an integer that the database knows", () => {
    expect(readProjectId("7")).toBe(7);
    expect(readProjectId("2147483647")).toBe(2_147_483_647);
  });

  test.each(["", "0", "-1", "1.5", "1e3", "abc", "7 ", "2147483648", "99999999999"])("isn't %j", (text) => {
    expect(readProjectId(text)).toBeNull();
  });
});

describe("the address of the project list", () => {
  test("keeps what it knows", () => {
    const search = { search: " snail ", sort: "ending", category: "organic", closed: true };
    expect(readDiscoverSearch(search)).toEqual({ search: "snail", sort: "ending", category: "organic", closed: true });
    expect(readDiscoverSearch({ search: 2026, closed: "true" })).toMatchObject({ search: "2026", closed: true });
  });

  test.each([
    {},
    { search: "", sort: "popular", category: "", closed: false },
    { search: ["a"], sort: "evil", category: "weapons", closed: "perhaps" },
    { search: { $ne: 1 }, sort: 1, category: null, closed: 1 },
  ])("drops defaults and what it doesn't know: %j", (search) => {
    expect(Object.values(readDiscoverSearch(search)).filter((value) => value !== undefined)).toEqual([]);
  });

  test("is always something that the server takes", () => {
    const long = toListInput(readDiscoverSearch({ search: "x".repeat(500) }));
    expect(listProjectsInput.safeParse(long).success).toBe(true);
    expect(listProjectsInput.parse({})).toEqual({ ...toListInput({}), cursor: undefined });
  });
});

describe("the address of a payment page", () => {
  test.each([1, 40])("keeps %s lots", (lots) => {
    expect(readPaySearch({ lots })).toEqual({ lots });
  });

  test.each([0, -3, 2.5, 1e300, "many", [2], undefined])("begins anew with %j lots", (lots) => {
    expect(readPaySearch({ lots }).lots).toBeUndefined();
  });
});
