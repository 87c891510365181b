import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { titleOf } from '../page/page.ts'
import { parseMarkdown } from '../syntax/syntax.ts'
import { retitle } from './retitle.ts'

describe('retitle', () => {
  it('renames the heading that says the title, and touches nothing else', () => {
    const source = '---\ntitle: Setup\n---\n\n# Setup\n\nSetup is here.  \n\n# Setup\n'
    assert.equal(
      retitle(source, 'Setup', 'Start'),
      '---\ntitle: Setup\n---\n\n# Start\n\nSetup is here.  \n\n# Setup\n',
    )
  })

  it('leaves a text alone that has no such heading', () => {
    for (const source of ['', 'Setup', '## Setup', '# Other\n\n# Setup', '```\n# Setup\n```'])
      assert.equal(retitle(source, 'Setup', 'Start'), source)
  })

  it('compares words: not markup, white space or an emoji before them', () => {
    assert.equal(retitle('# The  *Set*`up`', 'The Setup', 'Start'), '# Start')
    assert.equal(retitle('# 🚀 Setup', 'Setup', 'Start'), '# 🚀 Start')
    assert.equal(retitle('# 🚀 Setup', 'Setup', '🔥 Start'), '# 🔥 Start')
  })

  it('keeps an anchor behind the words, a closing, an underline and line ends', () => {
    assert.equal(
      retitle('# Setup <a href="#s" id="s"></a>\r\n\r\nx', 'Setup', 'Start'),
      '# Start <a href="#s" id="s"></a>\r\n\r\nx',
    )
    assert.equal(retitle('# Setup ##\n', 'Setup', 'Start'), '# Start ##\n')
    assert.equal(retitle('Setup\n=====\n', 'Setup', 'Start'), 'Start\n=====\n')
    assert.equal(retitle('\ufeff# Setup\n', 'Setup', 'Start'), '\ufeff# Start\n')
  })

  it('gives a heading without words its words', () => {
    assert.equal(retitle('#\n', '', 'Start'), '# Start\n')
  })

  it('writes a title of several lines in one, and none for a title of nothing', () => {
    assert.equal(retitle('# Setup', 'Setup', 'A\r\n\r\nB\tC'), '# A B C')
    assert.equal(retitle('# Setup', 'Setup', ' \n '), '# Setup')
  })

  const HOSTILE = [
    ...[
      '*a* _b_ `c` ~d~',
      '[a](b) ![c](d) [^1]',
      '<b>x</b> <!-- y -->',
      'R&amp;D &copy;',
      'a \\ b\\',
      'C #',
      '# a',
    ],
    ...[
      '- a',
      '1. a',
      '> a',
      '---',
      '===',
      '{% hint %} x {% endhint %}',
      '$$a$$',
      'a | b',
      'Ünïcödé 中文 🚀 x',
    ],
    ...['https://example.com', 'a@example.com', ':rocket: x', '"q" \'r\': s', '\ud800 x', '\u0001\u0000a'],
  ]
  for (const title of HOSTILE)
    it(`writes the words of ${JSON.stringify(title)} as words`, () => {
      const words = title.toWellFormed().replace(/[\x00-\x08]/g, '')
      for (const source of ['# Setup\n\ntext\n', 'Setup\n===\n\ntext\n']) {
        const renamed = retitle(source, 'Setup', title)
        assert.ok(titleOf(parseMarkdown(renamed), words), renamed)
        assert.ok(renamed.endsWith('\n\ntext\n'))
      }
    })
})
