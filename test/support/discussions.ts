// Discussions for a test: a new space, or a new change request of one, and what people do there. What is promised of
// comments is promised of both.
import assert from 'node:assert/strict'
import { spaceWith } from './pages.ts'
import type { Call, PersonName, Reply, World } from './world.ts'

/** Two pages: one with paragraphs and a table, one with a paragraph. */
const FILES = {
  'README.md': `# Start

The first paragraph.

The second paragraph.

| Name | Meaning |
| --- | --- |
| one | the first |
| two | the second |
`,
  'other.md': '# Other\n\nSomething else.\n',
}

export type Item = { id: string; [field: string]: unknown }

export type Somewhere = {
  /** Below `/v1`. */
  readonly path: string
  readonly spaceId: string
  readonly changeRequest: { id: string; revision: string } | undefined
  /** The head of what is discussed. */
  readonly revision: string
}

export async function onSpace(w: World): Promise<Somewhere> {
  const spaceId = await spaceWith(w, FILES)
  const { body } = await w.call('GET', `/spaces/${spaceId}`)
  return { path: `/spaces/${spaceId}`, spaceId, changeRequest: undefined, revision: body.revision }
}

export async function onChangeRequest(w: World): Promise<Somewhere> {
  const spaceId = await spaceWith(w, FILES)
  const { body } = await w.call('POST', `/spaces/${spaceId}/change-requests`)
  const path = `/spaces/${spaceId}/change-requests/${body.id}`
  return { path, spaceId, changeRequest: body, revision: body.revision }
}

/** The two kinds of discussion, each with how to begin a new one. */
export const DISCUSSIONS = [
  ['a space', onSpace],
  ['a change request', onChangeRequest],
] as const

export const markdown = (text: string) => ({ markdown: text })

export const bodies = (list: Reply): string[] =>
  list.body.items.map((item: { body: { markdown: string } }) => item.body.markdown)

export const messageOf = (reply: Reply): string => reply.body.error.message

/** What people do, in the words of the tests. */
export function talkIn(w: World) {
  const say = (at: Somewhere, text: string, call: Call & { on?: object } = {}): Promise<Reply> =>
    w.call('POST', `${at.path}/comments`, { ...call, body: { body: markdown(text), ...call.on } })
  return {
    say,
    /** The id of the comment or reply. */
    async said(at: Somewhere, text: string, as: PersonName = 'admin'): Promise<string> {
      const { status, body, text: answer } = await say(at, text, { as })
      assert.equal(status, 200, answer)
      return body.id
    },
    put: (path: string, body: object, as: PersonName = 'admin') => w.call('PUT', path, { as, body }),
    /** The blocks of a page as a client finds them: of each type the first one. */
    async blocksOf(at: Somewhere, place = 0): Promise<{ page: string; keys: Record<string, string> }> {
      const { body } = await w.call('GET', `${at.path}/content/pages`)
      const page = body.pages[place].id
      const read = await w.call('GET', `${at.path}/content/page/${page}?format=document`)
      const keys = read.body.document.nodes.map((node: { type: string; key: string }) => [
        node.type,
        node.key,
      ])
      return { page, keys: Object.fromEntries(keys.reverse()) }
    },
    /** All items of a list, page by page. */
    async walk(path: string, limit: number): Promise<Item[]> {
      const items: Item[] = []
      for (let page: string | undefined = ''; page !== undefined; ) {
        const more: string = page === '' ? '' : `&page=${page}`
        const { body } = await w.call('GET', `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${more}`)
        items.push(...body.items)
        page = body.next?.page
      }
      return items
    },
    async eventsOf(at: Somewhere): Promise<{ type: string; actor: string | null; payload: unknown }[]> {
      const rows = await w.services.db
        .selectFrom('events')
        .selectAll()
        .where('space_id', '=', at.spaceId)
        .where('type', 'like', 'comment%')
        .orderBy('occurred_at')
        .orderBy('id')
        .execute()
      return rows.map(({ type, actor_id, payload }) => ({ type, actor: actor_id, payload }))
    },
  }
}
