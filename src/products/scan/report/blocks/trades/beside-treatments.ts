import { wholeWords } from '../../../site/html/words.ts'
import type { Page } from '../../../site/site.ts'

/**
 * Whether headings or text say that somebody else than a dental practice names treatments of dentists: a vet, a maker, a
 * finder, a newspaper. It is asked only where no name or title says that the site is a practice: such a practice may write
 * of its dog, its laboratory or its loans.
 */
export function isOfAnotherTrade({ headings, links, title, description, mainText }: Page): boolean {
  const named = [
    title.slice(0, 300),
    description.slice(0, 300),
    ...headings.slice(0, 60).map(({ text }) => text.slice(0, 120)),
    ...links.slice(0, 300).map(({ text }) => text.slice(0, 80)),
  ].join(' | ')
  const told = `${named} | ${mainText.slice(0, maxCharacters)}`
  return (
    // One animal may be the mascot of a practice.
    animals.filter((words) => words.test(told)).length > 1 ||
    otherSurgery.test(named) ||
    goods.test(named) ||
    otherTrades.some((words) => words.test(told)) ||
    // A specialist asks dentists to send their patients.
    (forDentists.test(told) && !referral.test(told))
  )
}

/** Where a site says what it is. */
const maxCharacters = 3_000

/** No dentist enlarges breasts or grows hair, though some fill lips. */
const otherSurgery = wholeWords(
  'hair (?:implants?|transplant\\p{L}*|crowns?|restoration)|breast (?:implants?|augmentation)|haartransplantation\\p{L}*|brustvergrößerung\\p{L}*',
  'brustimplantat\\p{L}*|greffe de cheveux|implants? (?:capillaires?|mammaires?)|prothèses? mammaires?|implantes? (?:mamari\\p{L}+|capilar\\p{L}*|de (?:pelo|silicone))',
  'trasplante capilar|trapianto (?:di )?capelli|protesi mammari\\p{L}+|saç ekimi|protez saç|meme (?:implant\\p{L}*|büyütme\\p{L}*|protez\\p{L}*)|przeszczep włosów',
  'пересадка волос|увеличение груди|rhinoplast\\p{L}*|liposuction|liposucci\\p{L}+',
)

const goods = wholeWords(
  '(?:implant|surgical) (?:systems|kits)|abutments|(?:orthodontic|arch) wires|(?:endodontic|root canal) files|data ?sheets?|spare parts',
  '(?:send|submit) (?:a|your|us a) case|implantatsysteme|ersatzteile',
)

const animals: readonly RegExp[] = [
  wholeWords(
    'animals?|pets|your pet|four-legged|tieren?|haustier\\p{L}*|vierbein\\p{L}*|animaux|animales|animais|animali|mascotas?|dieren|hayvan\\p{L}*|zwierz\\p{L}+|животн\\p{L}+',
  ),
  wholeWords(
    '(?<!isle of )dogs?|pupp(?:y|ies)|hunde?n?|welpen|chiens?|chiots?|perr[oa]s?(?!-)|cani|cães|honden|köpek\\p{L}*|ps(?:y|ów)|собак\\p{L}*',
  ),
  wholeWords(
    'cats|kittens?|katzen|chatons?|chats et|(?<!los )gat[oa]s|gatti|katten|kedi\\p{L}*|kot(?:y|ów)|кошк\\p{L}*',
  ),
  wholeWords(
    'rabbits?|guinea pigs?|hamsters?|ferrets?|kaninchen|meerschweinchen|frettchen|lapins?|furets?|conejos?|hurones|conigli|furetti|coelhos?|konijnen|tavşan\\p{L}*|królik\\p{L}*|кролик\\p{L}*',
  ),
  wholeWords('parrots?|tortoises?|reptiles?|papageien|perroquets?|loros|pappagalli|papugi|попуга\\p{L}+'),
  wholeWords(
    '(?:boarding )?kennels?|cattery|microchip\\p{L}*|neuter(?:ing|ed)|spay(?:ing|ed)|kastration\\p{L}*|castración',
  ),
  /犬|ペット|うさぎ|강아지|宠物/u,
  /猫(?!背)|고양이/u,
]

