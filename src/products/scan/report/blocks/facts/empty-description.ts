/**
 * Whether a description says nothing of a business: it is its name beside a word such as "Homepage", or a call such as "Book
 * your appointment online!". As the description of the business in all blocks, it would tell no one what is offered, and
 * where. Of a call every word has to be known: one more may name the trade or the town.
 */
export function isEmptyDescription(text: string, name: string): boolean {
  const said = wordsOf(text.slice(0, 300))
  const own = new Set(wordsOf(name))
  const isLabel = said.every((word) => own.has(word) || labels.has(word))
  const isCall = said.length <= 20 && said.some((word) => calls.has(word))
  return isLabel || (isCall && said.every((word) => calls.has(word) || ofCalls.has(word)))
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

function setOf(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')))
}

/** What a page is called, and the small words beside it, by languages. */
const labels = setOf(
  'the of to at a home homepage page site website web official welcome',
  'startseite webseite internetseite hauptseite offizielle willkommen herzlich bei der die das auf und unserer',
  'accueil bienvenue page officiel officielle sur le la les du de site chez',
  'inicio bienvenidos bienvenido página pagina principal oficial sitio en el a nuestra',
  'início inicial bem vindo vindos ao à do da site',
  'benvenuti benvenuto sito ufficiale principale di su nel',
  'welkom startpagina officiële op van bij strona główna oficjalna witamy na',
  'anasayfa ana sayfa resmi sitesi hoş geldiniz главная страница официальный сайт добро пожаловать на',
  'startsida startside hjemmeside välkommen till velkommen til etusivu',
)

/** Words by which a text calls its readers to do something. */
const calls = setOf(
  'book schedule request call contact visit',
  'vereinbaren vereinbare buchen buche rufen kontaktieren besuchen',
  'prenez réservez contactez appelez venez',
  'agenda agende reserva reserve pide pida llama llame llámanos contacta contacte contáctanos visítanos',
  'agende marque ligue venha',
  'prenota prenoti chiama chiamaci contatta contattaci vieni',
)

const ofCalls = setOf(
  'your an a the our us we you now today online here and or for by phone appointment appointments consultation visit come discover see get know services team more learn about free make',
  'sie jetzt heute noch gleich online ihren ihre deinen deine einen eine termin termine beratung uns an und lernen kennen unsere unser leistungen angebote team mehr erfahren',
  'rendez vous nous dès maintenant aujourd hui en ligne et découvrir découvrez nos notre votre un une consultation services équipe',
  'tu su una un cita consulta hoy ahora ya mismo en línea y ven venga conoce conozca a conocer nuestros nuestro nuestras servicios equipo los',
  'sua seu uma consulta avaliação horário entre em contato conosco conhecer conheça os nossos nosso serviços equipe hoje agora já mesmo e a',
  'il la tuo tua suo sua appuntamento visita consulenza ora oggi e scopri conoscere i nostri servizi',
)
