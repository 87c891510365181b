import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'

const w = await world()
const org = `/orgs/${w.organizationId}`

const HOOKS = [
  '# Webhooks',
  '',
  'A webhook is a request that we send to **your server** when something happens.',
  '',
  '## Retry policy',
  '',
  'A failed delivery is retried three times. The pause doubles after each attempt.',
  '',
  '## How to rotate the signing secret',
  '',
  'Rotate the signing secret of a webhook in these steps:',
  '',
  '1. Open the settings of the webhook.',
  '2. Choose **Rotate**, and copy the new secret.',
  '',
  '   ```sh',
  '   octopus rotate --webhook 1',
  '   ```',
  '3. Deploy your server with the new secret.',
  '',
  '## Which regions are there?',
  '',
  'Deliveries are sent from two regions, Frankfurt and Oregon, and always from the one that is nearer to your server.',
  '',
].join('\n')

const space = await spaceWith(w, {
  'SUMMARY.md': '* [Webhooks](webhooks.md)\n* [Secrets](secrets.md)\n* [设置](settings.md)\n',
  'webhooks.md': HOOKS,
  'secrets.md': '---\nnoIndex: true\n---\n\n# Secrets\n\nThe passphrase of the vault is xyzzy.\n',
  'settings.md': '# 设置\n\n## 网络\n\n在网络设置中配置代理服务器地址，然后重新启动应用。\n',
})
await w.call('PATCH', `/spaces/${space}`, { body: { defaultLevel: null } })
await w.call('PATCH', `/spaces/${space}/permissions/users/${w.people.read.id}`, { body: { role: 'read' } })

type Events = { readonly data: unknown[]; readonly last: string }
const eventsOf = (text: string): Events => {
  const frames = text.split('\n\n').filter(frame => frame !== '')
  return {
    last: frames.at(-1) ?? '',
    data: frames.slice(0, -1).map(frame => JSON.parse(frame.slice('data: '.length))),
  }
}

const ask = async (query: string, as: 'admin' | 'read' | 'edit' = 'read', more = '') =>
  (await w.call('POST', `${org}/ask${more}`, { as, body: { query } })).body
const markdown = async (query: string) => (await ask(query)).answer.answer?.markdown as string | undefined

test('an answer quotes whole sentences with their sources', async () => {
  const { answer } = await ask('How often is a failed delivery retried?')
  assert.match(answer.answer.markdown, /A failed delivery is retried three times\.\s/)
  assert.match(
    answer.answer.markdown,
    new RegExp(`\\[Webhooks › Retry policy\\]\\(http://octavo\\.test/s/${space}/webhooks#retry-policy\\)`),
  )
  const { body: head } = await w.call('GET', `/spaces/${space}`)
  const [source] = answer.sources
  assert.deepEqual(
    [source.type, source.space, source.revision, source.sections],
    ['page', space, head.revision, [`${source.page}#retry-policy`]],
  )
  const { body: found } = await w.call('GET', `/spaces/${space}/search?query=retried`)
  assert.equal(found.items[0].sections[0].id, source.sections[0])
})

test('steps stay whole, with the code in them', async () => {
  const said = await markdown('How do I rotate the signing secret?')
  assert.match(said ?? '', /1\. Open the settings.*octopus rotate --webhook 1.*3\. Deploy your server/s)
})

test('a question in Chinese is answered in Chinese', async () => {
  assert.match(
    (await markdown('如何配置代理服务器地址？')) ?? '',
    /在网络设置中配置代理服务器地址，然后重新启动应用。/,
  )
})

test('without an answer in the documentation there are no sources', async () => {
  for (const query of [
    'How do I export invoices as spreadsheets?',
    'Who founded the company?',
    '如何导出发票？',
  ]) {
    const { status, body } = await w.call('POST', `${org}/ask`, { as: 'read', body: { query } })
    assert.equal(status, 200)
    assert.deepEqual(body.answer, { followupQuestions: [], sources: [] }, query)
  }
})

test('a question without content is understood with the last one that has some', async () => {
  const asked = (query: string, ...previousQueries: string[]) =>
    w.call('POST', `${org}/ask`, { as: 'read', body: { query, previousQueries } })
  for (const query of ['And where is it?', 'What about that one?', 'And then?', '它在哪里？']) {
    const { body } = await asked(query)
    assert.deepEqual(body.answer, { followupQuestions: [], sources: [] }, query)
  }
  const { body } = await asked('And how is that done?', 'Where is the signing secret rotated?', 'Is it so?')
  assert.match(body.answer.answer.markdown, /Open the settings of the webhook/)
})

test('a question without content is answered by the section of that title', async () => {
  await spaceWith(w, {
    'product.md':
      '# Product\n\n## How it works\n\nIt works in three steps, and each of them works by itself.\n\n## Why it is fast\n\nIt is what it is.\n',
  })
  assert.match((await markdown('How does it work?')) ?? '', /works in three steps/)
})

test('an empty or too long question is refused by field', async () => {
  for (const query of ['', '   ', 'x'.repeat(513)]) {
    const { status, body } = await w.call('POST', `${org}/ask`, { as: 'read', body: { query } })
    assert.equal(status, 400)
    assert.match(body.error.message, /query/)
    const streamed = await w.call('GET', `${org}/ask/stream?query=${encodeURIComponent(query)}`, {
      as: 'read',
    })
    assert.equal(streamed.status, 400)
  }
  assert.equal((await w.call('GET', `${org}/ask/stream`, { as: 'read' })).status, 400)
})

