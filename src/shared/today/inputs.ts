import { z } from "zod";
import { todayKinds, todayTexts } from "./lines.ts";

export const todayItemsInput = z.object({ kind: z.enum(todayKinds, todayTexts.noSuchLine) });
