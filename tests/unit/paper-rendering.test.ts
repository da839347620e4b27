import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type PrintedPaper, renderPaper } from "#server/features/papers/pdf/render-paper.ts";
import { renderApart, renderingProcesses } from "#server/features/papers/pdf/rendering-processes.ts";
import { ProcessOverrun } from "#server/platform/processes.ts";
import { paperTexts } from "#shared/papers/texts.ts";
import { readPdf } from "#tests/support/pdf-text.ts";
import { gona } from "#tests/support/site.ts";

const paper: PrintedPaper = {
  kind: "statement",
  number: "GA-2026-000001",
  code: "7K3P9Q2MXW4T8HRD",
  issuedAt: new Date("2026-12-31T23:30:00Z"),
  verifyUrl: "https://gona.example/verify/7K3P9Q2MXW4T8HRD",
  site: gona,
  mark: null,
  head: null,
  content: {
    title: "Statement of Adéọlá Ọṣun",
    facts: [],
    tables: [
      {
        heading: "Money in and out",
        columns: [
          { label: "What", align: "left" },
          { label: "In", align: "right" },
        ],
        rows: Array.from({ length: 100 }, (_, index) => [`Line ${index + 1}`, "₦1,000.00"]),
        sums: [],
      },
    ],
    notes: [],
  },
};

const limits = { heapMegabytes: 256, milliseconds: 60_000 };

test("a paper of several pages made in a process of its own have the bytes that they have anywhere", async () => {
  const [one, other] = await Promise.all([renderApart(paper), renderApart(paper)]);
  expect(one.equals(await renderPaper(paper))).toBe(true);
  expect(other.equals(one)).toBe(true);
});

test("the server makes no PDF but in a process of its own", () => {
  const importers = globSync("src/server/**/*.ts").filter((file) =>
    /import (?!type\b)[^;]*"(\.|#server\/features\/papers\/pdf)\/render-paper\.ts"/.test(readFileSync(file, "utf8")),
  );
  expect(importers).toEqual(["src/server/features/papers/pdf/rendering-worker.ts"]);
});

test("a process that takes too much memory or time says so, and the next one works", async () => {
  const failed = { reason: "unavailable", message: paperTexts.notStored };
  for (const [over, of] of [
    [{ heapMegabytes: 8 }, "memory"],
    [{ milliseconds: 1 }, "time"],
  ] as const) {
    const refused = await renderApart(paper, renderingProcesses({ ...limits, ...over })).catch(
      (error: unknown) => error,
    );
    expect(refused).toMatchObject(failed);
    expect(refused).toHaveProperty("cause", expect.any(ProcessOverrun));
    expect(refused).toHaveProperty("cause.of", of);
  }
  expect((await renderApart(paper)).subarray(0, 5).toString()).toBe("%PDF-");
});

test("a letter that the papers' fonts lack is a visible sign, and every other one is itself", async () => {
  const names = "Chidi 王芳 محمد 👩‍🌾 Ọ̀ṣun\u200b Ɓala Łukasz Ωμέγα Жанна ₦5";
  const tables = paper.content.tables.map((table) => ({ ...table, rows: [[names, "✓"]] }));
  const text = await readPdf(await renderPaper({ ...paper, content: { ...paper.content, tables } }));
  expect(text.replace(/\s+/g, " ")).toContain("Chidi �� ���� � Ọ̀ṣun Ɓala Łukasz Ωμέγα Жанна ₦5 �");
});

test("what can't be printed is an error in words", async () => {
  const broken = { ...paper, kind: "receipt", number: "x", issuedAt: new Date(Number.NaN) } as const;
  await expect(renderApart(broken)).rejects.toMatchObject({ reason: "unavailable", message: paperTexts.notStored });
});
