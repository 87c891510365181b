import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { childrenOf, type Node } from './ast.ts'
import { PARSED_CHARACTERS_MAX, parseMarkdown } from './parse.ts'

/** A tree in one line: `tag:hint(style=info)[paragraph["text"]]`. */
function show(node: Node): string {
  const inner = childrenOf(node).map(show).join(' ')
  const nest = inner === '' ? '' : `[${inner}]`
  switch (node.type) {
    case 'text':
    case 'html':
      return node.type === 'text' ? JSON.stringify(node.value) : `${node.kind}:${node.value}`
    case 'code':
    case 'inlineCode':
    case 'math':
    case 'inlineMath':
    case 'yaml':
      return `${node.type}:${JSON.stringify(node.value)}`
    case 'tag':
      return `tag:${node.name}${pairs(node.attributes)}${node.isClosed ? '' : '!'}${nest}`
    case 'element':
      return `<${node.name}>${pairs(node.attributes)}${nest}`
    case 'link':
    case 'image':
      return `${node.type}(${node.url})${nest}`
    default:
      return `${node.type}${nest}`
  }
}

const pairs = (attributes: Readonly<Record<string, string | boolean>>): string => {
  const entries = Object.entries(attributes)
  return entries.length === 0 ? '' : `(${entries.map(([key, value]) => `${key}=${value}`).join(' ')})`
}

const read = (source: string): string => parseMarkdown(source).children.map(show).join(' ')

describe('tags', () => {
  it('hold what is between them and their end, with its Markdown', () => {
    assert.equal(
      read('{% hint style="info" %}\nSome **bold** text.\n\n* a\n{% endhint %}\n'),
      'tag:hint(style=info)[paragraph["Some " strong["bold"] " text."] list[listItem[paragraph["a"]]]]',
    )
  })

  it('nest, also inside lists and quotes', () => {
    assert.equal(
      read(
        '1. x\n\n   {% tabs %}\n   {% tab title="A" %}\n   > {% embed url="u" %}\n   {% endtab %}\n   {% endtabs %}\n',
      ),
      'list[listItem[paragraph["x"] tag:tabs[tag:tab(title=A)[blockquote[tag:embed(url=u)!]]]]]',
    )
  })

  it('may share a line with each other and with text', () => {
    assert.equal(
      read('{% tabs %}{% tab title="x" %} a **b** {% endtab %}{% endtabs %}'),
      'tag:tabs[tag:tab(title=x)[paragraph["a " strong["b"]]]]',
    )
  })

  it('end a block from the end of its last line', () => {
    assert.equal(read('{% hint %}\nlast words. {% endhint %}'), 'tag:hint[paragraph["last words. "]]')
  })

  it('without an end are text, apart from those that need none', () => {
    assert.equal(
      read('{% embed url="u" %}\n\n{% @arcade/embed flowId="f" %}\n\n{% hint %}\n\n{% endtab %}'),
      'tag:embed(url=u)! tag:@arcade/embed(flowId=f)! paragraph["{% hint %}"] paragraph["{% endtab %}"]',
    )
  })

  it('keep what is between an embed and its end as its caption', () => {
    assert.equal(
      read('{% embed url="a" %}\n\n{% embed url="b" %}\ncaption\n{% endembed %}'),
      'tag:embed(url=a)! tag:embed(url=b)[paragraph["caption"]]',
    )
  })

  it('may be in a line', () => {
    assert.equal(read('a {% vars.name %} b'), 'paragraph["a " tag:vars! " b"]')
    assert.equal(read('a {% if x %}b{% endif %}'), 'paragraph["a " tag:if(x=true)["b"]]')
  })

  it('are text in code of every kind, and where they are escaped', () => {
    assert.equal(read('```js title="{% a %}"\n{% b %}\n```'), 'code:"{% b %}"')
    assert.equal(read('`{% a %}` \\{% b %}'), 'paragraph[inlineCode:"{% a %}" " {% b %}"]')
    assert.equal(read('<pre><code>a\n  {% b %}\n</code></pre>'), '<pre>[<code>["a\\n  {% b %}\\n"]]')
    assert.equal(
      read('x <code>{% embed url="u" %}</code>'),
      'paragraph["x " <code>["{% embed url=\\"u\\" %}"]]',
    )
  })

  it('are put back into addresses, titles, frontmatter and comments', () => {
    const root = parseMarkdown('---\na: "{% x %}"\n---\n[a]({% u %} "{% t %}") <!-- {% c %} -->')
    assert.equal(
      root.children.map(show).join(' '),
      'yaml:"a: \\"{% x %}\\"" paragraph[link({% u %})["a"] " " comment:<!-- {% c %} -->]',
    )
  })

  it('read attributes with straight and curly quotes, bare keys, and `%}` between quotes', () => {
    const tag = (source: string) => {
      const [node] = parseMarkdown(source).children
      return node?.type === 'tag' ? node.attributes : undefined
    }
    assert.deepEqual(tag('{% embed url="a %} b" fullWidth %}'), { url: 'a %} b', fullWidth: true })
    assert.deepEqual(tag('{% embed a="full” b="x" %}'), { a: 'full', b: 'x' })
    assert.deepEqual(tag('{% embed title=“T” url=u %}'), { title: 'T', url: 'u' })
    assert.deepEqual(tag('{% embed title=\'a "b"\' t2="a \\"b\\"" %}'), { title: 'a "b"', t2: 'a "b"' })
    assert.deepEqual(tag('{% embed title="The “best” one" %}'), { title: 'The “best” one' })
  })

  it('keep their argument as it was written, and the ranges of values', () => {
    const source = '\ufeff> {% include "../a b.md" x="é" %}'
    const quote = parseMarkdown(source).children[0]
    const tag = quote?.type === 'blockquote' ? quote.children[0] : undefined
    assert.ok(tag?.type === 'tag')
    assert.equal(tag.argument, '"../a b.md" x="é"')
    assert.equal(source.slice(tag.ranges.x!.start, tag.ranges.x!.end), 'é')
    assert.equal(source.slice(tag.position.start, tag.position.end), source.slice(3))
  })

  it('are told from what looks like their masks', () => {
    assert.equal(
      read('{% embed url="u" %}\n\na <?\x01?> `?\x02?\x03?` {% embed url="v" %}'),
      'tag:embed(url=u)! paragraph["a " declaration:<?\x01?> " " inlineCode:"?\\u0002?\\u0003?" " " tag:embed(url=v)!]',
    )
  })

  it('are in no place of a mask that is shorter than they are, however it is written', () => {
    const source = `{% embed url="${'u'.repeat(100_000)}" %}\n\n${'\\?\x01\\? ![?*\x01*?](a) '.repeat(10_000)}`
    const [, paragraph] = parseMarkdown(source).children
    assert.ok(paragraph?.type === 'paragraph')
    assert.equal(paragraph.children.map(show).slice(0, 2).join(' '), '"?\\u0001? " image(a)')
    assert.equal(paragraph.children[1]?.type === 'image' && paragraph.children[1].alt, '?\x01?')
  })
})

