/**
 * Whether a link text says nothing about its target, such as "here". Agents list links without the sentence around
 * them. The words are those of the page's language: "Start" says nothing in English, and names the home page in
 * German. English phrases of two words or more mean the same on every page.
 * @param language ISO 639-1; undefined where it is not known
 */
export function isGenericLinkText(text: string, language: string | undefined): boolean {
  const words = text
    .slice(0, 60)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}']+/gu, ' ')
    .trim()
  if (words === '') return false
  const own = language === undefined ? undefined : generic[language]
  if (own === undefined) return Object.values(generic).some((line = '') => line.includes(`|${words}|`))
  return own.includes(`|${words}|`) || (words.includes(' ') && english.includes(`|${words}|`))
}

/** Each phrase between two bars. */
const english =
  '|here|click here|click|click this|this|this page|this link|link|go|start|right here|more|read more|learn more|know more|see more|show more|view more|find out more|discover more|more info|more information|more details|info|information|details|view details|see details|continue|continue reading|read on|view|open|next|get started|read|discover|discover now|explore|explore now|explore more|check it out|'

const generic: Readonly<Partial<Record<string, string>>> = {
  en: english,
  de: '|hier|hier klicken|klicken sie hier|klick|link|mehr|mehr erfahren|mehr lesen|weiterlesen|weiter|mehr infos|mehr informationen|weitere informationen|info|infos|details|zum artikel|jetzt entdecken|entdecken|ansehen|öffnen|',
  fr: "|ici|cliquez ici|cliquer ici|lien|en savoir plus|lire la suite|lire plus|plus|plus d'informations|plus d'infos|infos|détails|voir plus|voir|suite|découvrir|lire l'article|lire cet article|",
  es: '|aquí|haga clic aquí|haz clic aquí|clic aquí|enlace|leer más|más|más información|ver más|ver|saber más|seguir leyendo|info|detalles|ver detalles|conoce más|conocer más|descubre más|',
  it: '|qui|clicca qui|link|leggi di più|leggi tutto|leggi|continua|scopri di più|scopri|maggiori informazioni|più informazioni|altro|info|dettagli|',
  nl: '|hier|klik hier|link|lees meer|lees verder|meer|meer informatie|meer info|meer lezen|info|details|bekijk|ontdek meer|verder|',
  pt: '|aqui|clique aqui|link|leia mais|ler mais|mais|mais informações|saiba mais|ver mais|ver|detalhes|info|',
  tr: '|burada|tıklayın|buraya tıklayın|devamı|devamını oku|daha fazla|daha fazlası|detaylar|detay|incele|bilgi|',
  ru: '|здесь|тут|ссылка|нажмите здесь|подробнее|читать|читать далее|читать дальше|узнать больше|далее|ещё|еще|детали|',
  ar: '|هنا|اضغط هنا|انقر هنا|المزيد|اقرأ المزيد|التفاصيل|اعرف المزيد|رابط|',
  ko: '|여기|여기를 클릭|더보기|더 보기|자세히|자세히 보기|클릭|링크|',
  ja: '|こちら|ここ|ここをクリック|続きを読む|もっと見る|詳細|詳細を見る|詳しくはこちら|',
  zh: '|这里|這裡|点击这里|點擊這裡|更多|了解更多|查看更多|阅读更多|閱讀更多|详情|詳情|',
}
