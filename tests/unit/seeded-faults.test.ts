import { expect, test } from "vitest";
import { pointPatches, requireFit } from "#tests/nightly/faults/patches.ts";
import { seededFaults } from "#tests/nightly/faults/seeds.ts";

// Whether each of them is caught takes minutes: `npm run test:faults -- --seeded`.
test.each(seededFaults)("the fault run can still seed: $name", ({ patches, statement }) => {
  requireFit([...pointPatches, ...patches]);
  expect(patches.length > 0 || statement !== undefined).toBe(true);
});
