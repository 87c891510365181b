// What the workspace is measured with: large things of every kind, and one person who is signed in to see them.
import { join } from 'node:path'
import { sql } from 'kysely'
import { beginSession } from '../../src/api/sessions/actions.ts'
import type { Services } from '../../src/http/context.ts'
import { withServices } from '../in-process.ts'
import { temporaryFolder } from '../measure.ts'
import { proseOf, writeFile, writeProject } from '../prose.ts'
import { type BenchServer, startServer } from '../server.ts'

export const FLAT_PAGES = 2_000
export const CHANGE_REQUESTS = 1_000
export const DIFF_BLOCKS = 200
export const LARGE_DIFF_BLOCKS = 5_000
export const COMMENTS = 1_000
export const REVISIONS = 1_000

/** Addresses of the workspace on a running server, and the session that may see them. */
export type Scene = {
  readonly server: BenchServer
  /** The secret of the session, which is a cookie in browsers. */
  readonly session: string
  /** Of a small space, with a little of everything. */
  readonly small: {
    readonly space: string
    readonly page: string
    readonly list: string
    readonly changeRequest: string
    readonly conflicts: string
    readonly history: string
  }
  readonly flatTree: string
  readonly longList: string
  readonly diff: string
  readonly largeDiff: string
  readonly conversation: string
  readonly margin: string
  readonly longHistory: string
}

type At = { readonly api: string; readonly web: string; readonly id: string }

export async function makeScene(): Promise<Scene> {
  const folder = temporaryFolder()
  const making = await startServer()
  const { call, organization } = making
  const { id: userId } = await call('GET', '/user')

  writeFlatProject(join(folder, 'flat'))
  const flat = await making.importFolder(join(folder, 'flat'))
  writeProject(join(folder, 'small'), 20, 4_000)
  const small = await making.importFolder(join(folder, 'small'))
  const { pages } = await call('GET', `${small}/content/pages`)
  const [page, other] = [pages[1].pages[0].id, pages[1].pages[1].id]
  const change = (path: string, id: string, markdown: string) =>
    call('POST', `${path}/content`, {
      changes: [{ operation: 'update_page', page: id, document: { markdown } }],
    })

  /** A change request of `space`, whose first page says something else. */
  async function propose(space: string, subject: string, id: string, markdown: string): Promise<At> {
    const made = await call('POST', `${space}/change-requests`, { subject })
    const api = `${space}/change-requests/${made.id}`
    await change(api, id, markdown)
    await call('PATCH', api, { status: 'open' })
    return { api, web: `/w${space.replace('/spaces/', '/s/')}/c/${made.number}`, id: made.id }
  }
  const proposed = await propose(small, 'Say it in other words', page, `${proseOf(3, 4_000)}\nOne more.\n`)
  await call('POST', `${proposed.api}/comments`, { body: { markdown: 'Is that **all** of it?' } })
  const conflicting = await propose(small, 'Say it twice', other, proseOf(4, 3_000))
  await change(small, other, proseOf(5, 3_000))
  await call('POST', `${small}/comments`, {
    body: { markdown: 'Who said so?' },
    page,
  })

  /** A page of its own space, and a change request that changes every other four of its blocks. */
  async function propositionOf(title: string, blocks: number, block: (at: number, word: string) => string) {
    const space = await call('POST', `${organization}/spaces`, { title, empty: true })
    const path = `/spaces/${space.id}`
    const textOf = (word: (at: number) => string) =>
      `# ${title}\n\n${Array.from({ length: blocks }, (_, at) => block(at, word(at))).join('\n\n')}\n`
    await call('POST', `${path}/content`, {
      changes: [{ operation: 'insert_page', document: { markdown: textOf(() => 'before') } }],
    })
    const [first] = (await call('GET', `${path}/content/pages`)).pages
    const isChanged = (at: number) => at % 8 < 4
    return propose(
      path,
      title,
      first.id,
      textOf(at => (isChanged(at) ? 'after' : 'before')),
    )
  }
  const diff = await propositionOf('Many blocks', DIFF_BLOCKS, paragraph)
  const largeDiff = await propositionOf('Very many blocks', LARGE_DIFF_BLOCKS, shortParagraph)
  const conversation = await propose(small, 'Talked about', page, proseOf(6, 4_000))
  await call('POST', `${conversation.api}/comments`, { body: { markdown: remark(0) } })
  const many = await call('POST', `${organization}/spaces`, { title: 'Many change requests', empty: true })
  await call('POST', `/spaces/${many.id}/change-requests`, { subject: 'Number 0' })
  await call('POST', `/spaces/${many.id}/change-requests`, { subject: 'Talked about' })
  const blockKeys = keysIn((await call('GET', `${small}/content/page/${other}/html`)).html)
  const inMargin = await call('POST', `${small}/comments`, {
    body: { markdown: remark(0) },
    page: other,
    node: blockKeys[0],
  })
  await making.stop()

  const session = await withServices(making.home, async services => {
    await multiplyChangeRequests(services, many.id)
    await multiplyComments(services, conversation.id)
    await multiplyMarginComments(services, inMargin.id, blockKeys)
    await multiplyRevisions(services, flat.replace('/spaces/', ''))
    return signIn(services, userId)
  })
  const server = await startServer({}, making.home)
  const smallAt = `/w${small.replace('/spaces/', '/s/')}`
  const flatAt = `/w${flat.replace('/spaces/', '/s/')}`
  return {
    ...{ server, session },
    small: {
      space: smallAt,
      page: `${smallAt}/p/${page}`,
      list: `${smallAt}/c`,
      changeRequest: proposed.web,
      conflicts: `${conflicting.web}/conflicts`,
      history: `${smallAt}/history`,
    },
    flatTree: flatAt,
    longList: `/w/s/${many.id}/c?filter=draft`,
    diff: `${diff.web}/changes`,
    largeDiff: `${largeDiff.web}/changes`,
    conversation: conversation.web,
    margin: `${smallAt}/p/${other}`,
    longHistory: `${flatAt}/history`,
  }
}