describe('HTML', () => {
  it('holds Markdown between its tags where blank lines allow it', () => {
    assert.equal(
      read('<details>\n\n<summary>A <b>b</b> &amp; c</summary>\n\n**m**\n\n</details>'),
      '<details>[<summary>["A " <b>["b"] " & c"] paragraph[strong["m"]]]',
    )
  })

  it('is a tree of elements, with attributes decoded and white space between rows left out', () => {
    assert.equal(
      read(
        '<table data-view="cards">\n<tr>\n<td>a &hellip; <a HREF="x?a&amp;b">y</a></td>\n<td></td></tr>\n</table>',
      ),
      '<table>(data-view=cards)[<tr>[<td>["a … " <a>(href=x?a&b)["y"]] <td>]]',
    )
  })

  it('supplies the end tags that HTML lets people leave out', () => {
    assert.equal(
      read('<table><tr><td>a<td>b<tr><td>c</table>'),
      '<table>[<tr>[<td>["a"] <td>["b"]] <tr>[<td>["c"]]]',
    )
    assert.equal(read('<ul><li>a<li>b</ul>'), '<ul>[<li>["a"] <li>["b"]]')
  })

  it('may be in lines, around Markdown', () => {
    assert.equal(
      read('a <a href="x" class="button primary">**b**</a><br>c <i class="fa-x"></i>'),
      'paragraph["a " <a>(href=x class=button primary)[strong["b"]] <br> "c " <i>(class=fa-x)]',
    )
  })

  it('that closes nothing, or is closed by nothing, stays what it is', () => {
    assert.equal(read('use <your-name> here</b>'), 'paragraph["use " open:<your-name> " here" close:</b>]')
  })

  it('cannot tear a tag apart', () => {
    assert.equal(read('{% hint %}\n<div>\n{% endhint %}\n</div>'), 'tag:hint[open:<div>] close:</div>')
  })

  it('ends where a tag follows without a blank line', () => {
    assert.equal(
      read('{% hint %}\n<figure><img src="a"></figure>\n{% endhint %}\n**m**'),
      'tag:hint[<figure>[<img>(src=a)]] paragraph[strong["m"]]',
    )
  })

  it('gives the ranges of attributes, in quotes too', () => {
    const source = '> > <div>\r\n> > <p title="a">x\r\n> > <img src="b"></p></div>'
    let node: Node = parseMarkdown(source)
    for (const index of [0, 0, 0, 1, 1]) node = childrenOf(node)[index]!
    assert.ok(node.type === 'element' && node.name === 'img')
    assert.equal(source.slice(node.ranges.src!.start, node.ranges.src!.end), 'b')
    assert.equal(source.slice(node.position.start, node.position.end), '<img src="b">')
  })

  it('takes the first of two attributes of one name, and none from the prototype', () => {
    const [element] = parseMarkdown('<div id="a" id="b" __proto__="c"></div>').children
    assert.ok(element?.type === 'element')
    assert.deepEqual(Object.entries(element.attributes).sort(), [
      ['__proto__', 'c'],
      ['id', 'a'],
    ])
  })
})

