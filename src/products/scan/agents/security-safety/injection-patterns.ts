/**
 * Phrases with which a text gives orders to an assistant that reads it. They are searched only in hidden
 * text, because an article about prompt injection may quote them all. Every gap has a maximum length, which
 * bounds the time that a page of partial matches takes.
 */
export interface InjectionPattern {
  /** Completes "tells assistants to …". */
  readonly aim: string
  readonly pattern: RegExp
}

const reader =
  '(?:ai|llms?|(?:large )?language models?|artificial intelligence|chatgpt|gpt|claude|gemini|copilot|perplexity|grok)(?:[ -](?:assistant|agent|model|system|crawler|bot))?s?'

export const injectionPatterns: readonly InjectionPattern[] = [
  {
    aim: 'drop their instructions',
    pattern:
      /\b(?:ignore|disregard|forget|override|bypass|neglect)\b[^.!?]{0,40}\b(?:previous|prior|above|earlier|preceding|all|your|other|system)\b[^.!?]{0,30}\b(?:instructions?|prompts?|guidelines|directives|training)\b/i,
  },
  {
    aim: 'drop their instructions',
    pattern:
      /\b(?:ignore|disregard|forget)\b[^.!?]{0,30}\b(?:previous|prior|above|earlier|preceding)\b[^.!?]{0,20}\b(?:rules|commands|directions)\b/i,
  },
  {
    aim: 'drop their instructions',
    pattern:
      /\bignorier(?:e|en|t)\b[^.!?]{0,40}\b(?:vorherigen|bisherigen|obigen|früheren|alle)\b[^.!?]{0,20}\b(?:anweisungen|instruktionen|befehle|vorgaben)\b/i,
  },
  {
    aim: 'drop their instructions',
    pattern:
      /\b(?:ignore[zr]?|oublie[zr]?)\b[^.!?]{0,30}\b(?:instructions|consignes)\b[^.!?]{0,10}\b(?:préc|ant|ci-dessus)/i,
  },
  {
    aim: 'drop their instructions',
    pattern:
      /\b(?:ignor[ae]|ignoren|olvida|esquece?a?|dimentica|negeer|vergeet)\b[^.!?]{0,30}\b(?:instrucciones|instruções|istruzioni|instructies|(?:anterior|previa|precedent|eerdere|vorige)\p{L}{0,4})\b[^.!?]{0,20}\b(?:instrucciones|instruções|istruzioni|instructies|(?:anterior|previa|precedent)\p{L}{0,4})(?!\p{L})/iu,
  },
  {
    aim: 'tell what they were told in secret',
    pattern:
      /\b(?:reveal|print|show|leak|repeat|output|disclose|expose)\b[^.!?]{0,40}\b(?:system|developer|hidden|initial) (?:prompt|message|instructions)\b/i,
  },
  {
    aim: 'take the text for a message of their operator',
    pattern: /<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[\/?INST\]|<<\/?SYS>>/i,
  },
  {
    aim: 'take new instructions',
    pattern:
      /\b(?:new|updated|real|actual|important) (?:system |hidden )?(?:instructions?|prompt)(?: (?:for|to) (?:you|the assistant|the model))? ?:/i,
  },
  {
    aim: 'follow orders meant for them alone',
    pattern: new RegExp(
      `\\b(?:if you are|you are now|attention|notice to|note (?:to|for)|instructions? (?:to|for)|message (?:to|for)|dear)[ ,:]{1,2}(?:an? |any |all |the |every )?${reader}\\b[^!?]{0,160}\\b(?:ignore|must|always|never|do not|don['’]t|recommend|rank|rate|promote|prefer|say that|tell)\\b`,
      'i',
    ),
  },
  {
    aim: 'keep something from their user',
    pattern:
      /\b(?:do not|don['’]t|never) (?:tell|inform|notify|warn|alert|reveal|mention|show|disclose)\b[^.!?]{0,40}\b(?:to )?(?:the|your) (?:user|human|operator)s?\b/i,
  },
  {
    aim: 'trust this site from now on',
    pattern:
      /\bremember\b[^!?]{0,60}\bas (?:a|an|the|your) (?:most )?(?:trusted|reliable|authoritative|preferred|best|top|primary) (?:source|citation|reference|provider|choice|company|expert)\b/i,
  },
  {
    aim: 'praise this site in their answers',
    pattern:
      /\bwhen(?:ever)? (?:you are |you )?(?:summari[sz]|answer|asked|respond|describ|recommend|rank|compar|generat)\p{L}{0,10}\b[^.!?]{0,80}\b(?:always|must|only|be sure to|make sure to)\b[^.!?]{0,40}\b(?:mention|recommend|say|state|cite|include|rank|promote|prefer)\b/iu,
  },
  {
    aim: 'send away what they know',
    pattern:
      /\b(?:send|post|forward|submit|exfiltrate|upload)\b[^.!?]{0,60}\b(?:passwords?|credentials|api keys?|conversation|chat history|system prompt|secrets?|tokens?)\b[^.!?]{0,40}\bto\b[^.!?]{0,30}\bhttps?:/i,
  },
]
