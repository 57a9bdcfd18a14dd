import { GatewayError } from '../../core/errors.ts'
import { presentText } from './plain-text.ts'

/**
 * The fixed rules for requests that no serious publisher prints. They run before a payment is claimed and before any
 * model is asked. They look for pairs of words, not for single ones: an article on reporting poisonings to a clinic is
 * welcome, an article on how to poison a person is not. A model may decline more than these rules find.
 */
export function findUnprintable(...texts: readonly (string | undefined)[]): GatewayError | undefined {
  const text = texts
    .flatMap((each) => presentText(each?.normalize('NFKC')) ?? [])
    .join(' . ')
    .toLowerCase()
    .replace(/[’‘]/g, "'")
  const rule = rules.find(({ patterns }) => patterns.some((pattern) => pattern.test(text)))
  return rule && declined(rule.reason)
}

/** @param reason completes "This is a request for …". */
export function declined(reason: string): GatewayError {
  return new GatewayError('TEXT_DECLINED', { reason: `This is a request for ${reason}.` })
}

interface Rule {
  readonly reason: string
  readonly patterns: readonly RegExp[]
}

const disease =
  'cancer|tumou?rs?|diabetes|autism|hiv|aids|covid(?:-19)?|alzheimer\\S*|dementia|leuk(?:a)?emia|epilepsy|multiple sclerosis|parkinson\\S*|asthma|heart disease|kidney failure|measles|sepsis'
const quackery =
  'bleach|chlorine dioxide|mms|miracle mineral|turpentine|ivermectin|hydroxychloroquine|colloidal silver|baking soda|essential oils?|homeopath\\S*|crystals?|urine|raw milk|black salve|apricot (?:kernels|seeds)|laetrile|alkaline water|detox\\S*|juice cleans\\S*|prayer|magnets?|herbs?|herbal|vitamin c|vitamins?'
const medicine =
  'insulin|chemotherap(?:y|ies)|chemo|antidepressants?|(?:heart|blood pressure|hiv|psychiatric|prescribed|prescription) (?:medication|medicine|meds|drugs)|medications?|vaccin\\w+|antibiotics|blood thinners?|dialysis'