test('no question is an error of the server', async () => {
  for (const query of [
    "'",
    ':*',
    '& | !',
    '\u0000',
    '🚀',
    "a' | 'b",
    '%',
    '???',
    'x'.repeat(500),
    'a '.repeat(250),
  ]) {
    const { status } = await w.call('POST', `${org}/ask`, { as: 'read', body: { query } })
    assert.equal(status, 200, query)
  }
})

test('the answer is a document if requested', async () => {
  const { answer } = await ask('How often is a failed delivery retried?', 'read', '?format=document')
  assert.equal(answer.answer.document.object, 'document')
  assert.match(JSON.stringify(answer.answer.document), /A failed delivery is retried three times\./)
})

test('details have the words of the question and the sections that were read', async () => {
  const plain = await ask('How often is a failed delivery retried?')
  assert.equal(plain.octavo, undefined)
  const { octavo } = await ask('How often is a failed delivery retried?', 'read', '?details=true')
  assert.equal(octavo.engine, 'quotations')
  assert.ok(octavo.terms.some(({ word }: { word: string }) => word === 'retried'))
  assert.match(octavo.passages[0].section, /#retry-policy$/)
})

test('a stream has the same content, event by event, and ends with done', async () => {
  const query = 'How often is a failed delivery retried?'
  const { text, headers } = await w.call('GET', `${org}/ask/stream?query=${encodeURIComponent(query)}`, {
    as: 'read',
  })
  assert.match(headers['content-type'] ?? '', /^text\/event-stream/)
  const { data, last } = eventsOf(text)
  assert.equal(last, 'event: done\ndata: {}')
  const { answer } = await ask(query)
  assert.deepEqual(data.at(-1), { type: 'answer', answer })
})

test('follow-up questions and suggestions come from the headings beside', async () => {
  const { answer } = await ask('How often is a failed delivery retried?')
  assert.ok(answer.followupQuestions.length > 0)
  const { body } = await w.call('GET', `${org}/ask/questions`, { as: 'read' })
  assert.equal(body.questions[0], 'Which regions are there?')
  const { text } = await w.call('GET', `${org}/ask/questions/stream`, { as: 'read' })
  assert.deepEqual(
    eventsOf(text).data,
    body.questions.map((question: string) => ({ question })),
  )
})

test('no operation reveals a page that is hidden from search', async () => {
  for (const text of await everyDoor('What is the passphrase of the vault?', 'admin'))
    assert.doesNotMatch(text, /xyzzy|Secrets/)
})

test('no operation reveals a page after access to it is removed, from the next question on', async () => {
  const secret = await spaceWith(w, {
    'plans.md': `# Plans\n\n## When is the merger with Quokka announced?\n\nThe merger with Quokka is announced in November. ${'It is a secret. '.repeat(10)}\n`,
  })
  await w.call('PATCH', `/spaces/${secret}`, { body: { defaultLevel: null } })
  const question = 'When is the merger with Quokka announced?'
  const permission = `/spaces/${secret}/permissions/users/${w.people.edit.id}`
  await w.call('PATCH', permission, { body: { role: 'read' } })
  for (const text of await everyDoor(question, 'edit')) assert.match(text, /Quokka/)
  assert.ok((await w.call('DELETE', permission)).status < 300)
  for (const text of await everyDoor(question, 'edit')) assert.doesNotMatch(text, /Quokka announced|November/)
  await w.call('PATCH', permission, { body: { role: 'read' } })
  await w.call('DELETE', `/spaces/${secret}`)
  for (const text of await everyDoor(question, 'edit')) assert.doesNotMatch(text, /Quokka announced|November/)
})

test('answers use new content at once, and removed content no longer', async () => {
  const changing = await spaceWith(w, { 'a.md': '# Zebras\n\nThe zebra sleeps at noon.\n' })
  const said = async () => (await ask('When does the zebra sleep?', 'admin')).answer.answer?.markdown ?? ''
  assert.match(await said(), /at noon/)
  await publishFiles(w, changing, { 'a.md': '# Zebras\n\nThe zebra sleeps at midnight.\n' })
  assert.match(await said(), /at midnight/)
  assert.doesNotMatch(await said(), /at noon/)
})

/** The answers of the four operations, as text. */
async function everyDoor(question: string, as: 'admin' | 'edit'): Promise<string[]> {
  const replies = await Promise.all([
    w.call('POST', `${org}/ask?details=true`, { as, body: { query: question } }),
    w.call('GET', `${org}/ask/stream?details=true&query=${encodeURIComponent(question)}`, { as }),
    w.call('GET', `${org}/ask/questions`, { as }),
    w.call('GET', `${org}/ask/questions/stream`, { as }),
  ])
  return replies.map(({ text }) => text)
}

test('an endless list crowds out neither other pages nor its own beginning', async () => {
  const w = await world()
  const item = (at: number) =>
    `* In release ${at} the numbatplan ${'was mended in a way that nobody saw. '.repeat(20)}\n`
  const list = Array.from({ length: 200 }, (_, at) => item(at)).join('')
  await spaceWith(w, {
    'SUMMARY.md': '* [Numbatplan annual price](log.md)\n* [Finance](finance.md)\n',
    'log.md': `# Numbatplan annual price\n\n* The numbatplan of wombats is free.\n${list}`,
    'finance.md': '# Finance\n\nThe annual price of the numbatplan is five dollars.\n',
  })
  const markdown = async (query: string) =>
    (await w.call('POST', `/orgs/${w.organizationId}/ask`, { body: { query } })).body.answer.answer?.markdown
  assert.match(await markdown('What is the annual price of the numbatplan?'), /five dollars/)
  assert.match(await markdown('Is the numbatplan of wombats free?'), /wombats is free/)
})
