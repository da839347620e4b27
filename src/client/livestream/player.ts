/**
 * Plays one HLS livestream in a page of its own (GET /livestream/{id}), whose policy lets it fetch from the stream's
 * host, which the pages of the product may not. No code of theirs comes along, nor does theirs load hls.js.
 */
const retryMs = 10_000;
/** A stream that stands still this long has ended without saying so. */
const stallMs = 20_000;

const texts = {
  waiting: "The livestream hasn't started or has ended. We look again every 10 seconds.",
  unsupported: "This browser can't play the livestream. Please try another browser.",
} as const;

function find<Found extends HTMLElement>(selector: string): Found {
  const found = document.querySelector<Found>(selector);
  if (!found) throw new Error(`livestream.html has no ${selector}`);
  return found;
}

const player = find("#player");
const video = find<HTMLVideoElement>("video");
const status = find(".state");
const source = player.dataset.source;

/** Ends what the current attempt has begun. */
let endAttempt = () => {};
let stallTimer: number | undefined;
let retryTimer: number | undefined;
/** True while the stream is live, false for a recording; a recording that follows a livestream isn't played again. */
let isLive = true;
let wasLive = false;

function show(state: keyof typeof texts) {
  clearTimeout(stallTimer);
  clearTimeout(retryTimer);
  endAttempt();
  endAttempt = () => {};
  player.dataset.state = state;
  player.toggleAttribute("data-live", false);
  status.textContent = texts[state];
}

function waitForIt() {
  show("waiting");
  retryTimer = window.setTimeout(attempt, retryMs);
}

/** The picture is there; where the browser doesn't start by itself, its own controls do. */
function showVideo() {
  player.dataset.state = "ready";
  video.play().catch(() => {});
}

function attempt() {
  const begin = "MediaSource" in window ? playByScript : playNatively;
  begin(source ?? "").catch(waitForIt);
}

async function playByScript(address: string) {
  const { default: Hls, ErrorDetails } = await import("hls.js");
  const hls = new Hls({ enableWorker: false, backBufferLength: 30 });
  let isEnded = false;
  endAttempt = () => {
    isEnded = true;
    hls.destroy();
  };
  const unplayable: string[] = [
    ErrorDetails.MANIFEST_INCOMPATIBLE_CODECS_ERROR,
    ErrorDetails.BUFFER_ADD_CODEC_ERROR,
    ErrorDetails.BUFFER_INCOMPATIBLE_CODECS_ERROR,
  ];
  hls.on(Hls.Events.LEVEL_LOADED, (_event, { details }) => {
    if (isEnded) return;
    isLive = details.live;
    if (!isLive && wasLive && video.paused) return waitForIt();
    wasLive ||= isLive;
    markLive();
  });
  hls.on(Hls.Events.FRAG_BUFFERED, () => {
    if (!isEnded && player.dataset.state !== "ready") showVideo();
  });
  hls.on(Hls.Events.ERROR, (_event, { fatal, details }) => {
    if (!fatal || isEnded) return;
    if (unplayable.includes(details)) show("unsupported");
    else waitForIt();
  });
  hls.attachMedia(video);
  hls.loadSource(address);
}

/** Phones without the interfaces that hls.js needs play HLS themselves. */
async function playNatively(address: string) {
  if (!video.canPlayType("application/vnd.apple.mpegurl")) return show("unsupported");
  const listening = new AbortController();
  const { signal } = listening;
  endAttempt = () => {
    listening.abort();
    video.removeAttribute("src");
    video.load();
  };
  video.addEventListener("error", waitForIt, { signal });
  video.addEventListener(
    "loadedmetadata",
    () => {
      isLive = video.duration === Number.POSITIVE_INFINITY;
      if (!isLive && wasLive) return waitForIt();
      wasLive ||= isLive;
      showVideo();
    },
    { signal },
  );
  video.src = address;
  video.load();
}

function markLive() {
  player.toggleAttribute("data-live", isLive && !video.paused && video.readyState > HTMLMediaElement.HAVE_CURRENT_DATA);
}

video.addEventListener("playing", () => {
  clearTimeout(stallTimer);
  markLive();
});
video.addEventListener("pause", markLive);
video.addEventListener("waiting", () => {
  markLive();
  clearTimeout(stallTimer);
  stallTimer = window.setTimeout(waitForIt, stallMs);
});
video.addEventListener("ended", () => {
  if (wasLive) waitForIt();
});
video.addEventListener("volumechange", () => player.toggleAttribute("data-silent", video.muted));
find<HTMLButtonElement>(".sound").addEventListener("click", () => {
  video.muted = false;
  video.focus();
});

// Without an address the page says why there is none.
if (source) {
  player.toggleAttribute("data-silent", video.muted);
  attempt();
}