/** Its secret. */
export const signIn = (services: Services, userId: string): Promise<string> =>
  services.transaction(trx =>
    beginSession(trx, services.events, {
      userId,
      method: 'password',
      organizationId: null,
      tokenId: null,
      address: '127.0.0.1',
      userAgent: 'bench',
    }),
  )

function writeFlatProject(folder: string): void {
  const lines = ['# Table of contents', '', '* [Start](README.md)']
  writeFile(join(folder, 'README.md'), '# Start\n\nHere it begins.\n')
  for (let page = 1; page < FLAT_PAGES; page++) {
    lines.push(`* [Page ${page}](page-${page}.md)`)
    writeFile(join(folder, `page-${page}.md`), `# Page ${page}\n\nText.\n`)
  }
  writeFile(join(folder, 'SUMMARY.md'), `${lines.join('\n')}\n`)
}

/** As people write it: with a link, emphasis and code. */
const paragraph = (at: number, word: string): string =>
  `Paragraph ${at} says what was so *${word}* it was read, with \`code ${at}\` and a [link](https://example.com/${at}). ${proseOf(at, 260).split('\n\n')[1]?.replaceAll('#', '')}`

const shortParagraph = (at: number, word: string): string =>
  `Paragraph ${at} is as it was ${word} it was read.`

const remark = (at: number): string => `Number ${at}: is **that** so? See [the guide](https://example.com).`

const keysIn = (html: string): string[] =>
  [...html.matchAll(/data-block="([^"]+)"/g)].map(([, key = '']) => key)

async function multiplyChangeRequests({ db }: Services, spaceId: string): Promise<void> {
  await sql`insert into change_requests (id, space_id, number, status, subject, revision_id, revision_initial_id,
      created_by, updated_at)
    select id || 'x' || n, space_id, 10 + n, status, 'Number ' || n, revision_id, revision_initial_id,
      created_by, updated_at - n * interval '1 minute'
    from change_requests, generate_series(1, ${CHANGE_REQUESTS - 2}::int) as n
    where space_id = ${spaceId} and number = 1`.execute(db)
}

/** With the events that the conversation is told by. */
async function multiplyComments({ db }: Services, changeRequestId: string): Promise<void> {
  await sql`insert into comments (id, space_id, change_request_id, revision_id, body, posted_by, posted_at)
    select id || 'x' || n, space_id, change_request_id, revision_id, replace(body, 'Number 0', 'Number ' || n), posted_by,
      posted_at + n * interval '1 millisecond'
    from comments, generate_series(1, ${COMMENTS - 1}::int) as n where change_request_id = ${changeRequestId}`.execute(
    db,
  )
  await sql`insert into events (id, type, organization_id, space_id, actor_id, payload, occurred_at)
    select gen_random_uuid()::text, type, organization_id, space_id, actor_id,
      jsonb_set(payload, '{comment}', to_jsonb((payload->>'comment') || 'x' || n)),
      occurred_at + n * interval '1 millisecond'
    from events, generate_series(1, ${COMMENTS - 1}::int) as n
    where type = 'comment.created' and payload->>'changeRequest' = ${changeRequestId}`.execute(db)
}

/** On the blocks of the page, in turns. */
async function multiplyMarginComments({ db }: Services, id: string, keys: readonly string[]): Promise<void> {
  await sql`insert into comments (id, space_id, revision_id, page_id, node, body, posted_by, posted_at)
    select id || 'x' || n, space_id, revision_id, page_id, (${sql.val([...keys])}::text[])[1 + n % ${keys.length}::int],
      replace(body, 'Number 0', 'Number ' || n), posted_by, posted_at + n * interval '1 millisecond'
    from comments, generate_series(1, ${COMMENTS - 1}::int) as n where id = ${id}`.execute(db)
}

async function multiplyRevisions({ db }: Services, spaceId: string): Promise<void> {
  await sql`insert into revisions (id, space_id, root_hash, type, parents, created_at, created_by)
    select id || 'x' || n, space_id, root_hash, 'edits', array[id], created_at - n * interval '1 minute', created_by
    from revisions, generate_series(1, ${REVISIONS - 1}::int) as n
    where id = (select revision_id from spaces where id = ${spaceId})`.execute(db)
}
