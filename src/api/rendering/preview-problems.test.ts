import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeRequestOn, edit, idAt, liveAt } from '../../../test/support/edits.ts'
import { PIXEL, spaceWith } from '../../../test/support/pages.ts'
import { type Call, world } from '../../../test/support/world.ts'

const w = await world()

const FILES = {
  'SUMMARY.md':
    '* [Start](README.md)\n* [Setup](guides/setup.md)\n* [Deeper](guides/deeper.md)\n* [Both](both.md)\n',
  'README.md': '# Start\n\nWords.\n',
  'guides/setup.md': '# Setup\n\nWords.\n',
  'guides/deeper.md': '# Deeper\n\n## Über alles\n\nWords.\n',
  'both.md': '# Both\n\n{% include ".gitbook/includes/note.md" %}\n',
  '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\n## Noted\n\n[gone](gone.md)\n',
  '.gitbook/assets/dot.png': PIXEL,
}
const space = await spaceWith(w, FILES)
const setup = await idAt(w, liveAt(space), 'setup')

type Problem = {
  code: string
  about: string
  allowed?: string[]
  line: number
  column: number
  start: number
  end: number
}

async function previewed(markdown: string, call: Call = {}, path = `/spaces/${space}/content`) {
  const { status, body } = await w.call('POST', `${path}/preview`, {
    ...call,
    body: { markdown, page: setup },
  })
  assert.equal(status, 200, JSON.stringify(body))
  return body as {
    html: string
    problems: Problem[]
    moreProblems: number
    blocks: { key: string; line: number }[]
  }
}

/** Each with the words that it marks. */
const problemsOf = async (markdown: string, call: Call = {}, path?: string) =>
  (await previewed(markdown, call, path)).problems.map(({ code, about, start, end }) => [
    code,
    about,
    markdown.slice(start, end),
  ])

test('what leads nowhere is named where it is written', async () => {
  assert.deepEqual(
    await problemsOf(
      [
        'A [link](gone.md), a [file](../.gitbook/assets/gone.pdf), [here](#nowhere), [there](deeper.md#nowhere).',
        '![Alt](../.gitbook/assets/gone.png) ![Alt](deeper.md)',
        '{% include "../.gitbook/includes/gone.md" %}',
        '[x](javascript:alert(1)) and [y](gopher://a.example)',
        '{% openapi-operation spec="nothing" method="get" path="/a" %}\n[nothing](https://a.example)\n{% endopenapi-operation %}',
        '[ok](deeper.md) [ok](deeper.md#ueber-alles) [ok](deeper.md#%C3%9Cber-alles) [ok](#top) [ok](#own)',
        '[ok](../both.md#noted) [ok](../.gitbook/assets/dot.png) ![ok](../.gitbook/assets/dot.png)',
        '## Own',
      ].join('\n\n'),
    ).then(found => found.filter(([, about]) => about !== 'deeper.md#ueber-alles')),
    [
      ['broken_link', 'gone.md', '[link](gone.md)'],
      ['broken_link', '../.gitbook/assets/gone.pdf', '[file](../.gitbook/assets/gone.pdf)'],
      ['missing_place', '#nowhere', '[here](#nowhere)'],
      ['missing_place', 'deeper.md#nowhere', '[there](deeper.md#nowhere)'],
      ['missing_image', '../.gitbook/assets/gone.png', '![Alt](../.gitbook/assets/gone.png)'],
      ['missing_image', 'deeper.md', '![Alt](deeper.md)'],
      ['missing_content', '../.gitbook/includes/gone.md', '{% include "../.gitbook/includes/gone.md" %}'],
      ['refused_link', 'javascript:alert(1)', '[x](javascript:alert(1))'],
      ['refused_link', 'gopher://a.example', '[y](gopher://a.example)'],
      ['missing_specification', 'nothing', '{% openapi-operation spec="nothing" method="get" path="/a" %}'],
    ],
  )
})

test('what an editor names by its id is there, and an id of nothing leads nowhere', async () => {
  const { people } = w
  assert.deepEqual(
    await problemsOf(
      `[a](/pages/${setup}) [@b](/users/${people.admin.id}) [c](/pages/nothing) [@d](/users/nothing)`,
    ),
    [
      ['broken_link', '/pages/nothing', '[c](/pages/nothing)'],
      ['broken_link', '/users/nothing', '[@d](/users/nothing)'],
    ],
  )
})

