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

/** What administrators do to projects and their backers, and what backers mark as favourites. */

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

export const ofProjects: Weighted = [
  [2, command("close", byManagerOnProject, { call: calls.close, rule: projects.close })],
  [
    5,
    command("reopen", byManagerOnProject, {
      call: calls.reopen,
      rule: projects.reopen,
      needsAim: true,
      aims: projectsThat((it) => it.isClosed && !it.isRemoved),
    }),
  ],
  [1, command("clone", byManagerOnProject, { call: calls.clone, rule: projects.clone })],
  [1, command("publish", publishing, { call: calls.publish, rule: projects.create })],
  [
    3,
    command(
      "edit",
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
  [
    2,
    command("edit the terms", fc.record({ caller: manager, project, look }), {
      isPossible: (model, args) => !at(model.projects, args.project).isRemoved,
      call: calls.editTerms,
      rule: projects.editTerms,
    }),
  ],
  [1, command("delete", fc.record({ caller: owner, project }), { call: calls.remove, rule: projects.remove })],
  [
    1,
    command("let days pass", fc.record({ hours: fc.constantFrom(480, 720), isSwept: fc.boolean() }), {
      call: calls.letTimePass,
      rule: projects.letTimePass,
    }),
  ],
  [3, command("add a backer", byManagerOnBacker, { call: calls.grant, rule: projects.grant })],
  [
    3,
    command("remove a backer", byManagerOnBacker, {
      call: calls.revokeGrant,
      rule: projects.revokeGrant,
      needsAim: true,
      aims: grantsThatStand,
    }),
  ],
  [2, command("favourite", byBackerOnProject, { call: calls.favorite, rule: projects.favorite })],
  [1, command("unfavourite", byBackerOnProject, { call: calls.unfavorite, rule: projects.unfavorite })],
];
