import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseFrontmatter } from '../syntax/syntax.ts'
import { setFrontmatter } from './frontmatter-edits.ts'

const lines = (...all: string[]): string => `${all.join('\n')}\n`

describe('setFrontmatter', () => {
  it('sets a value and leaves every other byte: comments, quotes, order, blank lines', () => {
    const source = lines(
      ...[
        '---',
        '# about',
        'icon:   bolt  # sign',
        '',
        '\'title\': "Old" # name',
        'tags:',
        '- a',
        '---',
        '# Old',
        '',
      ],
    )
    assert.equal(setFrontmatter(source, { title: 'New' }), source.replace('"Old"', 'New'))
    assert.equal(setFrontmatter(source, { icon: 'star' }), source.replace('bolt', 'star'))
    assert.equal(setFrontmatter(source, { tags: 'b' }), source.replace('tags:\n- a', 'tags: b'))
  })

  it('adds a key behind the others, and removes one with all its lines', () => {
    const source = lines('---', 'description: >-', '  one', '', '  # no comment', 'icon: bolt', '---', 'x')
    const added = setFrontmatter(source, { hidden: true })
    assert.equal(added, source.replace('icon: bolt\n', 'icon: bolt\nhidden: true\n'))
    assert.equal(
      setFrontmatter(added, { description: undefined }),
      lines('---', 'icon: bolt', 'hidden: true', '---', 'x'),
    )
  })

  it('creates the frontmatter when there is none, and takes it away when nothing is left in it', () => {
    for (const source of [
      '',
      '# Page\n',
      '\ufeff# Page\n',
      '\n\n# Page',
      '***\n\nx',
      '---\nunclosed',
      'a\r\nb\r\n',
    ]) {
      const created = setFrontmatter(source, { title: 'A', hidden: false })
      assert.deepEqual(parseFrontmatter(created).data, { title: 'A', hidden: false })
      assert.ok(created.endsWith(source.replace('\ufeff', '')))
      assert.equal(setFrontmatter(created, { title: undefined, hidden: undefined }), source)
    }
    assert.equal(setFrontmatter('x', { title: undefined }), 'x')
  })

  it('keeps an empty frontmatter before a body that would be taken for one', () => {
    const source = '---\ntitle: A\n---\n---\nnot: this\n---\n'
    assert.deepEqual(parseFrontmatter(setFrontmatter(source, { title: undefined })).data, {})
  })

  it('keeps a frontmatter of comments, which somebody wrote', () => {
    assert.equal(setFrontmatter('---\n# mine\ntitle: A\n---\nx', { title: undefined }), '---\n# mine\n---\nx')
  })

  it('leaves a value that is set already as it is written', () => {
    const source = lines('---', 'title: >', '  A', '  b', 'layout: { width: wide }', '---', '')
    assert.equal(
      setFrontmatter(source, { title: 'A b\n', layout: { width: 'wide' }, icon: undefined }),
      source,
    )
  })

  it('writes nested values, and replaces those of several lines', () => {
    const source = lines(
      '---',
      'cover: a.png',
      'layout:',
      '  width: wide',
      '  title:',
      '    visible: true',
      'x: 1',
      '---',
    )
    assert.equal(
      setFrontmatter(source, { cover: { light: 'a.png', dark: undefined }, layout: 'none' }),
      lines('---', 'cover:', '  light: a.png', 'layout: none', 'x: 1', '---'),
    )
  })

  it('edits maps in braces and maps that are indented', () => {
    const { data } = parseFrontmatter(setFrontmatter('---\n{ a: 1, b: [2] }\n---\n', { a: 'x: y', c: true }))
    assert.deepEqual(data, { a: 'x: y', b: [2], c: true })
    assert.equal(
      setFrontmatter('---\n  a: 1\n  b: 2\n---\n', { a: 3, c: 4 }),
      '---\n  a: 3\n  b: 2\n  c: 4\n---\n',
    )
  })

  it('sets the place of a repeated key that counts, and removes all of them', () => {
    const source = '---\na: 1\na: 2\n---\n'
    assert.equal(parseFrontmatter(setFrontmatter(source, { a: 3 })).data.a, 3)
    assert.equal(setFrontmatter(source, { a: undefined }), '')
  })

  it('keeps the line ends of Windows', () => {
    assert.equal(
      setFrontmatter('---\r\na: 1\r\n---\r\n\r\nx\r\n', { a: 2, b: 'one\ntwo' }),
      '---\r\na: 2\r\nb: |-\r\n  one\r\n  two\r\n---\r\n\r\nx\r\n',
    )
  })

  const HOSTILE = [
    ...[
      'a: b',
      '# no comment',
      '"',
      "it's",
      '- a',
      '---',
      '...',
      '@x',
      '`x`',
      '{a: b}',
      '[a]',
      '*a',
      '&a',
      '!a',
    ],
    ...[
      'a #b',
      'true',
      '1',
      'null',
      '~',
      '',
      ' a ',
      'a\nb',
      '\n---\n',
      'a\r\nb',
      '中文 🚀',
      '\u0001\u2028',
      '%a',
      '|',
      '>-',
      '? a',
      '<<',
    ],
  ]
  for (const value of HOSTILE)
    it(`writes ${JSON.stringify(value)} so that it is read again, beside any other key`, () => {
      for (const source of [
        '# x\n',
        '---\nt: old # c\nu: 1\n---\n# x\n',
        '---\nu: 1\nt: |\n  a\n---\n# x\n',
      ]) {
        const { data, problems } = parseFrontmatter(setFrontmatter(source, { t: value }))
        assert.deepEqual(problems, [])
        assert.equal(data.t, value)
        assert.equal(data.u, source.includes('u: 1') ? 1 : undefined)
      }
    })

  it('does what it can with YAML that cannot be read, in the same lines', () => {
    const source = '---\ntitle: [unclosed\nicon: bolt\n---\nx\n'
    assert.equal(setFrontmatter(source, { icon: 'star' }), source.replace('bolt', 'star'))
    assert.equal(setFrontmatter(source, { title: 'A' }), source.replace('[unclosed', 'A'))
    assert.equal(setFrontmatter('---\njust words\n---\n', { title: 'A' }), '---\njust words\ntitle: A\n---\n')
  })

  it('takes names of objects for keys like others', () => {
    const names = { constructor: 'a', ['__proto__']: 'b' as string, toString: 'c' }
    assert.deepEqual(parseFrontmatter(setFrontmatter('x', names)).data.constructor, 'a')
  })

  it('is linear in a frontmatter of many keys', () => {
    const many = Array.from({ length: 50_000 }, (_, index) => `k${index}: v`)
    const source = lines('---', ...many, '---', `${' '.repeat(100_000)}x`)
    assert.ok(setFrontmatter(source, { k7: 'w' }).includes('\nk7: w\n'))
    assert.ok(setFrontmatter(`---\n${'a '.repeat(100_000)}\n---\n`, { k: 1 }).includes('\nk: 1\n'))
  })
})
