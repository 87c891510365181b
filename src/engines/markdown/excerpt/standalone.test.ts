import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MarkdownReference } from '../page/page.ts'
import { parseMarkdown } from '../syntax/syntax.ts'
import { type StandaloneOptions, standalone } from './standalone.ts'

const read = (source: string, options: Partial<StandaloneOptions> = {}): string =>
  standalone(source, parseMarkdown(source), {
    variables: {},
    address: () => undefined,
    include: () => undefined,
    ...options,
  })

test('settings and the heading that is the title are left out, and every other byte stays', () => {
  const body = 'Words  with *odd*   spaces,\n\n    code\n\n# Another title\n\n* a list\n+ of two'
  const source = `---\ndescription: About\ncover: a.png\n---\n\n# 🚀 Setup\n\n${body}\n\n`
  assert.equal(read(source, { title: 'Setup' }), body)
  assert.equal(read(`Before\n\n# Setup\n\nAfter`, { title: 'Setup' }), 'Before\n\n\nAfter')
  assert.equal(read('# Other\n\nA\n', { title: 'Setup' }), '# Other\n\nA')
  assert.equal(read('\n\n    code at the start\n', {}), '    code at the start')
})

test('addresses are what they are said to be, each in the syntax of its place', () => {
  const address = ({ kind, destination }: MarkdownReference) =>
    destination === 'gone.md' ? null : kind === 'image' ? 'https://x/i.png' : `https://x/${destination}`
  assert.equal(
    read('[a](a.md) ![i](i.png) [b][r] [c](gone.md) <a href="d.md">d</a>\n\n[r]: r.md', { address }),
    '[a](https://x/a.md) ![i](https://x/i.png) [b][r] c <a href="https://x/d.md">d</a>\n\n[r]: https://x/r.md',
  )
})

test('included content is in its place, in lists and quotations as a part of them', () => {
  const include = (path: string) => (path === 'a.md' ? 'One\n\nTwo' : undefined)
  assert.equal(read('Before\n\n{% include "a.md" %}\n\nAfter', { include }), 'Before\n\nOne\n\nTwo\n\nAfter')
  assert.equal(read('{% include "gone.md" %}\n\nAfter', { include }), 'After')
  assert.equal(read('- first\n\n  {% include "a.md" %}\n', { include }), '- first\n\n  One\n  \n  Two')
  assert.equal(read('> {% include "a.md" %}\n', { include }), '> One\n> \n> Two')
})

test('what a tag says beside the content that takes its place follows it', () => {
  const options: Partial<StandaloneOptions> = {
    include: () => 'One',
    part: tag => (tag.name === 'openapi' ? '### GET /a\n\nTwo' : undefined),
    address: () => 'https://x/b',
  }
  assert.equal(read('{% include "a.md" %}\nWords\n{% endinclude %}', options), 'One\n\nWords')
  const part = '{% openapi src="a" path="/a" method="get" %}'
  assert.equal(
    read(`- ${part}\n  [a](a)\n\n  [b](b)\n  {% endopenapi %}`, options),
    '- ### GET /a\n  \n  Two\n  \n  [b](https://x/b)',
  )
  assert.equal(read(`${part}\n[a](a)\n{% endopenapi %}`, options), '### GET /a\n\nTwo')
})

test('variables are their values as words everywhere', () => {
  const variables = { version: '1.2_3_4', sign: '# a | b', html: '<b>*x*</b>', number: 3 }
  const show = (source: string) => read(source, { variables })
  assert.equal(show('Take {% vars.version %} of {% vars.number %}.'), 'Take 1.2_3_4 of 3.')
  assert.equal(show('{% vars.sign %}'), '\\# a \\| b')
  assert.equal(show('| a |\n| - |\n| {% vars.sign %} |'), '| a |\n| - |\n| # a \\| b |')
  assert.equal(show('<code class="expression">space.vars.number</code> times'), '3 times')
  assert.equal(show('Says {% vars.html %}'), 'Says \\<b>\\*x\\*\\</b>')
  assert.equal(show('<p>{% vars.html %}</p>'), '<p>&lt;b>&#42;x&#42;&lt;/b></p>')
  assert.equal(show('{{ space.vars.number }} or {{ visitor.claims.x }}'), '3 or {{ visitor.claims.x }}')
  assert.equal(show('\\{{ space.vars.number }}'), '\\{{ space.vars.number }}')
  assert.equal(show('`{% vars.number %}` stays'), '`{% vars.number %}` stays')
  assert.equal(show('No {% vars.other %}'), 'No <code>other</code>')
})