test('positions count the frontmatter, whatever ends its lines', async () => {
  const head = ['---', 'description: >-', '  Words.', '---', '', '# Setup', '', 'Ä 😀 '].join('\r\n')
  const markdown = `${head}[link](gone.md)\r\n\r\n{% hint style="loud" %}\r\nA\r\n{% endhint %}\r\n`
  const { problems } = await previewed(markdown)
  assert.deepEqual(
    problems.map(({ code, line, column, start, end }) => [code, line, column, markdown.slice(start, end)]),
    [
      ['broken_link', 8, 6, '[link](gone.md)'],
      ['unknown_value', 10, 16, 'loud'],
    ],
  )
  assert.deepEqual(problems[1]?.allowed, ['info', 'warning', 'danger', 'success'])
})

test('a problem ends in the line that it begins in', async () => {
  assert.deepEqual(await problemsOf('{% nothing %}\nA\n{% endnothing %}\n'), [
    ['unknown_tag', 'nothing', '{% nothing %}'],
  ])
})

test('each block says the line that it begins in', async () => {
  const { html, blocks } = await previewed('---\ndescription: A\n---\n\nOne\nline.\n\n* Two\n\n## Three\n')
  const keys = [...html.matchAll(/data-block="([^"]*)"/g)].map(([, key]) => key)
  assert.deepEqual(
    blocks.filter(({ key }) => keys.includes(key)).map(({ line }) => line),
    [5, 8, 10],
  )
})

test('a problem of an included text is none of the page', async () => {
  assert.deepEqual(await problemsOf('{% include "../.gitbook/includes/note.md" %}\n'), [])
})

test('a page of another space that the caller may not see is reported like one that does not exist', async () => {
  const hidden = await spaceWith(w, FILES)
  await w.call('PATCH', `/spaces/${hidden}`, { body: { defaultLevel: null } })
  const reader = { as: 'read' } as const
  assert.equal((await w.call('GET', `/spaces/${hidden}`, reader)).status, 404)
  const to = async (id: string, call: Call = {}) => {
    const address = w.services.urls.root(`/s/${id}/deeper`)
    const { problems } = await previewed(`[a](${address})`, call)
    return problems.map(({ code, message, about }: Problem & { message?: string }) =>
      JSON.stringify([code, message, about]).replaceAll(id, 'id'),
    )
  }
  assert.deepEqual(await to(hidden), [])
  const [unseen = ''] = await to(hidden, reader)
  assert.match(unseen, /broken_link/)
  assert.deepEqual(await to('nosuchspace', reader), [unseen])
})

test('in a change request links are judged by its content', async () => {
  const at = await changeRequestOn(w, space)
  await edit(w, at, {
    operation: 'insert_page',
    ...{ title: 'New', slug: 'new', document: { markdown: '# New\n\n## Part\n\nWords.\n' } },
  })
  const markdown = '[a](../new.md) [b](../new.md#part) [c](../new.md#gone)'
  assert.deepEqual(await problemsOf(markdown, {}, `${at.path}/content`), [
    ['missing_place', '../new.md#gone', '[c](../new.md#gone)'],
  ])
  assert.deepEqual(
    (await problemsOf(markdown)).map(([code]) => code),
    ['broken_link', 'broken_link', 'broken_link'],
  )
})

test('of many problems the first are listed, and how many more there are', async () => {
  const { problems, moreProblems } = await previewed(
    '[a](gone.md) ![](../.gitbook/assets/dot.png)\n\n'.repeat(300),
  )
  assert.deepEqual([problems.length, problems.length + moreProblems], [200, 600])
  assert.deepEqual(
    problems.slice(0, 2).map(({ code }) => code),
    ['broken_link', 'missing_alternative'],
  )
})

test('blocks of a rich document have no problems of a text', async () => {
  const { body } = await w.call('POST', `/spaces/${space}/content/preview`, { body: { nodes: [] } })
  assert.deepEqual([body.problems, body.moreProblems], [[], 0])
})
