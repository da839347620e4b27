import { reportPhotos, reportPageTexts as texts } from "#shared/reports/page-texts.ts";
import type { Draft, DraftStore } from "./draft.ts";
import { find } from "./form.ts";
import { PhotoFault, preparePhoto } from "./photos.ts";

type PhotoListOptions = {
  drafts: DraftStore;
  /** The photos of the draft as it is now. */
  photosOf: () => Draft["photos"];
  /** Called with the photos after one was added or removed. */
  onChange: (photos: Draft["photos"]) => Promise<void>;
};

/** The chosen photos with their pictures, and the two ways to add one: the camera and the gallery. */
export function openPhotoList({ drafts, photosOf, onChange }: PhotoListOptions) {
  const list = find("#photos");
  const fault = find("#photo-fault");
  const inputs = [find<HTMLInputElement>("#camera"), find<HTMLInputElement>("#gallery")];

  const show = async () => {
    const photos = photosOf();
    for (const image of list.querySelectorAll("img")) URL.revokeObjectURL(image.src);
    list.replaceChildren(...(await Promise.all(photos.map(({ key }, index) => itemOf(key, index + 1)))));
    find("#photo-count").textContent = `${photos.length} of ${reportPhotos.max}`;
    for (const input of inputs) input.disabled = photos.length >= reportPhotos.max;
  };

  const itemOf = async (key: string, position: number) => {
    const item = document.createElement("li");
    const file = await drafts.readPhoto(key);
    const image = Object.assign(new Image(), { alt: `Photo ${position}` });
    if (file) image.src = URL.createObjectURL(file);
    const remove = Object.assign(document.createElement("button"), { type: "button", className: "quiet" });
    remove.textContent = "Remove";
    remove.setAttribute("aria-label", `Remove photo ${position}`);
    remove.addEventListener("click", async () => {
      await drafts.removePhoto(key);
      await onChange(photosOf().filter((photo) => photo.key !== key));
      fault.textContent = "";
      await show();
      find("#photo-count").focus();
    });
    item.append(image, remove);
    return item;
  };

  const add = async (files: File[]) => {
    fault.textContent = "";
    for (const file of files) {
      if (photosOf().length >= reportPhotos.max) {
        fault.textContent = texts.photosFull;
        break;
      }
      try {
        const key = crypto.randomUUID();
        await drafts.keepPhoto(key, await preparePhoto(file));
        await onChange([...photosOf(), { key, isUploaded: false }]);
      } catch (error) {
        if (!(error instanceof PhotoFault)) throw error;
        fault.textContent = error.message;
      }
    }
    await show();
  };
  for (const input of inputs) {
    input.addEventListener("change", async () => {
      const files = [...(input.files ?? [])];
      // The same photo may be chosen again after it was removed.
      input.value = "";
      await add(files);
    });
  }

  return {
    show,
    /** Says what the server found wrong with the photo at a position from 1 on. */
    showFault(position: number, message: string) {
      fault.textContent = `Photo ${position}: ${message}`;
      list.children[position - 1]?.querySelector("button")?.focus();
    },
  };
}
