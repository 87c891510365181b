import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sections } from './parts.ts'

const brief = (source: string) =>
  sections(source).map(({ level, heading, anchor, text }) => [level, heading, anchor, text])

describe('sections', () => {
  it('are the content below each heading, without frontmatter and markup', () => {
    assert.deepEqual(
      brief(
        '---\ntitle: no\n---\nintro **bold**\n\n# One `a`\n\ntext [link](u "t")\nmore\n\n## Two\n\n![alt](i.png)',
      ),
      [
        [0, '', '', 'intro bold'],
        [1, 'One a', 'one-a', 'text link more'],
        [2, 'Two', 'two', 'alt'],
      ],
    )
  })

  it('hold tables, code, hints and tabs as text', () => {
    assert.deepEqual(
      brief(
        '|a|b|\n|-|-|\n|c|d|\n\n{% tabs %}\n{% tab title="T" %}\n```js\nlet x\n```\n{% endtab %}\n{% endtabs %}\n\n<table><tr><td>e</td><td>f<br>g</td></tr></table>',
      )[0]![3],
      'a b\nc d\nT\nlet x\ne f\ng',
    )
  })

  it('have what readers see of tags: as elements in lists, of endpoints, of schemas', () => {
    const element = (tag: string, inside: string) =>
      `<div data-gb-custom-block data-tag="${tag}" data-title="T">\n\n${inside}\n\n</div>`
    assert.equal(brief(element('tabs', element('tab', 'a')))[0]![3], 'T\na')
    assert.equal(brief(element('tab', '## H'))[0]![3], 'T')
    assert.equal(
      brief(
        '{% swagger method="get" baseUrl="https://h" path="/x" summary="Read" %}\na\n{% endswagger %}',
      )[0]![3],
      'get https://h /x Read\na',
    )
    assert.equal(brief('{% openapi-schemas spec="s" schemas="Pet, Toy" %}')[0]![3], 'Pet Toy')
  })

  it('begin inside tags too, whose own words stay with what is before', () => {
    assert.deepEqual(
      brief('{% tabs %}\n{% tab title="T" %}\na\n\n## H\n\nb\n{% endtab %}\n{% endtabs %}\n\nc'),
      [
        [0, '', '', 'T\na'],
        [2, 'H', 'h', 'b\nc'],
      ],
    )
  })

  it('leave out scripts, comments and footnote marks', () => {
    assert.equal(brief('# a\n\nx[^1] <!-- no -->\n\n<script>no()</script>\n\n[^1]: note')[0]![3], 'x\nnote')
  })

  it('lie one after the other to the end of the source', () => {
    const source = 'a\n\n# b\n\nc\n\n# d\n'
    assert.deepEqual(
      sections(source).map(({ start, end }) => source.slice(start, end)),
      ['a\n\n', '# b\n\nc\n\n', '# d\n'],
    )
  })
})
