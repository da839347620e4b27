import { beforeAll, expect, test } from "vitest";
import { inTransaction } from "#server/db/open.ts";
import { passHumanCheck } from "#server/platform/human-check.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { type Caller, callAs } from "#tests/support/people.ts";

const deps = await openTestDeps();
let visitor: Caller;

beforeAll(async () => {
  visitor = await callAs(deps, "anonymous");
});

async function ask() {
  const { first, second, challenge } = await visitor.auth.humanCheck();
  return { challenge, answer: String(first + second) };
}

const pass = (given: { challenge: string; answer: string }) =>
  inTransaction(deps.db, (tx) => passHumanCheck(tx, deps, given));

test("asks for the sum of two numbers from 1 to 10, anew each time", async () => {
  const questions = await Promise.all(Array.from({ length: 300 }, () => visitor.auth.humanCheck()));
  const operands = new Set(questions.flatMap(({ first, second }) => [first, second]));
  expect([...operands].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(new Set(questions.map(({ challenge }) => challenge)).size).toBe(300);
});

test("what goes back with the answer holds neither it nor the numbers, whatever is asked", async () => {
  const questions = await Promise.all(Array.from({ length: 300 }, () => visitor.auth.humanCheck()));
  for (const { challenge } of questions) {
    expect(challenge).toMatch(/^[0-9a-f-]{36}\.\d{13}\.[\w-]{43}\.[\w-]{43}$/);
  }
  // The same sum looks different each time: nobody learns an answer from the questions of before.
  const sealed = questions.map(({ challenge }) => challenge.split(".")[2]);
  expect(new Set(sealed).size).toBe(300);
});

test("the right answer passes one form, whitespace or not", async () => {
  const question = await ask();
  expect(await pass({ ...question, answer: ` ${question.answer} ` })).toBe("passed");
  expect(await pass(question)).toBe("expired");
});

test("of two forms at once with one answer, one passes", async () => {
  const question = await ask();
  const results = await Promise.all([pass(question), pass(question)]);
  expect(results.sort()).toEqual(["expired", "passed"]);
});

test("a form that fails leaves the question to be answered again", async () => {
  const question = await ask();
  const failing = inTransaction(deps.db, async (tx) => {
    await passHumanCheck(tx, deps, question);
    throw new Error("the form was refused");
  });
  await expect(failing).rejects.toThrow();
  expect(await pass(question)).toBe("passed");
});

test.each(["", "0", "21", "x", "1e1", "0x9", "-3", "NaN", "7.0", "9".repeat(5000)])(
  "%j is wrong, and the question can still be answered",
  async (answer) => {
    const question = await ask();
    expect(await pass({ ...question, answer })).toBe("wrong");
    expect(await pass(question)).toBe("passed");
  },
);

test("can be answered one second before ten minutes are over, and no longer", async () => {
  const [early, late] = [await ask(), await ask()];
  deps.clock.advance({ minutes: 10, seconds: -1 });
  expect(await pass(early)).toBe("passed");
  deps.clock.advance({ seconds: 1 });
  expect(await pass(late)).toBe("expired");
});

test("a question that was changed, or is another site's, passes nothing", async () => {
  const { challenge, answer } = await ask();
  const [id = "", expiresAt = "", sum = "", signature = ""] = challenge.split(".");
  const other = (await ask()).challenge.split(".");
  const forged = [
    [id, String(Number(expiresAt) + 1), sum, signature].join("."),
    [crypto.randomUUID(), expiresAt, sum, signature].join("."),
    [id, expiresAt, sum, "A".repeat(43)].join("."),
    [id, expiresAt, other[2], signature].join("."),
    [id, expiresAt, other[2], other[3]].join("."),
    [id, expiresAt, sum].join("."),
    "",
    "a.b.c.d",
    "x".repeat(100_000),
  ];
  for (const given of forged) expect(await pass({ challenge: given, answer })).toBe("expired");
  const elsewhere = { ...deps, appSecret: "another secret, which is long enough for a key" };
  expect(await inTransaction(deps.db, (tx) => passHumanCheck(tx, elsewhere, { challenge, answer }))).toBe("expired");
});
