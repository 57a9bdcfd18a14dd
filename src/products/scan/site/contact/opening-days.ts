/**
 * Whether a line begins with a day of the week, as opening hours do, in thirteen languages. A short form needs a sign behind it:
 * "Do" is a Thursday in German and begins questions in English.
 */
export function beginsWithDay(line: string): boolean {
  return day.test(line)
}

const day = new RegExp(
  `^[^\\p{L}]{0,3}(?:(?:${[
    'mon(?:days?)?|tues?(?:days?)?|wed(?:nesdays?)?|thu(?:rs?(?:days?)?)?|fri(?:days?)?|sat(?:urdays?)?|sun(?:days?)?|weekdays|weekends?',
    'mo(?:ntags?)?|di(?:enstags?)?|mi(?:ttwochs?)?|do(?:nnerstags?)?|fr(?:eitags?)?|sa(?:mstags?)?|so(?:nn(?:tags?|abends?))?|werktags?|wochenende',
    'lun(?:di|es|edì)?|mar(?:di|tes|tedì)?|mer(?:credi|coledì)?|mi[ée](?:rcoles)?|jeu(?:di)?|jue(?:ves)?|gio(?:vedì)?|ven(?:dredi|erdì)?|vie(?:rnes)?|sam(?:edi)?|s[áa]b(?:ado|ato)?|dim(?:anche)?|dom(?:ingo|enica)?',
    'seg(?:unda)?(?:-feira)?|ter(?:ça)?(?:-feira)?|qua(?:rta)?(?:-feira)?|qui(?:nta)?(?:-feira)?|sex(?:ta)?(?:-feira)?',
    'ma(?:andag)?|dinsdag|wo(?:ensdag)?|donderdag|vr(?:ijdag)?|zat?(?:erdag)?|zon?(?:dag)?',
    'pazartesi|salı|çarşamba|perşembe|cuma(?:rtesi)?|pazar',
    'пн|вт|ср|чт|пт|сб|вс|понедельник|вторник|среда|четверг|пятница|суббота|воскресенье',
    '(?:ال)?(?:اثنين|إثنين|ثلاثاء|أربعاء|خميس|جمعة|سبت|أحد)',
  ].join(
    '|',
  )})(?!\\p{L})(?=[.:]?\\s{0,2}(?:$|[:–—&/+(|\\d-]|,\\s?\\p{Lu}\\p{L}{1,2}[\\s:.,–-]|(?:bis|to|and|und|et|au|à|y|a|al|e|en|t/m|tot|ve|и|до|nach|sur|su|op|con|nur|only|closed|geschlossen)(?!\\p{L})))|[月火水木金土日][曜]|[월화수목금토일]요일|(?:周|星期|週)[一二三四五六日天])`,
  'iu',
)