const otherTrades: readonly RegExp[] = [
  // Laboratories and makers, who serve practices.
  wholeWords(
    '(?:deliver\\p{L}*|ship\\p{L}*|courier\\p{L}*|supply|made|make|craft\\p{L}*|mill\\p{L}*|fabricat\\p{L}*) (?:\\p{L}{1,15} ){0,4}(?:to|for) (?:your|any|every) (?:dental )?(?:surger(?:y|ies)|practices?|clinics?|dentists?)',
    '(?:we|to) (?:make|manufacture|produce) (?:\\p{L}{1,15} ){0,2}(?:implants|instruments|abutments)|we are an? (?:\\p{L}{2,15} ){0,3}(?:lab|laboratory)|wholesale\\p{L}*',
    '(?:fertigen|liefern|fräsen|produzieren) (?:\\p{L}{1,20} ){0,4}(?:für|an|in) (?:ihre|die) (?:zahnarzt)?prax(?:is|en)|zahntechniker(?:meister)?betrieb',
    '(?:livr|fabriqu)ons (?:\\p{L}{1,15} ){0,4}(?:cabinets?|praticiens)|(?:fabric|elabor)amos (?:\\p{L}{1,15} ){0,4}(?:consulta|clínicas?)|(?:realizz|produc)iamo (?:\\p{L}{1,15} ){0,4}(?:vostro|suo|i|gli) studi[oi]?',
    'prace (?:\\p{L}{1,15} )?na zlecenie',
  ),
  // Finders and brokers.
  wholeWords(
    '(?:our )?partner (?:clinics|dentists)|partnerkliniken|cliniques partenaires|clínicas (?:asociadas|colaboradoras|parceiras)|cliniche partner',
    'compare (?:\\p{L}{1,15} ){0,3}(?:prices|quotes|clinics|dentists|offers)|preise vergleichen|compar(?:ez|a|e|i) (?:les |los |os |i )?(?:prix|precios|preços|prezzi)|vergelijk prijzen',
  ),
  // News, talk and lessons.
  wholeWords(
    'news (?:from|for|of) (?:the|our) (?:profession|industry|trade)|tribune|gazette|newsroom|editorial (?:team|board)|our (?:editors|journalists|reporters)',
    'unsere redaktion|notre rédaction|nuestra redacción|la nostra redazione|onze redactie',
    '(?:dental|dentists?|members?|discussion|patients?) forum|forum (?:rules|members|index|topics|threads)|message board|(?:new|latest|all|popular) threads|members (?:discuss|post|ask)|log ?in to (?:post|reply)',
    'hands-on (?:days|courses?)|(?:ce|cpd) (?:credits|points|courses)',
  ),
  // Insurers.
  wholeWords(
    '(?:dental|tooth) insurance (?:from|plans?|polic(?:y|ies))|claims by (?:phone|post)|zahnzusatzversicherung (?:ab|von)|policyholders?',
  ),
]

const forDentists = wholeWords(
  'for (?:\\p{L}{2,12} )?(?:dentists|orthodontists|dental (?:practices|clinics|professionals|surgeries|teams|laboratories))',
  'für (?:\\p{L}{2,12} )?(?:zahnärzte|zahnarztpraxen|kieferorthopäden)|pour (?:les )?(?:dentistes|chirurgiens-dentistes|cabinets dentaires)',
  'para (?:dentistas|odontólogos|clínicas dentales)|per (?:dentisti|odontoiatri|studi dentistici)|voor tandartsen|dla (?:stomatologów|dentystów|gabinetów)|для стоматологов',
)

const referral = /(?<!\p{L})(?:refer|überweis|zuweis|referenc|remitir|verwij|skierow|направ)/iu
