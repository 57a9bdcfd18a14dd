/**
 * Makes "Lind Bakery" of "Welcome to Lind Bakery". A heading or a title may greet its reader, and the greeting is no
 * part of the name: an owner would be advised to write it everywhere.
 */
export function withoutGreeting(text: string): string {
  const whole = text.trim()
  const greeted = whole.replace(before, '').replace(ofSite, '')
  const bare = (greeted === whole ? whole : greeted.replace(/[!！]$/u, ''))
    .replace(behind, '')
    .replace(fullStop, '')
    .replace(quotedName, '$<name>')
    .replace(placeAndTrade, '$<name>')
    .trim()
  return /[\p{L}\p{N}]/u.test(bare) ? bare : whole
}

/** "Witamy w gabinecie stomatologicznym Lind w Tczewie": the greeting goes on into a phrase, and no part of it is sure to be the name. */
export function isGreeting(text: string): boolean {
  const bare = text.trim().replace(before, '').replace(ofSite, '')
  return bare !== text.trim() && /^\p{Ll}/u.test(bare) && bare.split(/\s+/).length >= 3
}

const before =
  /^(?:(?:a warm |a very warm )?welcome (?:to|at)(?: the)?|(?:herzlich )?willkommen (?:bei|beim|im|in|auf|zu|zur)(?: der| dem)?|(?:hartelijk )?welkom (?:bij|op|in)|bienvenue (?:à|au|aux|chez|sur|dans)|(?:bienvenid[oa]s?|benvenid[oa]s?) a(?:l)?|benvenut[oiae] (?:da|in|al|allo|alla|su|sul|nel|nella|presso)|bem[- ]?vind[oa]s? (?:a|ao|à|aos|às)|witamy (?:w|na|we)|välkommen till|velkommen til|tervetuloa|vítejte (?:v|ve|na)|vitajte (?:v|na)|bun venit (?:la|pe)|selamat datang (?:di|ke)|добро пожаловать (?:в|на|во)|ласкаво просимо (?:до|в|на)|مرحبا بكم في|مرحباً بكم في|أهلا بكم في|أهلاً بكم في|欢迎(?:来到|光临|访问)|歡迎(?:來到|光臨|蒞臨))[\s:,–—-]{1,4}|^(?:欢迎(?:来到|光临|访问)|歡迎(?:來到|光臨|蒞臨))/iu

/** "Dr. Lind" of "le site web de Dr. Lind". */
const ofSite =
  /^(?:the )?(?:official )?(?:web ?site|web ?page|home ?page) of (?:the )?|^(?:der |die )?(?:offizielle )?(?:web ?site|web ?seite|home ?page) (?:von|der|des) |^(?:le )?site (?:web |internet |officiel )?(?:de la |de l[’']|du |des |de |d[’'])|^(?:el )?sitio (?:web )?(?:oficial )?(?:de la |del |de )|^(?:la )?página (?:web )?(?:oficial )?(?:de la |del |de )|^(?:il )?sito (?:web |ufficiale )?(?:della |dello |dell[’']|del |di )|^(?:o )?site (?:oficial )?(?:da |do |de )/iu

/** "酒井歯科医院" of "緑が丘の歯医者「酒井歯科医院」": what it is, and the name in brackets. */
const quotedName = /^[^「」]{2,20}「(?<name>[^「」]{4,20})」$/u

/** "しらやま歯科" of "三田市の歯医者 しらやま歯科": the place and the trade stand before the name. */
const placeAndTrade =
  /^[^\s「」]{2,12}(?:市|区|町|村|駅|県|府|都)(?:前)?の(?:歯医者(?:さん)?|歯科医院|歯科)[\s・|｜:：【]+(?<name>[^\s】]{3,20})】?$/u

/** Of a title that is written like a sentence. "Ltd." and other short forms keep theirs. */
const fullStop = /(?<=\p{L}{5})\.$/u

const behind = /\s?(?:へようこそ|に ようこそ|hoş ?geldiniz|에 오신 것을 환영합니다)[!！.。]?$/iu

/**
 * Whether an alternative text is the name of a picture's file, as editors write it by themselves: "Lind_logo",
 * "IMG-2041", "logo.png". It says nothing of how the business is called.
 */
export function isFileName(text: string, src = ''): boolean {
  if (
    /_|\.(?:png|jpe?g|svg|webp|gif|avif|ico)$/i.test(text) ||
    /^(?:img|dsc|image|bild|foto)[- ]?\d/i.test(text)
  )
    return true
  const file =
    (src.split(/[?#]/, 1)[0] ?? '')
      .split('/')
      .at(-1)
      ?.replace(/\.\w{2,5}$/, '') ?? ''
  return /\d|-/.test(file) && file.toLowerCase() === text.trim().toLowerCase()
}
