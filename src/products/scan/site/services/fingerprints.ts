import { bookingServices } from './booking-services.ts'
import { chatServices } from './chat-services.ts'

/**
 * The traces that a service leaves in the pages that use it. The table was written from the public
 * installation instructions of each service. A service that is not in it is not recognized, so a check may
 * conclude from a trace but not from the absence of one.
 */
export interface Fingerprint {
  readonly name: string
  readonly kinds: readonly ServiceKind[]
  /**
   * Hosts, with their subdomains and optionally the beginning of a path, from which a page loads scripts,
   * frames or styles, or to which it sends forms.
   */
  readonly loads?: readonly string[]
  /** As `loads`, for addresses that a page only has to link: a booking page, a job board. */
  readonly links?: readonly string[]
  /** A part of a path, on any host. */
  readonly path?: string
  /** A part of the path of a link, on any host. */
  readonly linkPath?: string
  /** The beginning of the meta generator, in lower case. */
  readonly generator?: string
  /** A piece of an inline script, without white space. */
  readonly inline?: string
  /** Attributes of a form, by which the host of the site takes what it sends. */
  readonly form?: readonly string[]
  /** An attribute of the script that loads it, with its value. */
  readonly script?: string
  /** The name of a response header. */
  readonly header?: string
  /** The beginning of a cookie's name. */
  readonly cookie?: string
}

export type ServiceKind =
  | 'analytics'
  /** Its script is still loaded, and the service has been switched off. */
  | 'retired-analytics'
  | 'tag-manager'
  | 'crm'
  | 'mailing'
  | 'chat'
  | 'helpdesk'
  | 'scheduler'
  | 'form'
  /** Keeps what the site's own forms send. */
  | 'form-store'
  | 'shop'
  | 'hiring'
  | 'reviews'
  | 'automation'

