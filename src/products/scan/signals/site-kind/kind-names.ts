/**
 * What organizations that sell nothing call themselves, in thirteen languages. Data only; `site-kind.ts` says where
 * each list is looked for.
 */
export type NamedKind = 'faith' | 'association' | 'event' | 'research' | 'public'

export interface KindNames {
  readonly kind: NamedKind
  /** Of schema.org. */
  readonly types: readonly string[]
  /** In the title, the main heading or the name in the markup. */
  readonly names: RegExp
  /** Plain statements, which also count in the description and in the last lines. */
  readonly statements?: RegExp
  /** In the text of a link. */
  readonly links?: RegExp
  /** A sentence by which it says what it is, in the text of the home page or of one about it. */
  readonly saying?: RegExp
  /** Endings of hosts that only such organizations get. */
  readonly hosts?: RegExp
}

/** Whether the host has an ending that is given to such organizations alone. */
export function isClassed(host: string, { hosts }: KindNames): boolean {
  return hosts?.test(host) === true
}

function words(...lines: readonly string[]): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${lines.join('|')})(?!\\p{L})`, 'iu')
}

/** Words of languages that are written without spaces. */
function anywhere(spaced: RegExp, ...lines: readonly string[]): RegExp {
  return new RegExp(`${spaced.source}|${lines.join('|')}`, 'iu')
}

/** Before the noun of "is a registered charity". Who "is a member of an association" is none. */
const adjective =
  '(?:(?!(?:of|member|mitglied|membre|miembro|membro|lid|part|partner|sponsor|client)\\s)[\\p{L}-]{2,20} )'

export const namedKinds: readonly KindNames[] = [
  {
    kind: 'faith',
    types: ['PlaceOfWorship'],
    names: anywhere(
      words(
        'parish(?:es)?|church(?:es)?(?! (?:street|st|road|rd|lane|hill|farm))|cathedral|congregation|mosque|synagogue|islamic cent(?:er|re)',
        '(?:catholic|orthodox|lutheran|methodist|baptist|presbyterian|anglican|pentecostal|evangelical) (?:mission|community|fellowship|ministry|ministries)|christian fellowship',
        '(?:pfarr|kirch)gemeinden?|kirchengemeinden?|kirche|pfarrei(?:en)?|seelsorgeeinheit|moschee',
        'paroisses?|église|diocèse|parroquias?|iglesia|catedral|diócesis',
        'parrocchi[ae]|chiesa|diocesi|unità pastorale|paróquias?|igreja|diocese|paroki?es?|parochies?|kerk',
        'camii|kilisesi|приход|храм|церковь|монастырь|мечеть|كنيسة|مسجد',
      ),
      '教会|教會|神社|교회|성당',
    ),
    saying: words(
      `(?:is|are) an? ${adjective}{0,4}(?:church|congregation|parish|mosque|synagogue|temple)(?! (?:street|road|hall|school))`,
      `(?:ist|sind) eine ${adjective}{0,3}(?:kirche|gemeinde|pfarrei)`,
      `est une ${adjective}{0,2}(?:église|paroisse)|es una ${adjective}{0,2}(?:iglesia|parroquia)|é uma ${adjective}{0,2}igreja|is een ${adjective}{0,2}(?:kerk|gemeente)`,
    ),
    statements: words(
      'parish|parrocchia|parroquia|paroisse|parochie|kirchengemeinde|pfarrei|приход|(?:holy )?mass (?:times|schedule)|gottesdienstzeiten|horaires des messes|horarios? de misas?|orari(?:o)? (?:delle |s\\. ?)?messe',
    ),
  },
  {
    kind: 'association',
    types: ['NGO'],
    names: anywhere(
      words(
        'associations?|societ(?:y|ies) (?:for|of)|federation|charity|volunteers?|neighbou?rhood watch|(?:boy|girl|sea) scouts?|scout group',
        '(?:sports?|football|soccer|rugby|tennis|golf|rowing|sailing|chess|cycling|running|hiking|alpine|swimming|cricket|rotary|lions|youth|model|book) clubs?',
        '(?:tennis|sport|fu(?:ß|ss)ball|voetbal|hockey|golf|turn|schwimm|ruder|segel|reit|wander|schach|zwem|wieler|judo|karate|ski)-?(?:clubs?|klubs?|vereniging)',
        '(?!lohnsteuer)\\p{L}*vereine?|verband|\\p{L}*verband|stiftung|freiwillige feuerwehr|bürgerinitiative',
        'associations?|fédération|amicale|fondation|asociaci(?:ón|ones)|federación|fundación|cofradía',
        'associazion[ei]|federazione|fondazione|pro loco|polisportiva|onlus|associaç(?:ão|ões)|federação|fundação',
        'verenigingen|vereniging|stichting|dernekleri|derneği|vakfı|spor kulübü|topluluğu',
        'ассоциация|общественная организация|фонд|федерация|جمعية|مؤسسة خيرية|نادي',
      ),
      '協会|協會|协会|同好会|自治会|NPO法人|基金会|基金會|협회|동호회|재단',
    ),
    links: words(
      '(?<=^\\P{L}*)(?:donate|donate now|make a donation|donations?|spenden|jetzt spenden|faire un don|je donne|donar|haz un donativo|dona ora|fai una donazione|dona(?:zioni)?|doar|faça uma doação|doações|doneren|doneer nu|bağış(?: yap)?|пожертвовать|помочь фонду)(?=\\P{L}*$)',
    ),
    saying: words(
      `(?:is|are) an? ${adjective}{0,4}(?:non-?profit|not-for-profit|charity|charitable \\p{L}+|association|ngo)`,
      `(?:ist|sind) ein ${adjective}{0,3}(?:verein|selbsthilfegruppe|gemeinnützig\\p{L}*)`,
      `est une ${adjective}{0,2}(?:association|ong|fondation)|es una ${adjective}{0,2}(?:asociación|ong|fundación|organización (?:no gubernamental|sin (?:ánimo|fines)))`,
      `[èe][’' ](?:un[’' ]|una )${adjective}{0,2}(?:associazione|organizzazione di volontariato|onlus|fondazione)|é uma ${adjective}{0,2}(?:associação|ong|fundação|instituição particular de solidariedade|organização (?:não governamental|sem fins))`,
      `is een ${adjective}{0,2}(?:stichting|vereniging)|(?:bir )?(?:sivil toplum kuruluşudur|derneğidir|dernektir|vakıftır)|является ${adjective}{0,2}(?:общественной организацией|фондом|некоммерческой)`,
    ),
    statements: words(
      'associazione|onlus|e\\.\\s?v\\.|gemeinnützig\\p{L}*|non-?profit|registered charity|501\\(c\\)\\(3\\)',
      'association loi|asociación sin ánimo|vereniging|stichting|z\\.\\s?s\\.|spolek|stowarzyszenie|derneği|topluluğu',
      'благотворительн\\p{L}*|جمعية خيرية',
    ),
  },
  {
    kind: 'event',
    types: [],
    names: anywhere(
      words(
        '(?:international|annual|european|asian|world|national|\\d{1,3}(?:st|nd|rd|th)|ieee|acm) (?:\\p{L}{1,20} ){0,8}(?:conference|symposium|workshop|congress)(?! (?:hotel|cent(?:er|re)|rooms?|venue|facilit|call))',
        '(?:conference|symposium|workshop) (?:on|for) \\p{L}+|fachtagung|jahrestagung|colloque|congrès (?:international|national)',
        'congreso (?:internacional|nacional)|simposio|convegno|congresso (?:internazionale|nazionale|internacional|nacional)|simpósio',
        'sempozyumu|kongresi|конференция|симпозиум|مؤتمر',
        '\\p{L}{2,20}conf|barcamp|hackathon|unconference',
      ),
      '国際会議|シンポジウム|学術大会|第\\d{1,3}回.{0,25}(?:大会|総会|学会|集会)|제\\d{1,3}회.{0,25}(?:학술대회|대회|총회)|학술대회|심포지엄|学术会议|研讨会|研討會',
    ),
    saying: words(
      `(?:is|was) an? (?:(?:\\d{1,2}|one|two|three|four|five)[- ]day )?${adjective}{0,4}(?:conference|symposium|unconference|hackathon|barcamp|convention)(?! (?:cent(?:er|re)|hotel|room|venue))`,
      '(?:is|was) an? (?:\\d{1,2}|one|two|three|four|five)[- ]day (?:\\p{L}{2,20} ){0,3}event',
    ),
    links: words(
      'call for (?:papers|abstracts|proposals)|program(?:me)? committee|paper submission|camera[- ]ready|appel à communications?|llamada a trabajos',
    ),
  },
  {
    kind: 'research',
    types: ['ResearchOrganization'],
    names: anywhere(
      words(
        'research (?:group|lab|laboratory|cent(?:er|re)|institute|unit)|(?:university|national) lab(?:oratory)?',
        'lehrstuhl|arbeitsgruppe|forschungsgruppe|forschungszentrum|équipe de recherche|laboratoire de recherche',
        'grupo de investigación|gruppo di ricerca|grupo de pesquisa|laboratório de pesquisa|onderzoeksgroep|araştırma (?:grubu|merkezi)',
        'научная (?:группа|лаборатория)|مختبر أبحاث',
      ),
      '研究室|연구실|实验室|實驗室|课题组',
    ),
    hosts: /\.edu(?:\.[a-z]{2})?$|\.ac\.[a-z]{2}$/i,
  },
  {
    kind: 'public',
    types: ['GovernmentOrganization', 'Library'],
    names: anywhere(
      words(
        '(?:city|town|county|borough|village) council|\\p{L}{3,20} (?:borough|township)(?! (?:market|hotel|inn|pub|street|road))|borough of \\p{L}{3,20}|municipality of|public (?:school|library|health service)|school district',
        'stadtverwaltung|gemeindeverwaltung|stadtbibliothek|stadtbücherei|gemeindebücherei|landratsamt|grundschule',
        'mairie d[eu]|bibliothèque (?:municipale|nationale)|médiathèque|école (?:primaire|élémentaire)|ayuntamiento|biblioteca (?:pública|municipal|nacional|comunale|civica)',
        'comune di|istituto comprensivo|prefeitura|câmara municipal|escola municipal|gemeente|openbare bibliotheek',
        'belediyesi|halk kütüphanesi|kaymakamlığı|администрация|библиотека|бюджетное учреждение|بلدية|المكتبة العامة|trường (?:thcs|thpt|tiểu học|mầm non)',
      ),
      '市役所|町役場|村役場|図書館|시청|군청|구청|도서관|人民政府|市政府|图书馆|圖書館',
    ),
    statements: words('public school|school district|trường (?:thcs|thpt|tiểu học|mầm non)'),
    hosts:
      /\.(?:gov|gob|gouv|govt|mil)\.[a-z]{2}$|\.(?:gov|mil)$|\.go\.(?:jp|kr|th|id|ke|tz|cr)$|\.gv\.at$|\.gc\.ca$|\.(?:nhs|police)\.uk$|\.admin\.ch$|\.europa\.eu$/i,
  },
]

/** A page about oneself or one's own projects. */
export const personal =
  /(?<!\p{L})(?:(?:side )?projects (?:of|by) \p{Lu}|(?:my|a) personal (?:web ?site|home ?page|page|blog|site)|personal (?:home ?page|blog|web ?site) of|digital garden|meine private (?:home|web)|private homepage|page personnelle de|página personal de|pagina personale di)/u

/** Whoever keeps it up has no part in what it shows. */
export const unofficial = {
  /** In the title or the main heading. */
  name: /(?<!\p{L}|no )(?:[Uu]nofficial (?:fan ?)?(?:site|archive|page|museum)|[Ff]an ?(?:site|page) (?:for|of|about)(?= \p{Lu}))(?!\p{L})|非公式(?:の)?[^。、に]{0,6}(?:アーカイブ|サイト|ファン|資料館|博物館|ページ)|個人アーカイブ/u,
  /** In the description, where a business may speak of its fans. */
  statement: /非公式(?:の)?(?:アーカイブ|ファンサイト|サイト)(?:です|である|。|$)/u,
}

/** A magazine says so. */
export const magazine =
  /(?<!\p{L})(?:(?:online |science |student |literary )?magazine|webzine|fanzine|e-?zine|gazette|(?:daily|weekly|online|local|student) newspaper|rivista(?: online)?|onlinemagazin|revue en ligne|revista (?:digital|en línea|online)|tijdschrift|онлайн-журнал|مجلة|オンラインマガジン|웹진|杂志|雜誌)(?!\p{L})/iu
