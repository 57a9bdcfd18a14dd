/**
 * Services of a chat that a script puts on the page, with the hosts that it is loaded from, and none that have the pictures,
 * forms or pages of the same firm. Each keeps what visitors write.
 * Written from the public installation instructions of each service. `fingerprints.ts` has those that leave other traces, too.
 */
export const chatServices: readonly (readonly [name: string, ...hosts: string[]])[] = [
  ['Crisp', 'client.crisp.chat'],
  ['LiveChat', 'cdn.livechatinc.com'],
  ['Tidio', 'code.tidio.co'],
  ['Drift', 'js.driftt.com'],
  ['JivoChat', 'code.jivosite.com', 'code.jivochat.com', 'code.jivo.ru'],
  ['Smartsupp', 'smartsuppchat.com', 'smartsuppcdn.com'],
  [
    'Userlike',
    'api.userlike.com',
    'userlike-cdn-widgets.s3-eu-west-1.amazonaws.com',
    'userlike-cdn-umm.b-cdn.net',
  ],
  ['Olark', 'static.olark.com'],
  ['Botpress', 'cdn.botpress.cloud'],
  ['Chaport', 'app.chaport.com'],
  ['Carrot quest', 'cdn.carrotquest.io', 'cdn.carrotquest.app'],
  ['Chatra', 'call.chatra.io'],
  ['Channel Talk', 'cdn.channel.io'],
  ['Trengo', 'widget.trengo.eu'],
  ['HelpCrunch', 'widget.helpcrunch.com'],
  ['Landbot', 'cdn.landbot.io', 'static.landbot.io'],
  ['LiveAgent', 'ladesk.com/scripts'],
  ['LivePerson', 'lptag.liveperson.net'],
  // Its other scripts show maps and share pages.
  ['KakaoTalk Channel', 'developers.kakao.com/sdk/js/kakao.channel'],
]
