// Words for properties: ordinary ones, and those that look like markup.
import fc from 'fast-check'

export const HOSTILE = [
  ...'*_~`[]()<>!|#>-+.:$\\&;{}%="\'/@^,？。：“'.split(''),
  ...[
    '**',
    '__',
    '~~',
    '```',
    '~~~',
    '$$',
    '[a](b)',
    '![a](b)',
    '[^1]',
    '[^1]: a',
    '[a]: b',
    '[a][b]',
    '[ ] a',
    '[x] a',
  ],
  ...[
    '<b>',
    '</b>',
    '<br>',
    '<!-- a -->',
    '<a@b.c>',
    '<https://a.b>',
    '<div',
    '<your-key>',
    '&amp;',
    '&lt;',
    '&#35;',
    '&copy',
  ],
  ...[
    '{% hint %}',
    '{% endhint %}',
    '{%',
    '%}',
    '{{ space.vars.a }}',
    '{{a}}',
    ':rocket:',
    ':x:',
    ':none:',
    '10:30:00',
  ],
  ...[
    'https://a.example',
    'www.a.example',
    'a@b.example',
    'http://',
    '# a',
    '## ',
    '> a',
    '- a',
    '* a',
    '+',
    '1. a',
    '12) a',
  ],
  ...[
    '---',
    '***',
    '===',
    '- - -',
    '| - |',
    ':-:',
    '| a | b |',
    '    a',
    '*a*',
    '_a_',
    '**a**',
    '~a~',
    '`a`',
    '$$a$$',
    'a_b_c',
  ],
  ...[
    '\\',
    '\\\\',
    '\\*',
    '\\[',
    'a\\',
    '🚀',
    '中文',
    'é',
    '\u00a0',
    '"a"',
    '#',
    ' #',
    'C#',
    '<',
    '</',
    'a <b',
    '<a href="x">',
  ],
]
export const word = fc.constantFrom('a', 'b', 'word', 'two words', '1', 'Wörter', '中文', 'x.')
/** Words with single spaces: HTML has no others. */
export const words = fc
  .array(fc.oneof({ weight: 2, arbitrary: word }, fc.constantFrom(...HOSTILE), fc.constant(' ')), {
    minLength: 1,
    maxLength: 6,
  })
  .map(parts => parts.join('').replace(/[ \t]+/g, ' '))
  .filter(text => text.trim() !== '' && text.trim() === text.replace(/^ | $/g, ''))
export const label = words.map(text => text.trim().replace(/\s+/g, ' '))

/** Words in the attributes of tags: render.test.ts names what no notation keeps apart there. */
export const attribute = label.filter(
  one => !(one.includes('"') && /\{%|%\}/.test(one)) && !(/[“”]/.test(one) && one.endsWith('=')),
)