export const fingerprints: readonly Fingerprint[] = [
  {
    name: 'Google Tag Manager',
    kinds: ['tag-manager'],
    loads: ['googletagmanager.com/gtm.js', 'googletagmanager.com/ns.html'],
    inline: "'gtm.start'",
  },
  {
    name: 'Google Analytics',
    kinds: ['analytics'],
    loads: ['googletagmanager.com/gtag', 'google-analytics.com/g/', 'google-analytics.com/mp/'],
    inline: "gtag('config'",
    cookie: '_ga',
  },
  // Google processes nothing of its older scripts since July 2023. The oldest writes the address in two parts.
  {
    name: 'Universal Analytics',
    kinds: ['retired-analytics'],
    loads: [
      'google-analytics.com/analytics.js',
      'google-analytics.com/ga.js',
      'google-analytics.com/urchin.js',
    ],
    inline: '_gaq.push',
  },
  { name: 'Tealium', kinds: ['tag-manager'], loads: ['tags.tiqcdn.com'] },
  { name: 'Plausible', kinds: ['analytics'], loads: ['plausible.io'] },
  { name: 'Fathom', kinds: ['analytics'], loads: ['cdn.usefathom.com'] },
  { name: 'Matomo', kinds: ['analytics'], loads: ['cdn.matomo.cloud'], path: '/matomo.js', cookie: '_pk_id' },
  { name: 'Microsoft Clarity', kinds: ['analytics'], loads: ['clarity.ms'] },
  { name: 'Hotjar', kinds: ['analytics'], loads: ['static.hotjar.com'] },
  { name: 'Mixpanel', kinds: ['analytics'], loads: ['cdn.mxpnl.com', 'api.mixpanel.com'] },
  { name: 'Amplitude', kinds: ['analytics'], loads: ['cdn.amplitude.com'] },
  { name: 'PostHog', kinds: ['analytics'], loads: ['i.posthog.com', 'app.posthog.com'] },
  { name: 'Segment', kinds: ['analytics'], loads: ['cdn.segment.com'] },
  { name: 'Cloudflare Web Analytics', kinds: ['analytics'], loads: ['static.cloudflareinsights.com'] },
  { name: 'Vercel Analytics', kinds: ['analytics'], path: '/_vercel/insights/' },
  {
    name: 'Meta Pixel',
    kinds: ['analytics'],
    loads: ['facebook.com/tr'],
    path: '/fbevents.js',
    cookie: '_fbp',
  },
  { name: 'GoatCounter', kinds: ['analytics'], loads: ['gc.zgo.at', 'goatcounter.com'] },
  { name: 'Yandex Metrica', kinds: ['analytics'], loads: ['mc.yandex.ru', 'mc.yandex.com'] },
  { name: 'Baidu Analytics', kinds: ['analytics'], loads: ['hm.baidu.com'] },
  { name: 'Naver Analytics', kinds: ['analytics'], loads: ['wcs.naver.net'] },
  { name: 'Simple Analytics', kinds: ['analytics'], loads: ['simpleanalyticscdn.com'] },
  { name: 'Umami', kinds: ['analytics'], loads: ['cloud.umami.is'] },
  { name: 'TikTok Pixel', kinds: ['analytics'], loads: ['analytics.tiktok.com'] },
  { name: 'LinkedIn Insight Tag', kinds: ['analytics'], loads: ['snap.licdn.com'] },
  {
    name: 'HubSpot',
    kinds: ['crm'],
    loads: ['js.hs-scripts.com', 'js.hs-analytics.net', 'js-eu1.hs-scripts.com', 'js.hubspot.com'],
    header: 'x-hs-hub-id',
    cookie: 'hubspotutk',
  },
  {
    name: 'HubSpot Forms',
    kinds: ['crm', 'form'],
    loads: ['hsforms.net', 'hsforms.com'],
    links: ['share.hsforms.com'],
  },
  {
    name: 'Salesforce Account Engagement',
    kinds: ['crm'],
    loads: ['pi.pardot.com', 'go.pardot.com'],
    cookie: 'visitor_id',
  },
  { name: 'Salesforce web-to-lead', kinds: ['crm', 'form'], loads: ['webto.salesforce.com'] },
  { name: 'Marketo', kinds: ['crm'], loads: ['munchkin.marketo.net', 'mktoweb.com'], cookie: '_mkto_trk' },
  { name: 'ActiveCampaign', kinds: ['crm', 'mailing'], loads: ['trackcmp.net', 'activehosted.com'] },
  { name: 'Zoho CRM', kinds: ['crm'], loads: ['crm.zoho.com', 'crm.zoho.eu', 'crm.zohopublic.com'] },
  { name: 'Zoho SalesIQ', kinds: ['crm', 'chat'], loads: ['salesiq.zoho.com', 'salesiq.zohopublic.com'] },
  {
    name: 'Pipedrive',
    kinds: ['crm', 'form'],
    loads: ['webforms.pipedrive.com', 'leadbooster-chat.pipedrive.com'],
  },
  { name: 'Keap', kinds: ['crm', 'mailing'], loads: ['infusionsoft.com', 'infusionsoft.app'] },
  { name: 'Microsoft Dynamics 365', kinds: ['crm'], loads: ['dynamics.com', 'mktdplp102cdn.azureedge.net'] },
  { name: 'Freshsales', kinds: ['crm'], loads: ['myfreshworks.com', 'freshsales.io'] },
  { name: 'HighLevel', kinds: ['crm', 'form'], loads: ['msgsndr.com', 'leadconnectorhq.com'] },
  {
    name: 'Mailchimp',
    kinds: ['mailing'],
    loads: ['list-manage.com', 'chimpstatic.com'],
    links: ['eepurl.com'],
  },
  {
    name: 'Klaviyo',
    kinds: ['mailing', 'crm'],
    loads: ['static.klaviyo.com', 'static-forms.klaviyo.com'],
    cookie: '__kla_id',
  },
  { name: 'Kit', kinds: ['mailing'], loads: ['convertkit.com', 'kit.com', 'ck.page'] },
  { name: 'Brevo', kinds: ['mailing'], loads: ['sibforms.com', 'sibautomation.com', 'cdn.brevo.com'] },
  { name: 'MailerLite', kinds: ['mailing'], loads: ['mailerlite.com', 'assets.mlcdn.com'] },
  { name: 'Constant Contact', kinds: ['mailing'], loads: ['ctctcdn.com', 'constantcontact.com'] },
  { name: 'Campaign Monitor', kinds: ['mailing'], loads: ['createsend.com', 'createsend1.com'] },
  { name: 'beehiiv', kinds: ['mailing'], loads: ['embeds.beehiiv.com', 'beehiiv.com'] },
  { name: 'Mailman', kinds: ['mailing'], linkPath: '/listinfo' },
  { name: 'Shopify analytics', kinds: ['analytics'], inline: 'trekkie.factory=' },
  { name: 'Substack', kinds: ['mailing'], loads: ['substack.com'], links: ['substack.com'] },
  { name: 'Omnisend', kinds: ['mailing'], loads: ['omnisnippet1.com', 'omnisend.com'] },
  { name: 'GetResponse', kinds: ['mailing'], loads: ['getresponse.com'] },
  { name: 'Buttondown', kinds: ['mailing'], loads: ['buttondown.com', 'buttondown.email'] },
  {
    name: 'Intercom',
    kinds: ['chat', 'helpdesk'],
    loads: ['widget.intercom.io', 'js.intercomcdn.com'],
    links: ['intercom.help'],
  },
  {
    name: 'Zendesk',
    kinds: ['chat', 'helpdesk'],
    loads: ['zdassets.com', 'zopim.com'],
    links: ['zendesk.com/hc'],
  },
  {
    name: 'Freshdesk',
    kinds: ['helpdesk', 'chat'],
    loads: ['freshchat.com', 'widget.freshworks.com'],
    links: ['freshdesk.com'],
    // Its account may run forms and counts from "fw-cdn.com" as well.
    script: 'chat=true',
  },
  {
    name: 'Help Scout',
    kinds: ['helpdesk', 'chat'],
    loads: ['beacon-v2.helpscout.net'],
    links: ['helpscoutdocs.com'],
  },
  { name: 'tawk.to', kinds: ['chat'], loads: ['embed.tawk.to'], links: ['tawk.to/chat'] },
  { name: 'Gorgias', kinds: ['chat', 'helpdesk'], loads: ['gorgias.chat', 'gorgias.io'] },
  { name: 'Chatwoot', kinds: ['chat'], loads: ['app.chatwoot.com'], inline: 'chatwootSDK.run' },
  { name: 'Bitrix24', kinds: ['chat'], path: '/crm/site_button/' },
  { name: 'Bitrix24 Forms', kinds: ['crm', 'form'], path: '/crm/form/loader' },
  ...chatServices.map(([name, ...hosts]): Fingerprint => ({ name, kinds: ['chat'], loads: hosts })),
  { name: 'Podium', kinds: ['chat', 'reviews'], loads: ['connect.podium.com'] },
  { name: 'Booking.com', kinds: ['scheduler'], links: ['booking.com/hotel'] },
  { name: 'Airbnb', kinds: ['scheduler'], links: ['airbnb.com/rooms', 'airbnb.com/h'] },
  { name: 'Naver Booking', kinds: ['scheduler'], links: ['booking.naver.com', 'm.booking.naver.com'] },
  { name: 'YCLIENTS', kinds: ['scheduler'], loads: ['yclients.com'], links: ['yclients.com'] },
  { name: 'Planity', kinds: ['scheduler'], loads: ['planity.com'], links: ['planity.com'] },
  {
    name: 'Treatwell',
    kinds: ['scheduler'],
    links: ['treatwell.de', 'treatwell.co.uk', 'treatwell.fr', 'treatwell.it'],
  },
  { name: 'TableCheck', kinds: ['scheduler'], links: ['tablecheck.com'] },
  { name: 'Hot Pepper', kinds: ['scheduler'], links: ['beauty.hotpepper.jp', 'hotpepper.jp'] },
  { name: 'Uber Eats', kinds: ['shop'], links: ['ubereats.com'] },
  { name: 'Zomato', kinds: ['shop'], links: ['zomato.com'] },
  { name: 'Swiggy', kinds: ['shop'], links: ['swiggy.com'] },
  { name: 'Lieferando', kinds: ['shop'], links: ['lieferando.de'] },
  { name: 'Calendly', kinds: ['scheduler'], loads: ['calendly.com'], links: ['calendly.com'] },
  { name: 'Cal.com', kinds: ['scheduler'], loads: ['cal.com'], links: ['cal.com'] },
  {
    name: 'Acuity Scheduling',
    kinds: ['scheduler'],
    loads: ['acuityscheduling.com', 'squarespacescheduling.com'],
    links: ['acuityscheduling.com', 'as.me'],
  },
  {
    name: 'Square Appointments',
    kinds: ['scheduler'],
    loads: ['squareup.com/appointments'],
    links: ['squareup.com/appointments', 'book.squareup.com'],
  },
  { name: 'Setmore', kinds: ['scheduler'], loads: ['setmore.com'], links: ['setmore.com'] },
  {
    name: 'SimplyBook.me',
    kinds: ['scheduler'],
    loads: ['simplybook.me', 'simplybook.it'],
    links: ['simplybook.me', 'simplybook.it'],
  },
  { name: 'YouCanBookMe', kinds: ['scheduler'], loads: ['youcanbook.me'], links: ['youcanbook.me'] },
  {
    name: 'Google Calendar',
    kinds: ['scheduler'],
    loads: ['calendar.google.com/calendar/appointments'],
    links: ['calendar.app.google', 'calendar.google.com/calendar/appointments'],
  },
  {
    name: 'Microsoft Bookings',
    kinds: ['scheduler'],
    loads: ['outlook.office365.com/owa/calendar', 'outlook.office.com/book'],
    links: ['outlook.office365.com/owa/calendar', 'outlook.office.com/book'],
  },
  {
    name: 'HubSpot Meetings',
    kinds: ['scheduler', 'crm'],
    loads: ['meetings.hubspot.com'],
    links: ['meetings.hubspot.com', 'meetings-eu1.hubspot.com'],
  },
  {
    name: 'Mindbody',
    kinds: ['scheduler'],
    loads: ['mindbodyonline.com', 'healcode.com'],
    links: ['mindbodyonline.com'],
  },
  { name: 'Vagaro', kinds: ['scheduler'], loads: ['vagaro.com'], links: ['vagaro.com'] },
  { name: 'Fresha', kinds: ['scheduler'], loads: ['fresha.com'], links: ['fresha.com'] },
  { name: 'Booksy', kinds: ['scheduler'], loads: ['booksy.com'], links: ['booksy.com'] },
  { name: 'GloriaFood', kinds: ['scheduler'], loads: ['fbgcdn.com'] },
  { name: 'OpenTable', kinds: ['scheduler'], loads: ['opentable.com'], links: ['opentable.com'] },
  { name: 'Resy', kinds: ['scheduler'], loads: ['widgets.resy.com'], links: ['resy.com'] },
  { name: 'Zocdoc', kinds: ['scheduler'], loads: ['zocdoc.com'], links: ['zocdoc.com'] },
  {
    name: 'Doctolib',
    kinds: ['scheduler'],
    loads: ['doctolib.fr', 'doctolib.de'],
    links: ['doctolib.fr', 'doctolib.de', 'doctolib.it'],
  },
  { name: 'Jameda', kinds: ['scheduler'], loads: ['jameda.de'], links: ['jameda.de'] },
  { name: 'Dr. Flex', kinds: ['scheduler'], loads: ['dr-flex.de'], links: ['dr-flex.de'] },
  { name: 'samedi', kinds: ['scheduler'], loads: ['samedi.de'], links: ['samedi.de'] },
  {
    name: 'Terminland',
    kinds: ['scheduler'],
    loads: ['terminland.de', 'terminland.eu'],
    links: ['terminland.de', 'terminland.eu'],
  },
  { name: 'eTermin', kinds: ['scheduler'], loads: ['etermin.net'], links: ['etermin.net'] },
  { name: 'TIMIFY', kinds: ['scheduler'], loads: ['timify.com'], links: ['timify.com'] },
  {
    name: 'Doctena',
    kinds: ['scheduler'],
    loads: ['doctena.com', 'doctena.de'],
    links: ['doctena.com', 'doctena.de'],
  },
  {
    name: 'Dentally',
    kinds: ['scheduler'],
    loads: ['dentally.co', 'dentally.me'],
    links: ['dentally.co', 'dentally.me'],
  },
  { name: 'Cliniko', kinds: ['scheduler'], loads: ['cliniko.com'], links: ['cliniko.com'] },
  { name: 'Bookwhen', kinds: ['scheduler'], loads: ['bookwhen.com'], links: ['bookwhen.com'] },
  { name: 'Jane', kinds: ['scheduler'], loads: ['janeapp.com'], links: ['janeapp.com', 'jane.app'] },
  ...bookingServices.map(
    ([name, ...hosts]): Fingerprint => ({ name, kinds: ['scheduler'], loads: hosts, links: hosts }),
  ),
  { name: 'Typeform', kinds: ['form'], loads: ['typeform.com'], links: ['typeform.com/to'] },
  { name: 'Jotform', kinds: ['form'], loads: ['jotform.com'], links: ['form.jotform.com'] },
  {
    name: 'Google Forms',
    kinds: ['form'],
    loads: [
      'docs.google.com/forms',
      'docs.google.com/spreadsheet/embeddedform',
      'spreadsheets.google.com/embeddedform',
    ],
    links: ['docs.google.com/forms', 'forms.gle'],
  },
  {
    name: 'Yandex Forms',
    kinds: ['form'],
    loads: ['forms.yandex.ru', 'forms.yandex.com'],
    links: ['forms.yandex.ru'],
  },
  {
    name: 'Microsoft Forms',
    kinds: ['form'],
    loads: ['forms.office.com', 'forms.microsoft.com'],
    links: ['forms.office.com'],
  },
  { name: 'Tally', kinds: ['form'], loads: ['tally.so'], links: ['tally.so/r'] },
  {
    name: 'DSN Forms',
    kinds: ['form'],
    loads: ['dsnforms.com'],
    links: ['pdf.dsnforms.com', 'online.dsnforms.com'],
  },
  { name: 'ident.ws', kinds: ['form'], links: ['ident.ws'] },
  {
    name: 'EmailJS',
    kinds: ['form-store'],
    path: '@emailjs/browser',
    inline: 'emailjs.init(',
    loads: ['api.emailjs.com'],
  },
  { name: 'SMTPJS', kinds: ['form-store'], loads: ['smtpjs.com'] },
  { name: 'Netlify Forms', kinds: ['form-store'], form: ['data-netlify', 'netlify'] },
  { name: 'Formspree', kinds: ['form-store'], loads: ['formspree.io'] },
  { name: 'Web3Forms', kinds: ['form-store'], loads: ['api.web3forms.com'] },
  { name: 'FormSubmit', kinds: ['form-store'], loads: ['formsubmit.co'] },
  { name: 'Formoid', kinds: ['form-store'], loads: ['mobirise.eu', 'formoid.net'] },
  { name: 'Airform', kinds: ['form-store'], loads: ['airform.io'] },
  { name: 'Getform', kinds: ['form-store'], loads: ['getform.io'] },
  { name: 'Formspark', kinds: ['form-store'], loads: ['submit-form.com'] },
  { name: 'Basin', kinds: ['form-store'], loads: ['usebasin.com'] },
  { name: 'Google Apps Script', kinds: ['form-store'], loads: ['script.google.com/macros'] },
  {
    name: 'Shopify',
    kinds: ['shop'],
    loads: ['cdn.shopify.com', 'myshopify.com'],
    header: 'x-shopid',
    cookie: '_shopify_',
  },
  {
    name: 'WooCommerce',
    kinds: ['shop'],
    path: '/wp-content/plugins/woocommerce/',
    generator: 'woocommerce',
    cookie: 'woocommerce_',
  },
  {
    name: 'Adobe Commerce',
    kinds: ['shop'],
    header: 'x-magento-cache-debug',
    path: '/static/version',
    generator: 'magento',
    cookie: 'mage-',
  },
  { name: 'BigCommerce', kinds: ['shop'], loads: ['cdn11.bigcommerce.com', 'mybigcommerce.com'] },
  { name: 'PrestaShop', kinds: ['shop'], generator: 'prestashop', cookie: 'PrestaShop-' },
  { name: 'Shopware', kinds: ['shop'], generator: 'shopware', header: 'sw-context-token' },
  { name: 'OpenCart', kinds: ['shop'], cookie: 'OCSESSID', path: '/catalog/view/theme/' },
  { name: 'Ecwid', kinds: ['shop'], loads: ['app.ecwid.com'] },
  { name: 'Snipcart', kinds: ['shop'], loads: ['cdn.snipcart.com'] },
  {
    name: 'Stripe',
    kinds: ['shop'],
    loads: ['js.stripe.com', 'checkout.stripe.com'],
    links: ['buy.stripe.com'],
  },
  {
    name: 'PayPal',
    kinds: ['shop'],
    loads: ['paypal.com/sdk', 'paypalobjects.com', 'paypal.com/cgi-bin/webscr'],
  },
  { name: 'Paddle', kinds: ['shop'], loads: ['cdn.paddle.com'] },
  { name: 'Lemon Squeezy', kinds: ['shop'], loads: ['lemonsqueezy.com'], links: ['lemonsqueezy.com/buy'] },
  { name: 'Gumroad', kinds: ['shop'], loads: ['gumroad.com'], links: ['gumroad.com/l'] },
  { name: 'Job Medley', kinds: ['hiring'], links: ['job-medley.com'] },
  { name: 'GUPPY', kinds: ['hiring'], links: ['guppy.jp'] },
  { name: 'engage', kinds: ['hiring'], links: ['en-gage.net'] },
  { name: 'Greenhouse', kinds: ['hiring'], loads: ['greenhouse.io'], links: ['greenhouse.io'] },
  { name: 'Lever', kinds: ['hiring'], loads: ['lever.co'], links: ['jobs.lever.co'] },
  { name: 'Workable', kinds: ['hiring'], loads: ['workable.com'], links: ['apply.workable.com'] },
  { name: 'Ashby', kinds: ['hiring'], loads: ['ashbyhq.com'], links: ['jobs.ashbyhq.com'] },
  { name: 'BambooHR', kinds: ['hiring'], loads: ['bamboohr.com'], links: ['bamboohr.com'] },
  {
    name: 'SmartRecruiters',
    kinds: ['hiring'],
    loads: ['smartrecruiters.com'],
    links: ['smartrecruiters.com'],
  },
  { name: 'Workday', kinds: ['hiring'], loads: ['myworkdayjobs.com'], links: ['myworkdayjobs.com'] },
  { name: 'Teamtailor', kinds: ['hiring'], loads: ['teamtailor.com'], links: ['teamtailor.com'] },
  {
    name: 'Personio',
    kinds: ['hiring'],
    loads: ['jobs.personio.de', 'jobs.personio.com'],
    links: ['jobs.personio.de', 'jobs.personio.com'],
  },
  { name: 'JazzHR', kinds: ['hiring'], loads: ['applytojob.com'], links: ['applytojob.com'] },
  { name: 'Trustpilot', kinds: ['reviews'], loads: ['widget.trustpilot.com'] },
  {
    name: 'Trusted Shops',
    kinds: ['reviews'],
    loads: ['widgets.trustedshops.com', 'integrations.etrusted.com'],
  },
  { name: 'Yotpo', kinds: ['reviews'], loads: ['staticw2.yotpo.com', 'cdn-widgetsrepository.yotpo.com'] },
  { name: 'Judge.me', kinds: ['reviews'], loads: ['judge.me'] },
  { name: 'Birdeye', kinds: ['reviews'], loads: ['birdeye.com'] },
  { name: 'Reviews.io', kinds: ['reviews'], loads: ['widget.reviews.io'] },
  { name: 'Bazaarvoice', kinds: ['reviews'], loads: ['bazaarvoice.com'] },
  { name: 'Zapier', kinds: ['automation'], loads: ['zapier.com'], links: ['zapier.com/apps'] },
  { name: 'Make', kinds: ['automation'], loads: ['make.com'], links: ['make.com/en/integrations'] },
]