const rules: readonly Rule[] = [
  {
    reason: 'medical claims that harm the people who believe them',
    patterns: [
      new RegExp(
        `\\b(?:cur(?:e|es|ed|ing)|heal(?:s|ed|ing)?|revers(?:e|es|ing)|treat(?:s|ing)?|beat(?:s|ing)?|get(?:ting)? rid of)\\b.{0,60}\\b(?:${disease})\\b.{0,60}\\b(?:with|using|by|through|via|without)\\b.{0,40}\\b(?:${quackery}|doctors?|medicine|medication|chemo\\w*)`,
      ),
      new RegExp(
        `\\b(?:${quackery})\\b.{0,60}\\b(?:cur(?:e|es|ed|ing)|heal(?:s|ed|ing)?|revers(?:e|es|ing)|treat(?:s|ing)?|kill(?:s|ing)?|beat(?:s|ing)?|for|against)\\b.{0,40}\\b(?:${disease})\\b`,
      ),
      new RegExp(`\\b(?:cures?|cured|curing|miracle (?:cure|remedy))\\b.{0,30}\\b(?:${disease})\\b`),
      new RegExp(
        `\\b(?:stop|stopping|quit|quitting|throw away|ditch|ditching|refuse|refusing|replac(?:e|ing)|instead of|without)\\b.{0,40}\\b(?:${medicine})\\b.{0,60}\\b(?:with|by|naturally|natural|herb\\w*|diet|detox|prayer|safely at home|on your own|${disease})`,
      ),
      /\bvaccin\w+\b.{0,60}\b(?:causes?|caused|causing|cause of|linked to|gives?|behind)\b.{0,40}\b(?:autism|infertility|sids|magneti\w+|5g|microchips?|cancer|deaths?)/,
      /\bvaccin\w+\b.{0,60}\b(?:microchips?|depopulation|5g|hoax|poison\w*|bioweapon|kill(?:s|ing)?|dangers? they hide|truth they hide|(?:are|is) (?:a )?(?:scam|unsafe|useless|dangerous|deadly))/,
      /\b(?:why|reasons?)\b.{0,40}\b(?:not|never|avoid|refuse|skip)\b.{0,30}\bvaccin\w+|\banti-?vax/,
      /\b(?:covid(?:-19)?|hiv|aids|germ theory|viruses)\b.{0,40}\b(?:hoax|does not exist|doesn't exist|do not exist|don't exist|isn't real|is not real|is fake|plandemic)/,
      /\bdrink(?:ing)?\b.{0,20}\b(?:bleach|chlorine dioxide|turpentine|borax|methanol)\b/,
    ],
  },
  {
    reason: 'help with hurting oneself',
    patterns: [
      /\b(?:how to|ways? to|methods? (?:to|of|for)|guide to|best way)\b.{0,30}\b(?:kill(?:ing)? (?:myself|yourself|oneself)|commit(?:ting)? suicide|suicide methods?|self-?harm|cut(?:ting)? (?:myself|yourself))/,
      /\bpro-?(?:ana|mia)\b|\b(?:tips|tricks)\b.{0,30}\b(?:anorexi\w+|bulimi\w+|starv(?:e|ing) (?:yourself|myself))/,
    ],
  },
  {
    reason: 'help with hurting people',
    patterns: [
      /\b(?:how to|guide to|build(?:ing)?|mak(?:e|ing)|assembl(?:e|ing)|construct(?:ing)?|cook(?:ing)?|synthesi[sz](?:e|ing)|recipe for|homemade|diy)\b.{0,40}\b(?:(?:pipe |nail |dirty |car |fertili[sz]er )?bombs?\b(?! (?:cyclone|proof|threats?|scares?|shelters?|disposal|squads?|calls?))|explosives?|ieds?|molotov\w*|nerve agents?|sarin|ricin|napalm|thermite|chemical weapons?|bioweapons?|biological weapons?|silencers?|ghost guns?|untraceable guns?)/,
      /\b(?:how to|ways? to|guide to)\b.{0,30}\b(?:poison|stalk|kidnap|murder|assassinat\w+|hurt|strangle|kill)\b.{0,30}\b(?:someone|somebody|a person|people|my|your|an? (?:ex|wife|husband|neighbou?r|child|coworker|boss))/,
      /\b(?:cook(?:ing)?|synthesi[sz](?:e|ing)|how to make|mak(?:e|ing)|producing|brew(?:ing)?)\b.{0,30}\b(?:meth(?:amphetamine)?|crack cocaine|heroin|fentanyl|mdma|lsd|crystal meth)\b/,
      /\b(?:human trafficking|child (?:porn\w*|sex\w*)|sex\w* (?:with )?(?:minors?|children|kids|underage)|underage (?:sex|girls?|boys?|porn\w*)|groom(?:ing)? (?:children|kids|minors))\b(?!.{0,60}\b(?:prevent\w*|awareness|report\w*|training|protect\w*|safeguard\w*|survivors?|victims?))/,
      /\b(?:terroris[mt]s?|isis|jihad\w*|mass shooting)\b.{0,40}\b(?:recruit\w*|join|manifesto|plan(?:ning)?|how to)/,
    ],
  },
  {
    reason: 'contempt for a group of people',
    patterns: [
      /\b(?:why|proof|because|prove)\b.{0,30}\b(?:jews?|muslims?|blacks?|black people|whites?|white people|women|gays?|gay people|immigrants|refugees|arabs|asians?|roma|gypsies|trans people|disabled people)\b.{0,40}\b(?:inferior|subhuman|stupid|parasites?|vermin|control the world|criminals by nature|deserve to|should (?:not vote|be (?:deported|killed|banned|removed))|are the problem|cannot be trusted|can't be trusted)/,
      /\b(?:white supremacy|master race|great replacement|ethnic cleansing|gas the|holocaust (?:hoax|never happened|is a lie|denial|didn't happen)|six million lie)\b(?!.{0,60}\b(?:history|countering|fighting|prevent\w*|education|museum))/,
    ],
  },
  {
    reason: 'help with deceiving or robbing people',
    patterns: [
      /\b(?:fake|fabricat\w+|buy(?:ing)?|bought|forg(?:e|ed|ing)|false|invented|paid)\b.{0,25}\b(?:reviews?|testimonials?|diplomas?|degrees?|passports?|ids?|id cards?|invoices?|prescriptions?|bank statements?|pay ?stubs?|vaccination (?:cards?|certificates?)|doctor'?s notes?|credentials|references)\b(?!.{0,60}\b(?:detect\w*|spot\w*|prevent\w*|protect\w*|stop\w*|avoid\w*|report\w*|fight\w*))(?<!\b(?:detect\w{0,4}|spot\w{0,5}|prevent\w{0,4}|stop\w{0,5}|avoid\w{0,4}|catch\w{0,4}|report\w{0,4}|fight\w{0,4}|against)\b.{0,60})/,
      /\b(?:how to|writ(?:e|ing)|create|creating|templates? for|build(?:ing)?|launch(?:ing)?|run(?:ning)?|guide to|craft(?:ing)?)\b.{0,30}\b(?:phishing|ransomware|malware|keyloggers?|spyware|stalkerware|botnets?|ddos|credential stuffing|ponzi|pyramid schemes?|romance scams?|scams?|advance fee|deepfake porn)\b(?!.{0,60}\b(?:awareness|training|simulation|defen[cs]e|protect\w*|prevent\w*|detect\w*|respon(?:se|d\w*)|recover\w*|plan))/,
      /\b(?:how to|ways? to|guide to|tricks? to)\b.{0,30}\b(?:evade tax\w*|launder(?:ing)? money|money launder\w*|hide (?:income|assets|money) from|commit (?:insurance |tax |mortgage )?fraud|steal|shoplift\w*|hack into|hack (?:someone|a|my|your)|bypass (?:kyc|aml|sanctions)|cheat (?:on|at) (?:exams?|tests?|taxes)|overcharge|defraud)/,
      /\b(?:guaranteed|risk-free|no-risk)\b.{0,25}\b(?:returns?|profits?|income|wins?|winnings?|riches)\b|\bget rich quick\b|\bdouble your (?:money|bitcoin|crypto)/,
    ],
  },
]
