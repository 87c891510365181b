// Pages as people really write them, edited as two people would, merged over HTTP: every result is exact to the byte.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  changeRequestOn,
  type EditTarget,
  edit,
  idAt,
  liveAt,
  readPage,
} from '../../../test/support/edits.ts'
import { assertLiveRows } from '../../../test/support/live-rows.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'

const CORPUS = join(import.meta.dirname, '../../../../shared/corpus')
const isThere = existsSync(CORPUS)
const skip = isThere ? false : 'the corpus is not beside the project'

const UNDO = 'server-side-configurations/server-side-options/undo-and-changes-history.md'
const TRACKING = 'getting-started/tracking-message-changes.md'
const DEVELOPMENT = 'getting-started/development-applications.md'
const HYBRID = 'learn-more/extended-reading/retrieval-augment/hybrid-search.md'

const read = (path: string): string => (isThere ? readFileSync(join(CORPUS, path), 'utf8') : '')
const FILES: Readonly<Record<string, string>> = {
  'SUMMARY.md': `* [Undo](${UNDO})\n* [Tracking Message Changes](${TRACKING})\n* [Development Applications](${DEVELOPMENT})\n* [混合检索](${HYBRID})\n`,
  [UNDO]: read(`beefree-sdk-docs/${UNDO}`),
  [TRACKING]: read(`beefree-sdk-docs/${TRACKING}`),
  [DEVELOPMENT]: read(`beefree-sdk-docs/${DEVELOPMENT}`),
  [HYBRID]: read(`dify-docs-zh/${HYBRID}`),
}

const w = await world()

type Setting = {
  readonly live: EditTarget
  readonly changeRequest: EditTarget
  readonly ids: ReadonlyMap<string, string>
}

/** These pages as a space, with a change request on it. */
async function setting(): Promise<Setting> {
  const live = liveAt(await spaceWith(w, FILES))
  const ids = new Map<string, string>()
  for (const file of [UNDO, TRACKING, DEVELOPMENT, HYBRID]) {
    const slug = file.split('/').at(-1)?.replace('.md', '') as string
    ids.set(file, await idAt(w, live, slug))
  }
  return { live, changeRequest: await changeRequestOn(w, live.spaceId), ids }
}

/** `text` with each of these passages replaced, all of which have to be in it once. */
function rewritten(text: string, ...changes: readonly (readonly [string, string])[]): string {
  return changes.reduce((written, [from, to]) => {
    assert.equal(written.split(from).length, 2, `once: ${from}`)
    return written.replace(from, () => to)
  }, text)
}

const writeText = ({ ids }: Setting, at: EditTarget, file: string, markdown: string) =>
  edit(w, at, { operation: 'update_page', page: ids.get(file), document: { markdown } })
const textOf = async ({ ids }: Setting, at: EditTarget, file: string): Promise<string> =>
  (await readPage(w, at, ids.get(file) as string)).markdown
const post = async ({ path }: EditTarget, verb: 'merge' | 'update', body: object = {}) =>
  (await w.call('POST', `${path}/${verb}`, { body })).body

test('edits of different paragraphs do not conflict, and no other byte changes', {
  skip,
}, async () => {
  const at = await setting()
  const theirs = ['the last 15 edits in the timeline', 'the last 20 edits in the timeline'] as const
  const ours = ['When changes are detected, a compact', 'As soon as something changes, a compact'] as const
  const wording = ['技术原理是通过将外部知识库的文档先拆分', '其原理是将外部知识库的文档先拆分'] as const
  const tolerance = ['* 容错性（处理拼写错误、模糊的描述）', '* 容错性（处理拼写错误）\n* 语音输入'] as const
  await writeText(at, at.changeRequest, UNDO, rewritten(FILES[UNDO] as string, theirs))
  await writeText(at, at.changeRequest, HYBRID, rewritten(FILES[HYBRID] as string, wording))
  await writeText(at, at.live, UNDO, rewritten(FILES[UNDO] as string, ours))
  await writeText(at, at.live, HYBRID, rewritten(FILES[HYBRID] as string, tolerance))
  assert.equal((await post(at.changeRequest, 'merge')).result, 'merge')
  assert.equal(await textOf(at, at.live, UNDO), rewritten(FILES[UNDO] as string, theirs, ours))
  assert.equal(await textOf(at, at.live, HYBRID), rewritten(FILES[HYBRID] as string, wording, tolerance))
  await assertLiveRows(w.services, at.live.spaceId)
})

