import fc from "fast-check";
import * as calls from "#tests/support/money-model/calls.ts";
import { command } from "#tests/support/money-model/command.ts";
import * as projects from "#tests/support/money-model/projects.ts";
import { at } from "#tests/support/money-model/state.ts";
import {
  byBackerOnProject,
  byManagerOnProject,
  grantsThatStand,
  look,
  manager,
  owner,
  person,
  project,
  projectsThat,
  type Weighted,
} from "./drawn.ts";

/** What administrators do to projects and their backers, what backers mark as favourites, and weeks that pass. */

const goalKobo = fc.constantFrom(40_000_000n, 50_000_000n, 60_000_000n);
const lotsOfProject = fc.constantFrom(1, 4);
const byManagerOnBacker = fc.record({ caller: manager, project, person });

const publishing = lotsOfProject.chain((all) =>
  fc.record({
    caller: manager,
    title: fc.constant("Goat sheds"),
    goalKobo,
    lots: fc.constant(all),
    minimumLots: fc.constantFrom(1, all),
  }),
);

export const ofProjects = {
  close: [2, command(byManagerOnProject, { call: calls.close, rule: projects.close })],
  reopen: [
    5,
    command(byManagerOnProject, {
      call: calls.reopen,
      rule: projects.reopen,
      needsAim: true,
      aims: projectsThat((it) => it.isClosed && !it.isRemoved),
    }),
  ],
  clone: [1, command(byManagerOnProject, { call: calls.clone, rule: projects.clone })],
  publish: [1, command(publishing, { call: calls.publish, rule: projects.create })],
  edit: [
    3,
    command(
      fc.record({
        caller: manager,
        project,
        title: fc.constant("Edited"),
        goalKobo: fc.option(goalKobo),
        lots: fc.option(lotsOfProject),
        look,
      }),
      {
        call: calls.edit,
        rule: projects.edit,
      },
    ),
  ],
  "edit the terms": [
    2,
    command(fc.record({ caller: manager, project, look }), {
      isPossible: (model, args) => !at(model.projects, args.project).isRemoved,
      call: calls.editTerms,
      rule: projects.editTerms,
    }),
  ],
  delete: [1, command(fc.record({ caller: owner, project }), { call: calls.remove, rule: projects.remove })],
  "let weeks pass": [
    1,
    command(fc.record({ hours: fc.constantFrom(480, 720), isSwept: fc.boolean() }), {
      call: calls.letTimePass,
      rule: projects.letTimePass,
    }),
  ],
  "add a backer": [3, command(byManagerOnBacker, { call: calls.grant, rule: projects.grant })],
  "remove a backer": [
    3,
    command(byManagerOnBacker, {
      call: calls.revokeGrant,
      rule: projects.revokeGrant,
      needsAim: true,
      aims: grantsThatStand,
    }),
  ],
  favourite: [2, command(byBackerOnProject, { call: calls.favorite, rule: projects.favorite })],
  unfavourite: [1, command(byBackerOnProject, { call: calls.unfavorite, rule: projects.unfavorite })],
} satisfies Weighted;
