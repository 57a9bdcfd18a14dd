/**
 * Inputs that try to become markup, and a strict check of the markup in a result. The engines write headings, bold
 * labels, lists and quotes; a link, a tag or a second title can only come from the caller.
 */

export const hostileTexts = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  'x](javascript:alert(1)) [y',
  '![p](http://evil.example/p.png)',
  'a\n# heading\n\n## another',
  'a\r\n\r\n---\r\n===\r\n',
  '`code` ```fence``` ~~~',
  '**bold** __bold__ *i* _i_',
  '- item',
  '1. item',
  '> quote',
  '| a | b |',
  '&lt;script&gt; &#60;b&#62;',
  '\\<b\\> \\[x\\](y)',
  '{about} {key} {main} $1',
  '\u202Eevil\u202C \u0000 \ud800',
  'مرحبا בעולם 患者 🦷👩‍⚕️',
  '$& $1 $` constructor __proto__',
  'x',
  '?!',
  'W'.repeat(200),
  'many words in a very long topic '.repeat(7).slice(0, 200),
] as const

/** Names the markup in a text that the engines never write themselves. */
export function markupIn(markdown: string): readonly string[] {
  const text = markdown.replace(/\\[!-/:-@[-`{-~]/g, '·')
  const faults: Readonly<Record<string, boolean>> = {
    tag: text.includes('<'),
    link: /[[\]]/.test(text),
    code: text.includes('`'),
    'strike or table': /[~|]/.test(text),
    entity: /&(?!(?:lt|gt|amp);)#?\w+;/.test(text),
    'rule or foreign list': /^\s*(?:===|---|\+ |\* |- - )/m.test(text),
    'more or less than one title': (text.match(/^# /gm) ?? []).length !== 1,
    'open bold': (text.match(/\*\*/g) ?? []).length % 2 === 1 || /(?<!\*)\*(?!\*)/.test(text),
    'control character': /[^\P{Cc}\n]|[\u202a-\u202e]/u.test(markdown) || !markdown.isWellFormed(),
  }
  return Object.keys(faults).filter((name) => faults[name])
}
