import { expect, test } from "vitest";
import { formatBytes, formatCount } from "#client/lib/format.ts";
import { pageLinks } from "#client/ui/lists/pagination.tsx";
import { formatDate, formatDateTime } from "#shared/dates.ts";

test("dates are the days of Lagos, with three letters for every month", () => {
  expect(formatDate(new Date("2026-11-20T23:30:00Z"))).toBe("21 Nov 2026");
  expect(formatDate(new Date("2026-09-01T12:00:00Z"))).toBe("1 Sep 2026");
  expect(formatDateTime(new Date("2026-11-21T13:05:00Z"))).toBe("21 Nov 2026, 14:05 WAT");
});

test("counts carry their noun", () => {
  expect(formatCount(1, "backer")).toBe("1 backer");
  expect(formatCount(1200, "backer")).toBe("1,200 backers");
  expect(formatCount(0, "reply", "replies")).toBe("0 replies");
});

test("sizes are written as people read them", () => {
  expect(formatBytes(12)).toBe("12 bytes");
  expect(formatBytes(350_000)).toBe("342 KB");
  expect(formatBytes(10 * 1024 * 1024)).toBe("10.0 MB");
});

test("pages show the first, the last and the neighbours", () => {
  expect(pageLinks(1, 4)).toEqual([1, 2, 3, 4]);
  expect(pageLinks(1, 12)).toEqual([1, 2, 3, 4, null, 12]);
  expect(pageLinks(6, 12)).toEqual([1, null, 5, 6, 7, null, 12]);
  expect(pageLinks(12, 12)).toEqual([1, null, 9, 10, 11, 12]);
});
