import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toDocument } from '../document/document.ts'
import { distinctReferences, references } from './references.ts'

const brief = (source: string) =>
  references(source).map(
    ({ kind, destination, text, start, end }) =>
      `${kind} ${destination} [${text}] ${source.slice(start, end)}`,
  )

describe('references', () => {
  it('are Markdown links and pictures with the bytes of their destination', () => {
    assert.deepEqual(
      brief(
        '[**a** b](u/x.md#y "t") ![c [d] e](<f g.png> \'t\') [ h ]( i(j)k\\_l ) <https://m.n> https://o.p www.q.r\n\n> [s](t\n> "u")',
      ),
      [
        'link u/x.md#y [a b] u/x.md#y',
        'image f g.png [c [d] e] f g.png',
        'link i(j)k_l [h] i(j)k\\_l',
        'link https://m.n [https://m.n] https://m.n',
        'link https://o.p [https://o.p] https://o.p',
        'link http://www.q.r [www.q.r] www.q.r',
        'link t [s] t',
      ],
    )
  })

  it('of reference links are in the definition, and an unused definition is one too', () => {
    assert.deepEqual(brief('[a][X] ![b][x]\n\n[x]: <u v> "t"\n[y]: w'), [
      'link u v [a] u v',
      'image u v [b] u v',
      'definition w [y] w',
    ])
  })

  it('are tags: includes, files, embeds, pages, specifications', () => {
    assert.deepEqual(
      brief(
        '{% include "../.gitbook/includes/a.md" %}\n\n{% file src="b.pdf" %}\ncap\n{% endfile %}\n\n{% embed url="https://c" %}\n\n' +
          '{% content-ref url="d.md" %}\n[d.md](d.md)\n{% endcontent-ref %}\n\n{% openapi src="e.yaml" path="/x" method="get" %}\n[e.yaml](e.yaml)\n{% endopenapi %}\n\n' +
          '{% openapi-operation spec="f" path="/x" method="get" %}\n[OpenAPI f](https://f)\n{% endopenapi-operation %}\n\n{% hint url="no" %}\n{% endhint %}\n\n{% @x/y url="https://g" %}',
      ),
      [
        'include ../.gitbook/includes/a.md [] ../.gitbook/includes/a.md',
        'file b.pdf [cap] b.pdf',
        'embed https://c [] https://c',
        'content-ref d.md [d.md] d.md',
        'content-ref d.md [d.md] d.md',
        'openapi e.yaml [e.yaml] e.yaml',
        'openapi e.yaml [e.yaml] e.yaml',
        'openapi-spec f [OpenAPI f] f',
        'link https://f [OpenAPI f] https://f',
        'embed https://g [] https://g',
      ],
    )
  })

  it('have their place where an element stands for an include', () => {
    const source = '<div data-gb-custom-block data-tag="include" data-path="a.md"></div>'
    assert.deepEqual(brief(source), ['include a.md [] a.md'])
    assert.equal(references(source)[0]?.isExact, true)
  })

  it('are includes however their path is written, as they are shown', () => {
    const written = [
      '"a b.md" x="y"',
      "'a.md'",
      'a.md',
      'url="a.md"',
      'src=a.md',
      "“it's.md”",
      'x="1" url="a.md"',
      'path="a.md"',
      "file='a b.md'",
      'a.md level="2"',
      'title=\'b\' "a.md"',
      "title=b 'a.md' 'c.md'",
      'in',
      'inc',
      'd',
      'e',
      "it's-a-file's.md",
    ]
    for (const argument of written) {
      const source = `> {% include ${argument} %}`
      const [found, ...others] = references(source)
      const { nodes } = toDocument(source, {}).document
      assert.ok(found?.isExact && others.length === 0, argument)
      assert.equal(source.slice(found.start, found.end), found.destination)
      assert.ok(found.start > source.indexOf('include') + 'include'.length, argument)
      assert.match(found.destination, /^(?:(?:a|a b|it's|it's-a-file's)\.md|inc?|d|e)$/)
      assert.ok(JSON.stringify(nodes).includes(`"url":"${found.destination}"`), argument)
    }
    assert.deepEqual(references('{% include %}'), [])
  })

  it('are counted once where a card repeats its destination as a link', () => {
    const source =
      '{% content-ref url="d.md" %}\n[d.md](d.md)\n{% endcontent-ref %}\n\n[d](d.md)\n\n' +
      '{% content-ref url="e.md" %}\n[other](f.md)\n{% endcontent-ref %}\n\n' +
      '{% openapi src="g.yaml" path="/x" method="get" %}\n[g.yaml](g.yaml)\n{% endopenapi %}\n'
    assert.deepEqual(
      distinctReferences(source).map(({ kind, destination }) => `${kind} ${destination}`),
      ['content-ref d.md', 'link d.md', 'content-ref e.md', 'content-ref f.md', 'openapi g.yaml'],
    )
    const element = '<div data-gb-custom-block data-tag="content-ref" data-url="d.md">\n\n[d](d.md)\n\n</div>'
    assert.equal(distinctReferences(element).length, 1)
  })

  it('are the page references of GitBook’s older notation, alone and in pairs', () => {
    assert.deepEqual(
      brief('{% page-ref page="a.md" %}\n\n{% page-ref page="b.md" %}\n[b.md](b.md)\n{% endpage-ref %}'),
      ['content-ref a.md [] a.md', 'content-ref b.md [b.md] b.md', 'content-ref b.md [b.md] b.md'],
    )
  })

  it('are HTML: pictures, links, mentions, and cards by their columns', () => {
    assert.deepEqual(
      brief(
        '<figure><picture><source srcset="d.png" media="(prefers-color-scheme: dark)"><img src="l.png" alt="A"></picture></figure>\n\nx <a href="a.md?b&amp;c">y</a> <a href="m.md" data-mention>m</a>\n\n' +
          '<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="files"></th></tr></thead>' +
          '<tbody><tr><td><a href="t.md">t</a></td><td><a href="u.md">u</a></td><td><a href="c.png">c.png</a></td></tr></tbody></table>',
      ),
      [
        'image d.png [] d.png',
        'image l.png [A] l.png',
        'link a.md?b&c [y] a.md?b&amp;c',
        'mention m.md [m] m.md',
        'link t.md [t] t.md',
        'content-ref u.md [u] u.md',
        'image c.png [c.png] c.png',
      ],
    )
  })

  it('are mentions where readers see one', () => {
    assert.deepEqual(
      brief('<a href="m.md" data-mention>Own words</a> <a href="n.md" data-mention="false">n</a>'),
      ['link m.md [Own words] m.md', 'link n.md [n] n.md'],
    )
  })

  it('are the covers of the frontmatter', () => {
    assert.deepEqual(brief('---\ncover: "a b.png"\n---\n[x](y)'), [
      'cover a b.png [] a b.png',
      'link y [x] y',
    ])
  })

  it('know their syntax, their block, and where they cannot be told', () => {
    const source = '# a\n\nb [c](d) <img src="e">\n\n{% embed url="f" %}\n\n[x\n](\n> "'
    const found = references(source)
    assert.deepEqual(
      found.map(({ syntax }) => syntax),
      ['markdown', 'html', 'tag'],
    )
    assert.deepEqual(
      found.map(({ blockStart }) => source.slice(blockStart, blockStart + 3)),
      ['b [', 'b [', '{% '],
    )
    const [quoted] = references('> [a](\n> b)')
    assert.deepEqual([quoted?.destination, quoted?.isExact, quoted?.start, quoted?.end], ['b', false, 2, 2])
  })

  it('are tags with attributes in any case, and elements that stand for tags', () => {
    const source = [
      '{% openapi-operation SPEC="pets" path="/a" method="get" %}',
      '{% swagger Spec="toys" path="/a" method="get" %}{% endswagger %}',
      '{% page-ref url="a.md" %}',
      '<div data-gb-custom-block data-tag="content-ref" data-url="b.md">\n\n</div>',
    ].join('\n\n')
    assert.deepEqual(
      references(source).map(({ kind, destination, syntax, start, end }) => [
        kind,
        destination,
        syntax,
        source.slice(start, end),
      ]),
      [
        ['openapi-spec', 'pets', 'tag', 'pets'],
        ['openapi-spec', 'toys', 'tag', 'toys'],
        ['content-ref', 'a.md', 'tag', 'a.md'],
        ['content-ref', 'b.md', 'html', 'b.md'],
      ],
    )
  })

  it('are none in code, and none without a destination', () => {
    assert.deepEqual(brief('`[a](b)`\n\n```\n{% embed url="x" %}\n```\n\n[c]() <a href="">d</a>'), [])
  })
})
