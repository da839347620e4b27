/** The rules of uploads: kinds, content types, limits and their texts (product decision, section Files). */

export const fileKinds = ["receipt", "resume", "photo", "video", "evidence", "mark"] as const;
export type FileKind = (typeof fileKinds)[number];

export type FileRule = {
  /** Content types, detected from the bytes and never from the name. */
  types: readonly string[];
  /** The value of a file input's `accept`. */
  accept: string;
  maxBytes: number;
  texts: { missing: string; type: string; size: string };
};

const MB = 1024 * 1024;
const word = {
  doc: "application/msword",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
} as const;

export const fileRules: Record<FileKind, FileRule> = {
  receipt: {
    types: ["image/jpeg", "image/png", "image/webp", "application/pdf"],
    accept: "image/jpeg,image/png,image/webp,application/pdf",
    maxBytes: 10 * MB,
    texts: {
      missing: "Please choose your payment receipt",
      type: "Please upload an image or PDF",
      size: "File size must be less than 10MB",
    },
  },
  resume: {
    types: ["application/pdf", word.doc, word.docx],
    accept: `.pdf,.doc,.docx,application/pdf,${word.doc},${word.docx}`,
    maxBytes: 5 * MB,
    texts: {
      missing: "Please choose your resume",
      type: "Please upload a PDF or Word document",
      size: "File size must be less than 5MB",
    },
  },
  photo: {
    types: ["image/jpeg", "image/png", "image/webp"],
    accept: "image/jpeg,image/png,image/webp",
    maxBytes: 10 * MB,
    texts: {
      missing: "Please choose a photo",
      type: "Please upload a JPEG, PNG or WebP image",
      size: "File size must be less than 10MB",
    },
  },
  video: {
    types: ["video/mp4", "video/webm"],
    accept: "video/mp4,video/webm",
    maxBytes: 200 * MB,
    texts: {
      missing: "Please choose a video",
      type: "Please upload an MP4 or WebM video",
      size: "File size must be less than 200MB",
    },
  },
  /** For a harvest, its costs and its sales. */
  evidence: {
    types: ["image/jpeg", "image/png", "image/webp", "application/pdf"],
    accept: "image/jpeg,image/png,image/webp,application/pdf",
    maxBytes: 10 * MB,
    texts: {
      missing: "Please choose a photo or a PDF",
      type: "Please upload an image or PDF",
      size: "File size must be less than 10MB",
    },
  },
  mark: {
    types: ["image/jpeg", "image/png", "image/webp"],
    accept: "image/jpeg,image/png,image/webp",
    maxBytes: 5 * MB,
    texts: {
      missing: "Please choose a picture of your mark",
      type: "Please upload a PNG, JPEG or WebP image",
      size: "File size must be less than 5MB",
    },
  },
};

/** Texts of uploads of any kind. */
export const uploadTexts = {
  empty: "This file is empty. Please choose another one.",
  several: "Please choose one file only.",
  interrupted: "The upload was interrupted. Please try again.",
  unreadable: "The upload could not be read. Please try again.",
  notStored: "We couldn't store the file. Nothing was changed; please try again.",
  notLoaded: "This file can't be loaded at the moment. Please try again.",
  heic: "This photo is in the HEIC format of iPhones, which we can't open. On the iPhone choose Settings, Camera, Formats, Most Compatible and take it again; or take a screenshot of it and send that.",
} as const;

/** True if a file's first bytes are those of a HEIC or HEIF photo, whatever its name says. */
export const isHeic = (start: Uint8Array): boolean =>
  /^ftyp(?:hei[cmsx]|hev[cmsx]|m[is]f1)$/.test(String.fromCharCode(...start.subarray(4, 12)));

/** Faults of a photo whose type and size are right. */
export const photoTexts = {
  pixels: "This image is larger than 40 megapixels. Please choose a smaller one.",
  unreadable: "This image is damaged and can't be read. Please choose another one.",
} as const;

/** The fault of a mark that is a sound picture. */
export const markTexts = {
  size: "A mark is from 256 to 4,096 pixels wide and high. Please choose another one.",
} as const;

/** Faults of a PDF: it is cut off, or nobody but its owner can open it. */
export const pdfTexts = {
  unreadable: "This PDF is damaged and can't be read. Please choose another one.",
  password:
    "This PDF needs a password to open, so we couldn't read it. Open it, take a screenshot and send that, or ask your bank for one without a password.",
  busy: "Several PDFs are being looked at just now. Please try again in a minute.",
} as const;

/** The product of width and height. */
export const MAX_PHOTO_PIXELS = 40_000_000;

/** How long links to private files are valid. */
export const SIGNED_LINK_SECONDS = 3600;
