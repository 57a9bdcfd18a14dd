/**
 * Whether a link text says nothing about its target, such as "here", in the most used languages. Agents list
 * links without the sentence around them.
 */
export function isGenericLinkText(text: string): boolean {
  const words = text
    .slice(0, 60)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}']+/gu, ' ')
    .trim()
  return generic.has(words)
}

const generic: ReadonlySet<string> = new Set([
  // English
  ...[
    'here',
    'click here',
    'click',
    'click this',
    'this',
    'this page',
    'this link',
    'link',
    'go',
    'start',
    'right here',
  ],
  ...[
    'more',
    'read more',
    'learn more',
    'see more',
    'show more',
    'view more',
    'find out more',
    'discover more',
  ],
  ...[
    'more info',
    'more information',
    'more details',
    'info',
    'information',
    'details',
    'view details',
    'see details',
  ],
  ...[
    'continue',
    'continue reading',
    'read on',
    'view',
    'open',
    'next',
    'get started',
    'read',
    'discover',
    'explore',
  ],
  // German
  ...[
    'hier',
    'hier klicken',
    'klicken sie hier',
    'mehr',
    'mehr erfahren',
    'mehr lesen',
    'weiterlesen',
    'weiter',
  ],
  ...['mehr infos', 'mehr informationen', 'weitere informationen', 'zum artikel', 'jetzt entdecken'],
  // French
  ...[
    'ici',
    'cliquez ici',
    'cliquer ici',
    'en savoir plus',
    'lire la suite',
    'lire plus',
    'plus',
    "plus d'informations",
  ],
  ...['voir plus', 'suite', 'découvrir'],
  // Spanish
  ...[
    'aquí',
    'haga clic aquí',
    'haz clic aquí',
    'leer más',
    'más',
    'más información',
    'ver más',
    'saber más',
    'seguir leyendo',
  ],
  // Italian
  ...[
    'qui',
    'clicca qui',
    'leggi di più',
    'leggi tutto',
    'continua',
    'scopri di più',
    'maggiori informazioni',
    'altro',
  ],
  // Dutch
  ...[
    'klik hier',
    'lees meer',
    'lees verder',
    'meer',
    'meer informatie',
    'meer info',
    'bekijk',
    'ontdek meer',
  ],
  // Portuguese
  ...['aqui', 'clique aqui', 'leia mais', 'ler mais', 'mais', 'mais informações', 'saiba mais', 'ver mais'],
  // Turkish, Russian, Arabic, Korean
  ...['tıklayın', 'buraya tıklayın', 'devamı', 'devamını oku', 'daha fazla', 'detaylar', 'incele'],
  ...['здесь', 'тут', 'подробнее', 'читать далее', 'читать дальше', 'узнать больше', 'далее', 'ещё'],
  ...['هنا', 'اضغط هنا', 'المزيد', 'اقرأ المزيد', 'التفاصيل', 'اعرف المزيد'],
  ...['여기', '더보기', '더 보기', '자세히', '자세히 보기', '클릭'],
  // Japanese, Chinese
  ...[
    'こちら',
    'ここをクリック',
    '続きを読む',
    'もっと見る',
    '詳細',
    '詳しくはこちら',
    '点击这里',
    '更多',
    '了解更多',
    '查看更多',
    '阅读更多',
    '详情',
  ],
])
