import type { Caller } from "./people.ts";

/** A question of the human check with its right answer, as a form sends both. */
export async function answerHumanCheck(caller: Pick<Caller, "auth">) {
  const { first, second, challenge } = await caller.auth.humanCheck();
  return { challenge, humanVerification: String(first + second) };
}
