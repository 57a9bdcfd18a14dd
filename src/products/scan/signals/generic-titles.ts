/** Titles that pages of every business have: they are no name, wherever they stand. */
export function isGeneric(part: string): boolean {
  return generic.test(part.trim()) || languageNames.has(part.trim().toLowerCase())
}

/** What switches between languages say: "Deutsch", "Български", and their names in English. */
const languageNames: ReadonlySet<string> = new Set(
  'ar az bg bn bs ca cs da de el en es et eu fa fi fr gl ga he hi hr hu hy id is it ja ka kk ko lt lv mk ms nb nl no pl pt ro ru sk sl sq sr sv ta th tr uk ur uz vi zh'
    .split(' ')
    .flatMap((code) =>
      [code, 'en'].map((within) => new Intl.DisplayNames([within], { type: 'language' }).of(code)),
    )
    .map((name = '') => name.toLowerCase()),
)

const generic =
  /^(?:home ?page|home|start(?:seite)?|index|welcome|main|about(?: us)?|contact(?: us)?|untitled(?: document)?|coming soon|under construction|(?:40\d|50\d)\b.*|not found|just a moment.*|access denied|log ?in|sign in|shop|blog|news|projects|portfolio|logo|test(?: page)?|willkommen|herzlich willkommen|über uns|kontakt|accueil|bienvenue|inicio|bienvenidos|página principal|início|página inicial|pagina principale|benvenuti|anasayfa|ana sayfa|главная|главная страница|добро пожаловать|الرئيسية|الصفحة الرئيسية|ホーム|トップページ|トップ|홈|首页|首頁)$/i
