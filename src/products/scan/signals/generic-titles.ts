import { isPlaceholderText } from '../site/html/opening-noise.ts'

/** Titles that pages of every business have: they are no name, wherever they stand. */
export function isGeneric(part: string): boolean {
  return (
    generic.test(part.trim()) ||
    isSampleName(part) ||
    isPlaceholderText(part) ||
    languageNames.has(part.trim().toLowerCase())
  )
}

/** "EN", "pt-br", "ITA", "Deutsch", "Drapeau français": the words of a link that leads to the same page in another language. */
export function isLanguageSwitch(text: string): boolean {
  const words = text.trim().toLowerCase()
  const [code = ''] = words.split(/[-_]/)
  return (
    (/^[a-z]{2}(?:[-_][a-z]{2})?$/.test(words) && languageCodes.has(code)) ||
    // "Cat" is a page of a vet.
    (/^[A-Z]{3}$/.test(text.trim()) && languageCodes.has(shortCodeOf(words))) ||
    languageNames.has(words) ||
    (words.length <= 40 && flag.test(words))
  )
}

/** "fr" of "fra" and of "fre". */
function shortCodeOf(code: string): string {
  return code === 'esp' ? 'es' : (Intl.getCanonicalLocales(code)[0] ?? code)
}

const flag =
  /(?<!\p{L})(?:flag|flagge|fahne|drapeau|bandera|bandiera|bandeira|vlag|flagga|flaga|bayrağı|флаг)(?!\p{L})/u

/**
 * The name that a website system gives to every new site: "Meinewebsite" of Wix, "Site Title" of WordPress, "Mobirise" as
 * the alternative text of every logo. An owner who left it there would be advised to write it everywhere.
 */
export function isSampleName(part: string): boolean {
  return sample.test(part.trim()) || ofTemplate.test(part.trim())
}

/** "Generic - Editorial by HTML5 UP": what makers of templates write into the titles of their pages. */
const ofTemplate =
  /^.{2,60}\s(?:by|from|[-–—|])\s(?:HTML5 UP|TEMPLATED|Colorlib|BootstrapMade|FreeHTML5(?:\.co)?|ThemeWagon|W3layouts|Pixelarity|TemplateMo|Start Bootstrap|(?:free |responsive )?(?:html5?|css3?|bootstrap)(?: ?\d)? (?:website |landing page )?template)$/i

const languageCodes: ReadonlySet<string> = new Set(
  'ar az bg bn bs ca cs da de el en es et eu fa fi fr gl ga he hi hr hu hy id is it ja ka kk ko lt lv mk ms nb nl no pl pt ro ru sk sl sq sr sv ta th tr uk ur uz vi zh'.split(
    ' ',
  ),
)

/** What switches between languages say: "Deutsch", "Български", and their names in English. */
const languageNames: ReadonlySet<string> = new Set(
  [...languageCodes]
    .flatMap((code) =>
      [code, 'en'].map((within) => new Intl.DisplayNames([within], { type: 'language' }).of(code)),
    )
    .map((name = '') => name.toLowerCase()),
)

const generic =
  /^(?:.{1,40}['’]s? (?:(?:personal |own |little )?(?:home ?page|web ?(?:site|page)))|home ?page|home|(?:dentist |dental )?business|company|brand|practice|clinic|start(?:seite)?|index|welcome|main|(?:the )?official (?:web ?)?site|site officiel|offizielle (?:web ?)?seite|(?:sitio|página|web) oficial|sito ufficiale|site oficial|resmi (?:web )?sitesi|официальный сайт|公式(?:サイト|ホームページ)|官方?网站?|공식 ?(?:홈페이지|사이트)|about(?: us)?|contact(?: us)?|untitled(?: document)?|coming soon|under construction|(?:40\d|50\d)\b.*|not found|just a moment.*|access denied|log ?in|sign in|shop|blog|news|projects|portfolio|logo|test(?: page)?|willkommen|herzlich willkommen|über uns|kontakt|accueil|bienvenue|inicio|bienvenidos|página principal|início|página inicial|pagina principale|benvenuti|anasayfa|ana sayfa|dentists?|dental|dentistry|dental (?:clinic|practice|care|office)|clínica (?:dental|odontológica)|consultorio (?:dental|odontológico)|cabinet dentaire|studio dentistico|gabinet (?:stomatologiczny|dentystyczny)|tandartspraktijk|diş (?:kliniği|klinikası)|stomatoloji klinika|стоматологическая клиника|стоматологія|orthodontics?|zahn(?:arzt|ärzte|ärztin|arztpraxis|medizin)|kieferorthopädie|dentistes?|orthodontie|dentistas?|odontolog[ií]a|ortodon[cz]ia|dentysta|stomatologia|ortodoncja|diş hekimi|стоматология|главная|главная страница|добро пожаловать|الرئيسية|الصفحة الرئيسية|ホーム|トップページ|トップ|홈|首页|首頁)$/i

const sample =
  /^(?:hello,? world!?|(?:redirecting|loading|redirection|weiterleitung|redirigiendo|redirecionando|reindirizzamento|yönlendiriliyor|перенаправление)[\s.…]{0,5}|(?:dental|dentist|clinic|medical|company|business|portfolio|restaurant|school|shop) (?:web ?site|web ?page|landing page)|mobirise(?: website builder)?|document|(?:my|your) ?(?:new ?)?(?:web ?site|site|wordpress(?: web)?(?: ?site| blog)?|blog|business|company|store|shop|homepage)|(?:your |my )?(?:site|website|blog) (?:title|name)|(?:business|company|your|brand|store) name|your (?:logo|brand)(?: here)?|just another (?:wordpress site|wordpress weblog|.{1,40} sites? site)|(?:eine )?weitere wordpress[- ](?:website|seite)|ein weiteres wordpress[- ]blog|web ?site|new (?:web ?site|site)|(?:meine|deine|ihre|neue) ?(?:web ?(?:site|seite)|home ?page|seite)|mein(?:e)? (?:blog|shop|unternehmen)|mon (?:nouveau )?site(?: web)?|mon blog|site sans (?:titre|nom)|un site (?:utilisant|parmi d.autres) ?wordpress|mi (?:nuevo )?(?:sitio|p[áa]gina)(?: web)?|mi (?:web|blog|tienda)|otro sitio realizado con wordpress|il mio (?:nuovo )?sito(?: web)?|il mio blog|sito senza titolo|un nuovo sito targato wordpress|(?:o )?meu (?:novo )?site|meu blog|mijn (?:nieuwe )?(?:web ?site|site|webshop)|(?:een )?nieuwe website|yeni (?:web )?site(?:m)?|web sitem|мой сайт|новый сайт|私のサイト|マイサイト|내 (?:웹)?사이트|我的(?:网站|網站))$/iu
