/**
 * Services of a chat that a script puts on the page, with the hosts that it is loaded from. Each keeps what visitors write.
 * Written from the public installation instructions of each service. `fingerprints.ts` has those that leave other traces, too.
 */
export const chatServices: readonly (readonly [name: string, ...hosts: string[]])[] = [
  ['Crisp', 'client.crisp.chat'],
  ['LiveChat', 'cdn.livechatinc.com'],
  ['Tidio', 'code.tidio.co'],
  ['Drift', 'js.driftt.com', 'drift.com'],
  ['JivoChat', 'jivosite.com', 'jivochat.com', 'jivo.ru'],
  ['Smartsupp', 'smartsuppchat.com', 'smartsuppcdn.com', 'smartsupp.com'],
  ['Userlike', 'userlike.com', 'userlike-cdn-widgets.s3-eu-west-1.amazonaws.com'],
  ['Olark', 'static.olark.com'],
  ['Botpress', 'cdn.botpress.cloud'],
  ['Chaport', 'app.chaport.com'],
  ['Carrot quest', 'carrotquest.io', 'carrotquest.app'],
  ['Chatra', 'call.chatra.io'],
  ['Channel Talk', 'cdn.channel.io'],
  ['Trengo', 'widget.trengo.eu'],
  ['HelpCrunch', 'widget.helpcrunch.com'],
  ['Landbot', 'cdn.landbot.io', 'static.landbot.io'],
  ['LiveAgent', 'ladesk.com'],
  ['LivePerson', 'lptag.liveperson.net'],
  ['Bitrix24', 'bitrix24.ru', 'bitrix24.com', 'bitrix24.eu', 'bitrix24.de', 'bitrix24.by', 'bitrix24.ua'],
]
