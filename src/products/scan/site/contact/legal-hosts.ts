import { depthOf, registrableDomain } from '../addresses.ts'

/**
 * Legal pages on other domains. A service or the group that a firm belongs to may publish the notice of the site, and
 * beside a form stand the notices of the firms behind it, which say nothing of the site.
 */

/** A service that writes and publishes notices for other sites: iubenda, Termly. */
export function publishesNotices(url: string): boolean {
  return services.has(registrableDomain(url))
}

/** What a notice credits at its end: "Made with Datenschutz-Generator.de". The service tells there of itself. */
export function isFrontOfService(url: string): boolean {
  return publishesNotices(url) && depthOf(url) === 0
}

const services: ReadonlySet<string> = new Set(
  (
    'iubenda.com termly.io termsfeed.com getterms.io privacypolicies.com freeprivacypolicy.com privacypolicygenerator.info ' +
    'privacypolicyonline.com termsandconditionsgenerator.com termageddon.com enzuzo.com avodocs.com legalmonster.com ' +
    'trustarc.com truste.com onetrust.com cookiebot.com usercentrics.eu consentmanager.net axeptio.eu didomi.io ' +
    'adsimple.at datenschutz-generator.de e-recht24.de it-recht-kanzlei.de haendlerbund.de trustedshops.com legaltext.ch'
  ).split(' '),
)

/** The notice of a firm whose form, film or map the site embeds: "protected by reCAPTCHA, Privacy Policy, Terms of Service". */
export function isNoticeOfProvider(url: string): boolean {
  const { hostname, pathname } = new URL(url)
  return (
    providers.has(registrableDomain(url)) &&
    !/^(?:docs|drive|sites|forms)\./.test(hostname) &&
    !/^\/(?:document|pages|groups)\//.test(pathname)
  )
}

const providers: ReadonlySet<string> = new Set(
  (
    'google.com youtube.com facebook.com instagram.com meta.com whatsapp.com twitter.com x.com linkedin.com tiktok.com pinterest.com ' +
    'microsoft.com apple.com amazon.com cloudflare.com hcaptcha.com friendlycaptcha.com automattic.com akismet.com wordpress.com ' +
    'stripe.com paypal.com klarna.com mailchimp.com intuit.com brevo.com sendinblue.com hubspot.com vimeo.com spotify.com ' +
    'squarespace.com wix.com shopify.com webflow.com disqus.com hotjar.com calendly.com typeform.com'
  ).split(' '),
)

/** What links to such pages are called where they name neither privacy nor terms: "Policies". */
export const noticeWords =
  /(?<!\p{L})(?:polic(?:y|ies)|legal|rechtliche\p{L}*|richtlinien?|politiques?|políticas?|politiche|beleid|cookies?|gdpr|dsgvo|rgpd|compliance|правов\p{L}*|политик\p{L}*)(?!\p{L})|ポリシー|정책|政策/iu
