import { categoryIds } from "#shared/projects/categories.ts";

/**
 * Words for the names of farms and people. A word's place in its list sets its frequency: the second comes half as
 * often as the first, and so on (Zipf), as in real titles.
 */
const starts =
  "A,Two hectares of,Solar,Village,500,A breeding herd of,Twenty young,Dry-season,Four hectares of,Giant,Clean-seed,600,Women's,Organic,A second pond of,Free-range,Three,Old,Shaded,Young people's,A mobile,Early,Improved,Late,Forest,Irrigated,Smoked,Twin,Upland,Riverside,A first,Hillside".split(
    ",",
  );
const produce = {
  sustainable: "cassava,maize,yam,cocoa,cashew,groundnut,oil palm,sorghum,plantain,millet,rubber,kola",
  organic: "tomato,pepper,ugu,okra,ginger,waterleaf,honey,mushroom,moringa,turmeric,lettuce,bitterleaf",
  livestock: "poultry,catfish,goats,snails,layers,broilers,rabbits,cattle,tilapia,turkeys,sheep,quails",
  tech: "drip irrigation,cold room,spray drone,greenhouse,hydroponic lettuce,soil sensors,solar dryer,weather station",
  community: "market garden,village cassava,school farm,cooperative rice,shared orchard,seed bank,women's poultry",
  education: "farm school,beekeepers' course,young poultry keepers,extension classes,demonstration plot",
  equipment: "tractor,thresher,garri mill,cargo tricycle,rice mill,planter,palm press,milking machine",
};
const endings = "farm,project,expansion,beds,ponds,pens,field,cages,nursery,plot,herd,group,shed,renewal,pilot".split(
  ",",
);
const joints = "at,in,near,for,of,behind,around".split(",");
const places =
  "Ibadan,Kano,Epe,Zaria,Ilorin,Badagry,Makurdi,Uyo,Nsukka,Umuahia,Abakaliki,Ughelli,Calabar,Kuje,Kadawa,Argungu,Jos,Owo,Ogbomoso,Katsina,Gombe,Lafia,Minna,Kainji,Yenagoa,Awka,Ondo,Ijebu Ode,Nnewi,Maiduguri,Sokoto,Mubi,Wukari,Ọ̀yọ́,Ẹ̀pẹ́,Ọwọ̀".split(
    ",",
  );
/** The long tail: villages that a handful of titles name. */
const syllables =
  "Ik,Ab,Og,Um,Ek,Ok,Ib,Ad,Uz,Ag,om,ot,ar,el,un,or,ag,im,osi,eke,ara,uba,ata,iwo,ide,obo,aku,eni,uru,ama";

const firstNames =
  "Chinedu,Amina,Tunde,Ngozi,Ibrahim,Folake,Emeka,Halima,Bola,Zainab,Osaze,Ekaette,Musa,Adaeze,Yusuf,Efe,Kelechi,Aisha,Segun,Ifeoma,Terver,Nanpan,Tamuno,Mercy,Ọlá,Wanjiku".split(
    ",",
  );
const lastNames =
  "Okafor,Abubakar,Adeyemi,Eze,Bello,Ogunleye,Umeh,Mohammed,Bassey,Igbinedion,Nwosu,Suleiman,Bakare,Briggs,Akaa,Omoruyi,Gyang,Danjuma,Ekpo,Lawal,Obi,Udo,Afolabi,Garba,Ọdúyẹmí,Zubairu".split(
    ",",
  );

const listOf = (words: string[]) => `'{${words.map((word) => `"${word.replaceAll("'", "''")}"`).join(",")}}'::text[]`;

/** A word of the list by `chance` (SQL, 0 up to 1), the first ones most often. */
export const wordOf = (words: string[], chance: string) =>
  `(${listOf(words)})[pg_temp.rank_of(${words.length}, ${chance})]`;

export const categoryOf = (chance: string) =>
  // One that hardly any project is in, as every list gets one.
  `case when ${chance} < 0.004 then 'education' else ${wordOf(
    categoryIds.filter((id) => id !== "education"),
    chance,
  )} end`;

/** The title of project `n` in `category`. */
export const titleOf = `concat_ws(' ',
  ${wordOf(starts, "pg_temp.chance(n, 101)")},
  case category ${Object.entries(produce)
    .map(([id, words]) => `when '${id}' then ${wordOf(words.split(","), "pg_temp.chance(n, 102)")}`)
    .join(" ")} end,
  case when pg_temp.chance(n, 103) < 0.6 then ${wordOf(endings, "pg_temp.chance(n, 104)")} end,
  ${wordOf(joints, "pg_temp.chance(n, 105)")},
  case when pg_temp.chance(n, 106) < 0.6 then ${wordOf(places, "pg_temp.chance(n, 107)")}
    else initcap(${[1, 2, 3].map((part) => `(${listOf(syllables.split(","))})[1 + floor(30 * pg_temp.chance(n, ${107 + part}))::int]`).join(" || ")}) end,
  case when pg_temp.chance(n, 111) < 0.1 then 'No. ' || (1 + floor(9999 * pg_temp.chance(n, 112)))::int end)`;

export const personNameOf = `${wordOf(firstNames, "pg_temp.chance(n, 121)")} || ' ' || ${wordOf(lastNames, "pg_temp.chance(n, 122)")}`;