describe('the rest', () => {
  it('reads formulas between two dollars and leaves prices alone', () => {
    assert.equal(
      read('$$a$$\n\nx $$b$$ for $5 or $6\n\n$$\nc\n$$'),
      'math:"a" paragraph["x " inlineMath:"b" " for $5 or $6"] math:"c"',
    )
  })

  it('gives reference links the address of their definition, the first of a name', () => {
    assert.equal(
      read('[a][X] ![b][x]\n\n[x]: /u\n[x]: /v').slice(0, 38),
      'paragraph[link(/u)["a"] " " image(/u)]',
    )
  })

  it('knows YAML frontmatter and no other', () => {
    assert.equal(read('+++\n*a*\n+++'), 'paragraph["+++\\n" emphasis["a"] "\\n+++"]')
    assert.equal(read('\ufeff---\na: 1\n---\n'), 'yaml:"a: 1"')
  })

  it('counts offsets in UTF-16 units of the source, byte order mark included', () => {
    const source = '\ufeff😀 **b**\r\n\r\n# é'
    const [paragraph, heading] = parseMarkdown(source).children
    assert.equal(source.slice(paragraph!.position.start, paragraph!.position.end), '😀 **b**')
    assert.equal(source.slice(heading!.position.start, heading!.position.end), '# é')
  })

  it('nests no deeper than 100 and loses no text beyond', () => {
    for (const source of [`${'> '.repeat(5000)}deep`, `${'<div>'.repeat(300)}deep${'</div>'.repeat(300)}`]) {
      let deepest = 0
      let text = ''
      const visit = (node: Node, depth: number) => {
        deepest = Math.max(deepest, depth)
        if (node.type === 'text') text += node.value
        for (const child of childrenOf(node)) visit(child, depth + 1)
      }
      visit(parseMarkdown(source), 0)
      assert.ok(deepest > 50 && deepest <= 100, String(deepest))
      assert.match(text, /deep/)
    }
  })
})

it('a page far longer than anybody writes is read to the bound, and the rest is kept as it is', () => {
  const source = '- item\n'.repeat(200_000)
  const root = parseMarkdown(source)
  const [list, rest] = root.children
  assert.deepEqual([list?.type, rest?.type, root.children.length], ['list', 'code', 2])
  assert.equal(rest?.position.end, source.length)
  assert.equal(rest?.type === 'code' && rest.value, source.slice(rest.position.start))
  assert.ok(rest.position.start <= PARSED_CHARACTERS_MAX && source[rest.position.start - 1] === '\n')
  const oneLine = `${'x'.repeat(PARSED_CHARACTERS_MAX - 1)}🚀${'y'.repeat(10)}`
  assert.equal(parseMarkdown(oneLine).children.at(-1)?.position.start, PARSED_CHARACTERS_MAX - 1)
})
