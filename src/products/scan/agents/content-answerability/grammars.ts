/**
 * The words with which a language forms a defining sentence: something is something, or does something. With
 * a few English verbs alone, the check would overlook plain sentences.
 */
export interface Grammar {
  /** They define only with a determiner or a noun after them: "is a shop", not "is open". */
  readonly copulas: ReadonlySet<string>
  readonly determiners: ReadonlySet<string>
  /** "We are three dentists". */
  readonly numerals: ReadonlySet<string>
  /** Whether a word is a noun that needs no determiner after a copula, judged by its form. */
  readonly isNoun: (word: string) => boolean
  /** With a subject before them and anything after them: "repairs bicycles". */
  readonly verbs: ReadonlySet<string>
  /** Verbs that are also nouns: "repair". */
  readonly bareVerbs: ReadonlySet<string>
  /** The ending of the verb may replace the subject. */
  readonly dropsSubject: boolean
}

export const grammars: ReadonlyMap<string, Grammar> = new Map([
  ['en', createEnglishGrammar()],
  [
    'de',
    createGrammar(
      'ist sind bin',
      'ein eine einer der die das dein deine ihr ihre euer eure unser unsere mein meine',
      'zwei drei vier fünf sechs sieben',
      'hilft bäckt berät gibt brät vertritt verficht geschaffen haben',
      (
        'bieten helfen machen bauen verkaufen liefern entwickeln gestalten reparieren behandeln produzieren betreiben ' +
        'fertigen anfertigen herstellen restaurieren sanieren renovieren montieren installieren warten reinigen ' +
        'verlegen pflanzen pflegen planen beraten begleiten unterstützen betreuen vertreten versichern vermieten ' +
        'vermitteln verleihen verarbeiten veredeln drucken nähen weben schneidern backen kochen brauen rösten brennen ' +
        'keltern servieren züchten ernten lehren unterrichten schulen trainieren veranstalten organisieren ' +
        'fotografieren filmen schreiben übersetzen veröffentlichen programmieren prüfen messen testen beheben lösen ' +
        'schützen verbinden vereinfachen automatisieren versenden transportieren führen sammeln handeln vertreiben ' +
        'erstellen schaffen schleifen lackieren streichen polstern schmieden gießen drehen zeigen ermöglichen'
      )
        .split(' ')
        .flatMap(conjugateGerman),
    ),
  ],
  [
    'fr',
    createGrammar(
      "est sommes sont suis c'est",
      'un une le la les votre notre vos nos mon ma mes des',
      'deux trois quatre cinq six sept',
      'œuvre œuvrons œuvrent offre offrons offrent vend vendons vendent fournit fournissons conçoit concevons construit construisons ' +
        'produit produisons entretient entretenons cuit cuisons sert servons traduit traduisons écrit écrivons bâtit ' +
        'bâtissons fait faisons garantit garantissons tient tenons torréfions intervient intervenons interviennent défend ' +
        'défendons défendent plaide plaidons réunit réunissons réunissent rassemble rassemblons',
      (
        'proposer aider fabriquer développer réparer créer restaurer rénover installer poser nettoyer cultiver planter ' +
        'cuisiner préparer brasser torréfier imprimer louer livrer accompagner conseiller former enseigner soigner ' +
        'traiter organiser gérer représenter assurer transporter photographier publier concevoir réaliser élaborer façonner ' +
        'confectionner tisser sculpter dépanner distribuer commercialiser protéger simplifier automatiser connecter ' +
        'accueillir assister exercer animer'
      )
        .split(' ')
        .flatMap((verb) => [
          ...conjugate(verb.slice(0, -2), ['e', 'ons', 'eons', 'ent']),
          ...conjugate(verb, ['a', 'ons', 'ont']),
        ]),
    ),
  ],
  [
    'es',
    createGrammar(
      'es somos son soy',
      'un una el la los las tu su nuestro nuestra mi',
      'dos tres cuatro cinco seis siete',
      'dedicamos dedica dedican ofrece ofrecemos ofrecen vende vendemos venden produce producimos construye construimos hace hacemos cose cosemos ' +
        'interviene intervenimos asiste asistimos asisten defiende defendemos defienden ejerce ejercemos ejercen actúa actuamos ' +
        'sirve servimos imparte impartimos traduce traducimos distribuye distribuimos mantiene mantenemos',
      (
        'ayudar fabricar proporcionar crear diseñar desarrollar reparar reformar restaurar instalar limpiar cultivar ' +
        'cocinar preparar elaborar tostar imprimir alquilar enseñar formar asesorar acompañar tratar cuidar organizar ' +
        'gestionar representar transportar fotografiar publicar realizar entregar automatizar conectar arreglar pintar ' +
        'comercializar facilitar'
      )
        .split(' ')
        .flatMap((verb) => conjugate(verb.slice(0, -2), ['a', 'amos', 'an', 'o'])),
      true,
    ),
  ],
  [
    'it',
    createGrammar(
      'è siamo sono',
      'un una uno il lo la i gli le nostro nostra',
      'due tre quattro cinque sei sette',
      'offre offriamo vende vendiamo fornisce forniamo propone proponiamo produce produciamo costruisce costruiamo cuce ' +
        'opera operiamo operano nasce occupa occupiamo occupano sostiene sosteniamo sostengono affianca affianchiamo ' +
        'assiste assistiamo assistono difende difendiamo difendono esercita esercitiamo interviene interveniamo ' +
        'cuciamo cuoce cuociamo serve serviamo traduce traduciamo distribuisce distribuiamo fa facciamo gestisce gestiamo ' +
        'pulisce puliamo',
      (
        'aiutare creare progettare sviluppare riparare restaurare ristrutturare installare coltivare cucinare preparare ' +
        'tostare stampare noleggiare consegnare insegnare formare curare trattare organizzare rappresentare trasportare ' +
        'fotografare pubblicare realizzare lavorare fabbricare confezionare assicurare automatizzare semplificare ' +
        'accompagnare'
      )
        .split(' ')
        .flatMap((verb) => conjugate(verb.slice(0, -3), ['a', 'iamo', 'amo', 'ano', 'o'])),
      true,
    ),
  ],
  [
    'nl',
    createGrammar(
      'is zijn ben',
      'een de het uw je jouw ons onze mijn',
      'twee drie vier vijf zes zeven',
      'biedt bieden helpt helpen maakt maken verkoopt verkopen levert leveren ontwerpt ontwerpen ontwikkelt ' +
        'ontwikkelen bouwt bouwen repareert repareren herstelt herstellen restaureert restaureren renoveert renoveren ' +
        'installeert installeren plaatst plaatsen onderhoudt onderhouden reinigt reinigen verhuurt verhuren bakt bakken ' +
        'kookt koken brouwt brouwen brandt branden drukt drukken naait naaien kweekt kweken teelt telen verzorgt ' +
        'verzorgen behandelt behandelen begeleidt begeleiden adviseert adviseren geeft geven organiseert organiseren ' +
        'vervoert vervoeren vertaalt vertalen schrijft schrijven publiceert publiceren produceert produceren ' +
        'verdedigt verdedigen vertegenwoordigt vertegenwoordigen bijstaat verleent verlenen behartigt behartigen ' +
        'vervaardigt vervaardigen schildert schilderen automatiseert automatiseren verbindt verbinden regelt regelen',
    ),
  ],
  [
    'pt',
    createGrammar(
      'é somos são sou',
      'um uma o a os as seu sua nosso nossa meu minha',
      'dois duas três quatro cinco seis sete',
      'oferece oferecemos oferecem vende vendemos vendem fornece fornecemos produz produzimos constrói construímos faz ' +
        'atua atuamos atuam assiste assistimos defende defendemos defendem exerce exercemos presta prestamos intervém ' +
        'fazemos serve servimos traduz traduzimos distribui distribuímos mantém mantemos',
      (
        'ajudar fabricar criar desenvolver projetar reparar reformar restaurar instalar limpar cultivar cozinhar preparar ' +
        'torrar imprimir alugar entregar ensinar formar tratar cuidar organizar representar transportar fotografar ' +
        'publicar realizar consertar pintar automatizar conectar assessorar acompanhar comercializar facilitar elaborar'
      )
        .split(' ')
        .flatMap((verb) => conjugate(verb.slice(0, -2), ['a', 'amos', 'am', 'e', 'emos', 'o'])),
      true,
    ),
  ],
])