test('two people who edit one paragraph see each other’s words, and the result is what they agree on', {
  skip,
}, async () => {
  const at = await setting()
  const sentence = 'We will update this section if the number is increased.'
  const paragraph = (FILES[UNDO] as string).split('\n\n').find(one => one.includes(sentence)) as string
  const [ours, theirs] = [
    rewritten(paragraph, [sentence, 'The number is 25 since the last release.']),
    rewritten(paragraph, ['We are also doing additional testing', 'We test'], [sentence, '']),
  ]
  await writeText(at, at.changeRequest, UNDO, rewritten(FILES[UNDO] as string, [paragraph, theirs.trimEnd()]))
  await writeText(at, at.live, UNDO, rewritten(FILES[UNDO] as string, [paragraph, ours]))
  const refused = await post(at.changeRequest, 'merge')
  assert.equal(refused.result, 'conflicts')
  const [conflict] = refused.conflicts
  assert.equal(refused.conflicts.length, 1)
  assert.deepEqual([conflict.kind, conflict.page, conflict.about.title], ['block', at.ids.get(UNDO), 'Undo'])
  assert.deepEqual([conflict.base, conflict.ours, conflict.theirs], [paragraph, ours, theirs.trimEnd()])
  const agreed = 'The timeline has 25 edits since the last release.'
  const merged = await post(at.changeRequest, 'merge', {
    resolutions: [{ ...conflict, take: { markdown: agreed } }],
    compared: refused.compared,
  })
  assert.equal(merged.result, 'merge')
  assert.equal(await textOf(at, at.live, UNDO), rewritten(FILES[UNDO] as string, [paragraph, agreed]))
})

test('a section moved by one person keeps what the other writes in it', { skip }, async () => {
  const at = await setting()
  const text = FILES[DEVELOPMENT] as string
  const [from, to] = [text.indexOf('## Benefits of'), text.indexOf('## Important Considerations')]
  const section = text.slice(from, to)
  const place = text.indexOf('## How to Create')
  assert.ok(place > 0 && place < from && from < to)
  const moved = (written: string, part: string) =>
    written.slice(0, place) + part + written.slice(place, from) + written.slice(to)
  const word = [
    'for example QA Engineers, frontend developers',
    'for example testers, frontend developers',
  ] as const
  await writeText(at, at.changeRequest, DEVELOPMENT, moved(text, section))
  await writeText(at, at.live, DEVELOPMENT, rewritten(text, word))
  assert.equal((await post(at.changeRequest, 'merge')).result, 'merge')
  assert.equal(await textOf(at, at.live, DEVELOPMENT), moved(text, rewritten(section, word)))
})

test('a page that one person renames and moves is still where the links lead that the other writes', {
  skip,
}, async () => {
  const at = await setting()
  const [page, parent] = [at.ids.get(TRACKING), at.ids.get(DEVELOPMENT)]
  await edit(w, at.changeRequest, {
    operation: 'update_page',
    page,
    title: 'Follow Changes',
    slug: 'follow-changes',
    into: parent,
  })
  const sentence = ['available at the application level', 'available for every application'] as const
  await writeText(at, at.live, UNDO, rewritten(FILES[UNDO] as string, sentence))
  const link = 'See also [how changes are told](tracking-message-changes.md#overview).\n'
  await writeText(at, at.live, DEVELOPMENT, `${FILES[DEVELOPMENT]}\n${link}`)
  assert.equal((await post(at.changeRequest, 'update')).result, 'update')
  assert.equal((await post(at.changeRequest, 'merge')).result, 'merge')

  const renamed = await readPage(w, at.live, page as string)
  assert.deepEqual(
    [renamed.title, renamed.path],
    ['Follow Changes', 'development-applications/follow-changes'],
  )
  assert.equal(
    renamed.markdown,
    (FILES[TRACKING] as string).replace('# Tracking Message Changes\n', '# Follow Changes\n'),
  )
  assert.equal(await textOf(at, at.live, UNDO), rewritten(FILES[UNDO] as string, sentence))
  assert.equal(await textOf(at, at.live, DEVELOPMENT), `${FILES[DEVELOPMENT]}\n${link}`)
  for (const [file, count] of [
    [UNDO, 3],
    [DEVELOPMENT, 1],
  ] as const) {
    const { body } = await w.call('GET', `${at.live.path}/content/page/${at.ids.get(file)}/links?limit=1000`)
    const leading = body.items.filter(
      ({ targetReference, status }: LinkItem) => status === 'ok' && targetReference.page?.id === page,
    )
    assert.equal(leading.length, count, file)
  }
  await assertLiveRows(w.services, at.live.spaceId)
})

type LinkItem = {
  readonly status: string
  readonly targetReference: { readonly page?: { readonly id: string } }
}
