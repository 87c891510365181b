import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  FRONTMATTER_CHARACTERS_MAX,
  FRONTMATTER_MARKS_MAX,
  frontmatterRange,
  parseFrontmatter,
} from './frontmatter.ts'
import { parseMarkdown } from './parse.ts'

const codes = (source: string) => parseFrontmatter(source).problems.map(({ code }) => code)

describe('frontmatter', () => {
  it('is read once for texts that begin alike', () => {
    const of = (body: string) => parseFrontmatter(`---\ntitle: One\nvars: [1]\n---\n${body}`)
    assert.equal(of('a').data, of('b').data)
    assert.notEqual(parseFrontmatter('---\ntitle: Two\n---\n').data, of('a').data)
  })

  it('is the YAML between the first line and the next of three dashes', () => {
    for (const source of [
      '---\ntitle: A\n---\nbody',
      '\ufeff---  \r\ntitle: A\r\n---\r\nbody',
      '---\ntitle: A\n--- \nbody',
    ]) {
      const { data, problems, bodyStart } = parseFrontmatter(source)
      assert.deepEqual(data, { title: 'A' })
      assert.deepEqual(problems, [])
      assert.equal(source.slice(bodyStart), 'body')
    }
  })

  it('is absent where it does not begin the file or never ends', () => {
    for (const source of ['', '\n---\na: 1\n---\n', '----\na: 1\n----', '---\na: 1\n', '--- a\n---\n'])
      assert.deepEqual(parseFrontmatter(source), { data: {}, problems: [], bodyStart: 0 })
  })

  it('ends where the parser of the page ends it', () => {
    const lines = fc.constantFrom('---', '--- ', 'a: 1', '', '----', ' ---', '# b', '...')
    fc.assert(
      fc.property(fc.array(lines, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), (all, end) => {
        const source = ['---', ...all].join(end)
        const first = parseMarkdown(source).children[0]
        const expected = first?.type === 'yaml' ? first.position.end : 0
        assert.equal(
          source.slice(0, parseFrontmatter(source).bodyStart).trimEnd(),
          source.slice(0, expected).trimEnd(),
        )
      }),
    )
  })

  it('that cannot be read is a problem with its line, and no data', () => {
    const { data, problems } = parseFrontmatter('---\ntitle: a\ndescription: b: c\n---\n')
    assert.deepEqual(data, {})
    assert.deepEqual(
      problems.map(({ code, line }) => [code, line]),
      [['yaml_invalid', 3]],
    )
  })

  it('with a key twice keeps the last value and reports a problem', () => {
    const { data, problems } = parseFrontmatter('---\na: 1\nb: 2\na: 3\n---\n')
    assert.deepEqual(data, { a: 3, b: 2 })
    assert.deepEqual(
      problems.map(({ code, line }) => [code, line]),
      [['yaml_duplicate_key', 4]],
    )
  })

  it('that is no map, too long, too deep or a bomb is refused', () => {
    assert.deepEqual(codes('---\n- a\n---\n'), ['frontmatter_not_a_map'])
    assert.deepEqual(codes(`---\na: ${'x'.repeat(FRONTMATTER_CHARACTERS_MAX)}\n---\n`), ['yaml_too_large'])
    assert.deepEqual(codes(`---\na: [${'a,'.repeat(FRONTMATTER_MARKS_MAX)}]\n---\n`), ['yaml_too_large'])
    assert.deepEqual(codes(`---\na: ${'x '.repeat(FRONTMATTER_MARKS_MAX)}\n---\n`), [])
    assert.deepEqual(codes(`---\na: ${'['.repeat(101)}${']'.repeat(101)}\n---\n`), ['yaml_too_deep'])
    const bomb = [
      'a0: &a0 [x]',
      ...Array.from({ length: 12 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n}, `.repeat(8)}]`),
    ]
    assert.deepEqual(codes(`---\n${bomb.slice(0, 11).join('\n')}\n---\n`), ['yaml_refused'])
    assert.deepEqual(codes(`---\na: &x 1\nb: [${'*x, '.repeat(101)}]\n---\n`), ['yaml_too_many_aliases'])
  })

  it('sets own keys only', () => {
    const { data } = parseFrontmatter('---\n__proto__: { hidden: true }\n---\n')
    assert.equal('hidden' in data, false)
  })

  it('never throws', () => {
    const yaml = fc.array(
      fc.constantFrom(
        'a: ',
        '- ',
        '[',
        '{',
        '"',
        "'",
        '&x ',
        '*x ',
        '|',
        '>',
        '!!',
        '%',
        '#',
        '\n',
        ' ',
        '\t',
        'é',
        ': ',
        '? ',
        '---',
        '\0',
      ),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(yaml, pieces => void parseFrontmatter(`---\n${pieces.join('')}\n---\n`)),
      { numRuns: 500 },
    )
  })
})

describe('the place of a value', () => {
  it('is where it can be replaced byte by byte, whatever its quotes', () => {
    for (const written of ['a/b.png', '"a/b.png"', "'a/b.png'"]) {
      const source = `\ufeff---\r\ntitle: é\r\ncover: ${written} # c\r\n---\r\n`
      const range = frontmatterRange(source, 'cover')!
      assert.equal(source.slice(range.start, range.end), 'a/b.png')
    }
  })

  it('is unknown where the value is folded, escaped or absent', () => {
    assert.equal(frontmatterRange('---\ncover: >-\n  a\n  b\n---\n', 'cover'), undefined)
    assert.equal(frontmatterRange('---\ncover: "a\\u0041"\n---\n', 'cover'), undefined)
    assert.equal(frontmatterRange('---\na: 1\n---\n', 'cover'), undefined)
  })
})