function createGrammar(
  copulas: string,
  determiners: string,
  numerals: string,
  irregular: string,
  regular: readonly string[] = [],
  dropsSubject = false,
): Grammar {
  return {
    copulas: new Set(copulas.split(' ')),
    determiners: new Set(determiners.split(' ')),
    numerals: new Set(numerals.split(' ')),
    isNoun: isProfession,
    verbs: new Set([...irregular.split(' '), ...regular]),
    bareVerbs: new Set(),
    dropsSubject,
  }
}

/** "Somos dentistas em Lindau": who practises a profession is told by a bare noun. "Somos realistas" tells of a manner. */
function isProfession(word: string): boolean {
  return (
    /(?:ist(?:as?|es?|i|en)|ólog[oa]s?|olog[oi]|logues?|arzt|ärzt(?:e|in|innen)|orthopäd(?:e|in|en|innen)|tandarts(?:en)?)$/.test(
      word,
    ) &&
    !/^(?:re?al|réal|optim|otim|ottim|pess?im|per(?:fec|fez|fei)|h?uman|(?:m[ea]|ex|ins|cons|ass|v|tr|l|prev|entrev|rev)ist)/.test(
      word,
    )
  )
}

/** The third person ("repairs") is nearly always a verb; the infinitive ("repair") is a noun too. */
function createEnglishGrammar(): Grammar {
  const infinitives = (
    'provide offer help make build sell deliver design create supply repair treat teach develop run produce connect ' +
    'publish serve fix install maintain service unblock restore renovate refurbish clean paint decorate plant grow farm ' +
    'bake cook brew roast distil pour blend craft sew knit weave carve forge print frame rent hire lease lend buy ' +
    'stock ship import export distribute transport move store recycle collect host organise organize arrange plan guide ' +
    'advise consult coach train tutor mentor support represent defend insure finance audit manage handle operate ' +
    'monitor track test measure inspect analyse analyze protect secure automate simplify replace convert turn translate ' +
    'write edit record film photograph research study breed care groom rescue heal examine prescribe cover report ' +
    'assist defend practise practice act counsel litigate gather unite specialise specialize show bring give enable solve trade combine manufacture assemble engineer tailor cater'
  ).split(' ')
  return {
    ...createGrammar(
      "is are am i'm we're it's",
      'a an the your our my their its his her this one where what how who',
      'two three four five six seven',
      'lets',
      infinitives.map(addS),
    ),
    bareVerbs: new Set(infinitives),
    // Plurals of trades; adjectives and adverbs rarely end so.
    isNoun: (word) => /(?:er|or|ist|ian|expert|specialist|artist|partner|maker)s$|[^'s]'s$/.test(word),
  }
}

function addS(verb: string): string {
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`
  return /(?:s|x|z|ch|sh)$/.test(verb) ? `${verb}es` : `${verb}s`
}

/** The forms for we, he and I: fertigen, fertigt, fertige. */
function conjugateGerman(infinitive: string): string[] {
  const stem = infinitive.replace(/e?n$/, '')
  return [infinitive, `${stem}${/[td]$/.test(stem) ? 'et' : 't'}`, `${stem}e`]
}

function conjugate(stem: string, endings: readonly string[]): string[] {
  return endings.map((ending) => `${stem}${ending}`)
}
