import { adminProcedure, router } from "#server/platform/procedures.ts";
import { addSettingInput, saveSettingsInput, updateSettingInput } from "#shared/settings/inputs.ts";
import { listSettings } from "./queries.ts";
import { addSetting, saveSettings, updateSetting } from "./service.ts";

export const settingsRouter = router({
  list: adminProcedure("settings:manage").query(({ ctx }) => listSettings(ctx)),
  add: adminProcedure("settings:manage")
    .input(addSettingInput)
    .mutation(({ ctx, input }) => addSetting(ctx, input)),
  update: adminProcedure("settings:manage")
    .input(updateSettingInput)
    .mutation(({ ctx, input }) => updateSetting(ctx, input)),
  save: adminProcedure("settings:manage")
    .input(saveSettingsInput)
    .mutation(({ ctx, input }) => saveSettings(ctx, input)),
});
