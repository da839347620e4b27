import { z } from "zod";
import { rowId } from "#shared/ids.ts";
import { reason } from "#shared/second-person/reason.ts";
import { evidenceFileIds } from "./evidence.ts";
import { holderChangeCauses } from "./holder-changes-texts.ts";
import { paymentIdInput } from "./inputs.ts";

/** The details of a request for a change of holder. It isn't begun if the holder is another by then. */
export const changeHolderDetails = paymentIdInput.extend({
  fromUserId: z.uuid(),
  toUserId: z.uuid(),
  cause: z.enum(holderChangeCauses),
  /** The papers that prove it, which were uploaded before. */
  fileIds: evidenceFileIds,
});

export const previewHolderChangeInput = paymentIdInput;
export const holderChangeInput = z.object({ changeId: rowId });
export const stopHolderChangeInput = holderChangeInput.extend({ reason });
