import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "#tests/support/http-app.ts";
import { sbomNames, writeSboms } from "../../scripts/sbom.ts";

type Sbom = {
  bomFormat: string;
  specVersion: string;
  metadata: { component: { name: string; version: string; type: string } };
  components: { name: string; version: string; purl: string; hashes?: unknown[] }[];
};
type Package = { name: string; version: string } & Record<"dependencies" | "devDependencies", Record<string, string>>;

const root = join(import.meta.dirname, "../..");
const read = (...path: string[]) => readFileSync(join(...path), "utf8");

test("the build says in CycloneDX which packages it is made of, each with its version and hash", async () => {
  const folder = await tempFolder();
  await writeSboms(folder);
  const described = JSON.parse(read(root, "package.json")) as Package;
  const { name, version, dependencies, devDependencies } = described;
  const sboms = { server: JSON.parse(read(folder, sbomNames.server)), all: JSON.parse(read(folder, sbomNames.all)) };
  const listed = ({ components }: Sbom) => components.map((one) => `${one.name}@${one.version}`);
  const named = (wanted: Record<string, string>) => Object.entries(wanted).map((entry) => entry.join("@"));
  for (const sbom of Object.values(sboms) as Sbom[]) {
    expect(sbom).toMatchObject({ bomFormat: "CycloneDX", specVersion: expect.stringMatching(/^1\.\d$/) });
    expect(sbom.metadata.component).toMatchObject({ name, version, type: "application" });
    expect(listed(sbom)).toEqual(expect.arrayContaining(named(dependencies)));
    for (const { purl, hashes } of sbom.components) {
      expect(purl).toMatch(/^pkg:npm\//);
      expect(hashes, purl).toHaveLength(1);
    }
  }
  expect(listed(sboms.server).filter((one) => one.startsWith("vitest@"))).toEqual([]);
  expect(listed(sboms.all)).toEqual(expect.arrayContaining(named(devDependencies)));
});

test("the build writes the lists, and the image has them", () => {
  expect(read(root, "scripts/build.ts")).toContain('await writeSboms("dist");');
  expect(read(root, "Dockerfile")).toMatch(/^COPY --from=build \/app\/dist dist$/m);
});
