import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../../test/support/growth.ts'
import { parseMarkdown } from '../syntax/syntax.ts'
import { textProblems } from './problems.ts'

/** Each with the words of the source that it marks. */
const problemsOf = (source: string) =>
  textProblems(parseMarkdown(source)).map(({ code, about, position }) => [
    code,
    about,
    source.slice(position.start, position.end),
  ])

test('a tag that GitBook does not have, or without its partner, is marked where it is', () => {
  assert.deepEqual(problemsOf('---\ntitle: A\n---\n\nWords {% hin %} on.\n'), [
    ['unknown_tag', 'hin', '{% hin %}'],
  ])
  assert.deepEqual(problemsOf('\ufeff{% hint style="info" %}\nWords.\n'), [
    ['lone_tag', '{% hint %}', '{% hint style="info" %}'],
  ])
  assert.deepEqual(problemsOf('* {% endtabs %}\n'), [['lone_tag', '{% endtabs %}', '{% endtabs %}']])
})

test('tags that are whole, stand alone or are code are no problem', () => {
  for (const source of [
    '{% hint style="info" %}\nWords.\n{% endhint %}',
    '{% embed url="https://example.com" %}',
    'Of {% vars.product %}.',
    '`{% hint %}`',
    '```\n{% hint %}\n```',
    '<pre><code>{% hint %}</code></pre>',
    '{% if visitor.claims.plan == "pro" %}\nWords.\n{% endif %}',
    '{% @acme/block anything="1" %}',
  ])
    assert.deepEqual(problemsOf(source), [], source)
})

test('an attribute that a block does not have, and a value that it does not take, are marked', () => {
  assert.deepEqual(problemsOf('{% hint style="loud" sound="on" %}\nA\n{% endhint %}'), [
    ['unknown_value', 'loud', 'loud'],
    ['unknown_attribute', 'sound', 'on'],
  ])
  const [problem] = textProblems(parseMarkdown('{% hint style="loud" %}\nA\n{% endhint %}'))
  assert.deepEqual(problem?.allowed, ['info', 'warning', 'danger', 'success'])
  assert.deepEqual(
    problemsOf('{% columns %}\n{% column width="wide" %}\nA\n{% endcolumn %}\n{% endcolumns %}'),
    [['unknown_value', 'wide', 'wide']],
  )
  for (const source of [
    '{% hint style="" %}\nA\n{% endhint %}',
    '{% hint TYPE="Danger" %}\nA\n{% endhint %}',
    '{% code line-numbers="yes" fullWidth %}\n```\nA\n```\n{% endcode %}',
  ])
    assert.deepEqual(problemsOf(source), [], source)
})

test('a block that shows something else and does not say what is marked', () => {
  for (const [source, name] of [
    ['{% file %}', 'file'],
    ['{% file src="" %}', 'file'],
    ['{% include "" %}', 'include'],
    ['{% embed fullWidth="true" %}', 'embed'],
    ['{% openapi-operation path="/a" method="get" %}', 'openapi-operation'],
    ['{% content-ref %}\n{% endcontent-ref %}', 'content-ref'],
  ] as const)
    assert.deepEqual(
      problemsOf(source).map(problem => problem.slice(0, 2)),
      [['missing_address', name]],
      source,
    )
  for (const source of [
    '{% include "a.md" %}',
    '{% openapi-operation spec="a" path="/a" method="get" %}',
    '{% content-ref %}\n[A](a.md)\n{% endcontent-ref %}',
    '{% @acme/block %}',
  ])
    assert.deepEqual(problemsOf(source), [], source)
})

test('a picture needs a text in its place, a title or a caption, or says that it is an ornament', () => {
  assert.deepEqual(problemsOf('![](a.png) ![ ](b.png) <img src="c.png" alt="">'), [
    ['missing_alternative', 'a.png', '![](a.png)'],
    ['missing_alternative', 'b.png', '![ ](b.png)'],
    ['missing_alternative', 'c.png', '<img src="c.png" alt="">'],
  ])
  assert.deepEqual(
    problemsOf('<figure><img src="a.png" alt=""><figcaption></figcaption></figure>').map(([code]) => code),
    ['missing_alternative'],
  )
  for (const source of [
    '![A](a.png)',
    '![](a.png "A")',
    '<figure><img src="a.png" alt=""><figcaption><p>A</p></figcaption></figure>',
    '<img src="a.png" alt="" role="presentation">',
  ])
    assert.deepEqual(problemsOf(source), [], source)
})

const LINE = '{% hin %} ![](a.png) {% hint a="b" %}\n\n<figure><img src="a.png">\n\n'

test('the time for problems grows with the text', async () => {
  await assertLinear(
    'problems',
    text => textProblems(parseMarkdown(text)),
    length => LINE.repeat(Math.ceil(length / LINE.length)),
    200_000,
  )
})
