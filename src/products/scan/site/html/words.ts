import { countUnspaced, isUnspaced, splitUnspaced } from './unspaced-words.ts'

/**
 * Words, sentences and syllables of visible text. Several checks measure with them, and two rules would give
 * one page two lengths. The text may be hostile, so every pattern passes over it once.
 */

/** Counts the words of a text, also of those written without spaces. "8:30", "3.4.10" and an address of mail are one each. */
export function countWords(text: string): number {
  let count = 0
  const unspaced: string[] = []
  for (const [run] of text.replace(joined, 'x').matchAll(word)) {
    if (isUnspaced(run)) unspaced.push(run)
    else count += 1
  }
  return count + countUnspaced(unspaced)
}

/** The words in lower case: `don't` is one, `follow-up` is two. */
export function wordsOf(text: string): string[] {
  return Array.from(text.matchAll(word), ([run]) => run).flatMap((run) =>
    isUnspaced(run) ? splitUnspaced(run) : [run.replaceAll('’', "'").replace(/'$/, '').toLowerCase()],
  )
}

const joined =
  /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}|(?:https?:\/\/|www\.)[\w./%?=&#-]{1,200}|\d{1,9}(?:[.,:/–-]\d{1,9}){1,9}/g

const word =
  /[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]&&[\p{L}\p{M}]]+|[[\p{L}\p{N}]--[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]][[\p{L}\p{M}\p{N}'’]--[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]]*/gv

/** Estimates the syllables of an English word by its vowel groups, well enough for a mean. At least 1. */
export function syllablesOf(word: string): number {
  const letters = word
    .toLowerCase()
    .slice(0, 60)
    .replace(/[^a-z]/g, '')
  if (letters.length <= 3) return 1
  const groups = letters.match(/[aeiouy]{1,3}/g)?.length ?? 0
  const silent = /(?:[^laeiouy]e|[^dtaeiouy]ed|[^aeiouycgsxz]es)$/.test(letters) ? 1 : 0
  const split = /[^ctgx]iou|[^ctgsxn]ia|[^ctgsxln]io(?!u)|[^gq]ua(?!r)|eos?$/.test(letters) ? 1 : 0
  return Math.max(1, groups - silent + split)
}

/** Text that came with a template and says nothing of the site: "Lorem ipsum dolor sit amet". */
export function isFiller(text: string): boolean {
  return filler.test(text) || new Set(text.slice(0, 5_000).toLowerCase().match(latinFiller)).size >= 3
}

/** The filler of a text: it may begin behind a sentence that was written for the site. */
export function fillerPart(text: string): string {
  const at = text.search(filler)
  return text.slice(at < 0 ? Math.max(0, text.toLowerCase().search(latinFiller)) : at)
}

const filler =
  /lorem ipsum|dolor,? sit amet|consectetur adipi|sed ut perspiciatis|\[(?:insert|your|add) [^\]]{1,40}\]|\b(?:this|text) (?:will|should) be replaced\b|\b(?:description|text|tagline|slogan) (?:will )?goes? (?:in|here)\b|\bwill be (?:displayed|shown|added) here\b|\b(?:placeholder|dummy|sample) text\b|some quick example text/i

/** Words of the texts that generators make of Cicero's, as "Proin iaculis purus consequat". A Latin text may have one. */
const latinFiller =
  /(?<!\p{L})(?:accusantium|adipisci|aliquam|aliquid|architecto|asperiores|aspernatur|blanditiis|commodi|consectetur|consequat|consequatur|corporis|cumque|deleniti|dignissimos|dolorem|doloremque|ducimus|eget|eiusmod|eligendi|exercitationem|explicabo|facilis|fugiat|fugit|iaculis|incididunt|laboriosam|laudantium|maiores|molestiae|necessitatibus|nesciunt|nostrum|officiis|perferendis|porttitor|praesentium|provident|quaerat|quasi|quibusdam|quisquam|ratione|recusandae|repellat|repellendus|reprehenderit|rhoncus|suscipit|tempora|temporibus|tincidunt|ullamco|ultricies|vitae|voluptas|voluptate|voluptatem|voluptates|voluptatibus|voluptatum)(?!\p{L})/gu

/** Whether a page tells of the template or the generator that it came with: "About Example starter theme". */
export function isTemplateText(text: string): boolean {
  return (
    isFiller(text) ||
    /\b(?:about|viewing|welcome to|using) (?:the |our )?(?:[\w.-]{2,30} ){0,2}(?:base|starter|default|demo|boilerplate) (?:theme|template)\b|this is (?:a|an) (?:sample|example|demo) (?:page|site)\b/i.test(
      text.slice(0, 5_000),
    )
  )
}

/**
 * Whether a text asks a question of its own. "Ready to start your journey?" asks nothing: a call to action may end in a
 * question mark, too.
 */
export function asksQuestion(text: string): boolean {
  const asked = text.trim()
  return (
    asked.length <= 400 &&
    // Behind the mark may stand the number of a section, or a remark: "How do I use it? § 1", "Who sees it? (All data)".
    (/[?？؟⸮](?:\s?\([^()]{1,200}\))?[^\p{L}]{0,8}$|\p{Script=Greek}[;\u037e]$/u.test(asked) ||
      (asked.length <= 120 && (asksWithoutMark.test(asked) || asksInEastAsian.test(asked)))) &&
    !isFiller(asked) &&
    !isCodeName(asked) &&
    !rhetorical.test(asked) &&
    !/ませんか[?？]?$|^(?:你|您)?准备好.{0,40}吗[?？]?$/u.test(asked) &&
    !offersHelp.test(asked)
  )
}

/** `Array#empty?`, `start_with? (prefix)`: names of functions end in the mark in some languages. */
function isCodeName(text: string): boolean {
  return /^\S*[\w)](?:#|::|\.|_)\w[\w.:]*\?|^#\w+\?|^\w+\?\s?(?:\(|→|=>|->)/.test(text)
}

/** Headings often leave the mark out: "Cos’è una bonifica". */
const asksWithoutMark =
  /^(?:what (?:is|are) (?:an? |the )?\p{L}|how (?:do i|can i|much|many|long|often|does) |can i |do i |what (?:do|does) |was (?:ist|sind) |qu['’]est-ce qu|que sont |qué (?:es|son) |(?:che )?cos['’]è |o que (?:é|são) |wat (?:is|zijn) |что такое |(?:de|por|para|con) qué |qué (?:pasa|significa|incluye|hacer|necesito|debo) |cuánt[oa]s? |cuándo |dónde (?:está|se) |cómo (?:funciona|se |puedo|saber|elegir)|por que |quanto (?:custa|tempo|costa|dura)|como funciona|pourquoi |combien |à quoi sert|comment (?:ça |se |fonctionne|choisir|puis-je)|perché |come (?:funziona|si )|warum |wie (?:funktioniert|viel|lange|oft|läuft) |was kostet |wozu |waarom |hoe (?:werkt|lang|vaak|veel) |wat kost|почему |зачем |сколько (?:стоит|времени|длится)|как (?:выбрать|работает|проходит)|dlaczego |ile (?:kosztuje|trwa)|jak (?:działa|długo|wygląda) |czym (?:jest|są) )/iu

/** Japanese, Korean, Chinese and Thai have words for the mark. */
const asksInEastAsian =
  /(?:なのか|^(?:なぜ|どうして|どのように).{1,40}か|ですか|ますか|でしょうか|とは|나요|까요|습니까|은가요|吗|呢|ไหม|อย่างไร|หรือไม่|มั้ย)[。.]?$/u

/** How invitations begin. */
const rhetorical =
  /^[^\p{L}\p{N}]{0,4}(?:ready|(?:did|do) you like|not sure|still (?:unsure|have)|are you (?:interested|ready|looking)|interested|(?:do you )?(?:have|got) (?:any |more )?questions|any (?:more )?questions|questions|want to|prefer to|need (?:(?:\p{L}{2,20} ){0,2}(?:help|assistance|support|advice)|a|an)|looking for|(?:do you )?(?:have|got) an? (?:\p{L}{2,15} ){0,2}(?:project|idea|event|question|problem)|planning (?:a|an|your)|interested|curious|excited|bereit|sie (?:suchen|möchten|wollen|planen|haben (?:ein|eine|noch))|(?:du )?(?:suchst|möchtest|willst|hast) du|suchen sie|möchten sie|wollen sie|planen sie|neugierig|lust auf|haben sie (?:noch )?fragen|noch fragen|fragen|interesse|nicht sicher|prête?s?|on (?:prend|se|s['’]appelle)|envie d|un projet|besoin d|une question|des questions|vous souhaitez|vous cherchez|vous recherchez|cherchez-vous|souhaitez-vous|voulez-vous|intéress[ée]e?s?|vous avez (?:une|des) questions?|intéressée?s?|vuoi|vuole|volete|cerchi|cerca|cercate|stai cercando|hai bisogno|avete bisogno|hai un progetto|(?:sei |siete )?interessat[oaie]|(?:sei |siete )?pront[oaie]|hai domande|listos?|listas?|tienes (?:alguna |más )?(?:pregunta|duda)s?|quieres|quiere|buscas|busca|estás buscando|tienes un proyecto|necesitas|interesad[oa]s?|te interesa|quer|pronta?|tem (?:alguma |mais )?(?:dúvidas?|quest(?:ão|ões)|perguntas?)|precisa de (?:mais )?(?:informações|ajuda|apoio)|procura|está à procura|interessad[oa]|klaar|vragen|op zoek naar|zoekt u|zoek je|wilt u|wil je|interesse|nieuwsgierig|hazır mısın\p{L}*|sorunuz mu|ister misin\p{L}*|готовы|остались вопросы|есть вопросы|хотите)(?!\p{L})/iu

/** Whether somebody needs help or has questions is asked of visitors in every language, and answered by a button. */
const offersHelp =
  /^[^\p{L}\p{N}]{0,4}(?:(?:how|what) (?:can|may) we (?:help|do for)|(?:ihre|deine) frage (?:war )?nicht dabei|wie können wir (?:ihnen |dir )?helfen|(?:en|¿en) qué (?:te |le |os )?podemos ayudar|comment pouvons-nous vous aider|come possiamo aiutar|como podemos ajud|hoe kunnen we (?:je |u )?helpen|чем (?:мы )?(?:можем|могу) (?:вам )?помочь|brauch(?:en sie|st du) (?:\p{L}{2,20} ){0,2}(?:hilfe|unterstützung|beratung)|¿?necesitas? (?:\p{L}{2,20} ){0,2}(?:ayuda|asesoramiento)|hai bisogno di|serve aiuto|precisa de (?:\p{L}{2,20} )?(?:ajuda|apoio)|hulp nodig|(?:heb je|heeft u) (?:nog )?(?:vragen|hulp)|yardıma mı ihtiyac|нужна (?:помощь|консультация)|потрібна (?:допомога|консультація)|هل (?:تحتاج|لديك (?:أسئلة|سؤال|استفسار)))|^[^\p{L}\p{N}]{0,4}(?:お困り|ご不明な点|ご質問(?:は|が)|お悩み|도움이 필요|궁금한 점|문의 ?사항이 있|需要(?:帮助|幫助|协助|協助)|有(?:疑问|疑問|问题|問題)吗?|ต้องการความช่วยเหลือ|มีคำถาม)/iu

/** The words of a name in code: "privacy-Modal" of "privacyModal". */
export function splitCamelCase(name: string, separator: ' ' | '-'): string {
  return name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, separator)
}

/**
 * Whether a text is a list of search words: "dentist London, implants, braces, whitening". Published as what a business
 * says of itself, it tells a reader nothing.
 */
export function isKeywordList(text: string): boolean {
  if (/[.!?。！？]/u.test(text)) return false
  const words = text
    .split(/[,;|，、；·•/]/u)
    .map((one) => one.trim())
    .filter((one) => one !== '')
  const isShort = (one: string) => one.length <= 40 && one.split(/\s+/).length <= 4
  return words.length >= 4 && words.every(isShort)
}

/** One expression for several words and phrases, written as expressions, that counts no part of a longer word. */
export function wholeWords(...words: readonly string[]): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${words.join('|')})(?!\\p{L})`, 'iu')
}
