import { z } from "zod";
import { cursor } from "#shared/pagination.ts";
import { projectId } from "#shared/projects.ts";

export const listGalleryInput = z.object({ projectId, cursor });
