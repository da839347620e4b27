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

/** Administrators' commands on projects and their backers, backers' favourites, and weeks that pass. */

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
  close: command(2, byManagerOnProject, { call: calls.close, rule: projects.close }),
  reopen: command(5, byManagerOnProject, {
    call: calls.reopen,
    rule: projects.reopen,
    needs: projectsThat((it) => it.isClosed && !it.isRemoved),
  }),
  clone: command(1, byManagerOnProject, { call: calls.clone, rule: projects.clone }),
  publish: command(1, publishing, { call: calls.publish, rule: projects.create }),
  edit: command(
    3,
    fc.record({
      caller: manager,
      project,
      title: fc.constant("Edited"),
      goalKobo: fc.option(goalKobo),
      lots: fc.option(lotsOfProject),
      look,
    }),
    { call: calls.edit, rule: projects.edit },
  ),
  "edit the terms": command(
    2,
    fc.record({ caller: manager, project, look, inSteps: fc.boolean(), isPlanned: fc.boolean() }),
    {
      isPossible: (model, args) => !at(model.projects, args.project).isRemoved,
      call: calls.editTerms,
      rule: projects.editTerms,
    },
  ),
  delete: command(1, fc.record({ caller: owner, project }), { call: calls.remove, rule: projects.remove }),
  "let weeks pass": command(1, fc.record({ hours: fc.constantFrom(480, 720), isSwept: fc.boolean() }), {
    call: calls.letTimePass,
    rule: projects.letTimePass,
  }),
  "add a backer": command(3, byManagerOnBacker, { call: calls.grant, rule: projects.grant }),
  "remove a backer": command(3, byManagerOnBacker, {
    call: calls.revokeGrant,
    rule: projects.revokeGrant,
    needs: grantsThatStand,
  }),
  favourite: command(2, byBackerOnProject, { call: calls.favorite, rule: projects.favorite }),
  unfavourite: command(1, byBackerOnProject, { call: calls.unfavorite, rule: projects.unfavorite }),
} satisfies Weighted;
