import { z } from "zod";
import { todayKinds } from "./lines.ts";

export const todayItemsInput = z.object({ kind: z.enum(todayKinds) });
