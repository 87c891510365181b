// `octavo export-organization`: everything an organization has, as git repositories and JSON that other programs can
// read. A JSON file holds what the API answers to the organization's admin.
import { mkdir, open, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { deleteToken, issueToken } from '../api/accounts/actions.ts'
import { copyRemote } from '../api/git-remote/repository.ts'
import { operations } from '../api/index.ts'
import { now } from '../base/clock.ts'
import { Failure } from '../base/errors.ts'
import { slugify } from '../engines/names/slugs.ts'
import { buildApp } from '../http/app.ts'
import type { Services } from '../http/context.ts'
import { writeFolder } from '../platform/atomic-folder.ts'
import type { CommandContext } from './command-context.ts'
import { findOperator } from './operator.ts'

export type OrganizationExportOptions = {
  /** An absolute path. */
  readonly folder: string
  /** Absent: the oldest. */
  readonly organization?: string
}

export type OrganizationExportResult = {
  readonly spaces: number
  /** What could not be exported, and why. */
  readonly problems: readonly string[]
}

// A killed command leaves its token behind; the token expires.
const TOKEN_MS = 24 * 3_600_000
// No list of the API has a lower maximum.
const ITEMS = 100

const README = `# An organization, exported by Octavo

* \`spaces/<title>-<id>/repository.git\`: the pages and files of a space with their history, as a bare git repository.
  Change requests are branches. \`git clone spaces/…/repository.git\` gives the files.
* \`spaces/<title>-<id>/*.json\`: the space, its comments, change requests with their comments and reviews, permissions.
* \`*.json\`: the organization, its people, teams, collections, conversations, glossary and specifications, as the API
  answers them.
`

/** Lists of the organization, by file name. */
const OF_ORGANIZATION: Readonly<Record<string, string>> = {
  ...{ members: 'members', teams: 'teams', collections: 'collections?nested=true', spaces: 'spaces' },
  ...{ 'link-invites': 'link-invites', glossary: 'translations-glossary', templates: 'templates' },
  ...{ 'openapi-specifications': 'openapi', 'saml-providers': 'saml', installations: 'installations' },
  ...{ conversations: 'conversations', 'conversation-issues': 'conversations-issues' },
  ...{ 'conversation-clusters': 'conversations-clusters', 'agent-tasks': 'agent-tasks' },
  ...{ webhooks: 'webhooks', 'audit-events': 'audit-events' },
}

/** Lists of a space. */
const OF_SPACE: Readonly<Record<string, string>> = {
  ...{ revisions: 'revisions', files: 'content/files', 'share-links': 'share-links' },
  ...{ 'user-permissions': 'permissions/users', 'team-permissions': 'permissions/teams' },
  ...{ 'git-operations': 'git/operations', webhooks: 'webhooks' },
}

type Item = Readonly<Record<string, unknown>> & { readonly id: string }

/** All of it or nothing. */
export const exportOrganization = (
  services: Services,
  { folder, organization }: OrganizationExportOptions,
  context: CommandContext,
): Promise<OrganizationExportResult> =>
  writeFolder(folder, unfinished => writeOrganization(services, unfinished, organization, context))

async function writeOrganization(
  services: Services,
  folder: string,
  organization: string | undefined,
  { emit, signal }: CommandContext,
): Promise<OrganizationExportResult> {
  const operator = await findOperator(services, organization)
  const [organizationId = ''] = operator.memberships.keys()
  const { row, secret } = await services.transaction(trx =>
    issueToken(trx, {
      ...{ userId: operator.user.id, label: 'an export of the organization', organizationId },
      expiresAt: new Date(now().getTime() + TOKEN_MS),
    }),
  )
  // The operator asks for everything, as fast as it comes.
  const config = { ...services.config, requestsPerMinute: 0 }
  const app = buildApp(operations, { ...services, config })
  try {
    const writer = new Writer(app, secret, signal)
    await writeFile(join(folder, 'README.md'), README)
    const at = `/orgs/${organizationId}`
    await writer.writeOne(join(folder, 'organization.json'), at)
    for (const [name, path] of Object.entries(OF_ORGANIZATION))
      await writer.writeList(join(folder, `${name}.json`), `${at}/${path}`)
    for await (const team of writer.items(`${at}/teams`))
      await writer.writeList(
        join(await makeFolder(folder, 'team-members'), `${team.id}.json`),
        `${at}/teams/${team.id}/members`,
      )
    const spaces = await services.db
      .selectFrom('spaces')
      .select(['id', 'title'])
      .where('organization_id', '=', organizationId)
      .where('deleted_at', 'is', null)
      .orderBy('created_at')
      .execute()
    for (const [done, { id, title }] of spaces.entries()) {
      emit({ stage: 'writing spaces', done, total: spaces.length })
      const inner = await makeFolder(folder, 'spaces', `${slugify(title ?? '') || 'space'}-${id}`)
      await writer.writeSpace(inner, id)
      await copyRemote(services, id, join(inner, 'repository.git')).catch(error => {
        if (!(error instanceof Failure)) throw error
        writer.problems.push(`${basename(inner)}/repository.git: ${error.message}`)
      })
    }
    return { spaces: spaces.length, problems: writer.problems }
  } finally {
    await app.close()
    await deleteToken({ ...services, principal: operator }, row.id)
  }
}

async function makeFolder(...parts: readonly string[]): Promise<string> {
  const folder = join(...parts)
  await mkdir(folder, { recursive: true })
  return folder
}

class Writer {
  readonly problems: string[] = []
  readonly #app: FastifyInstance
  readonly #authorization: string
  readonly #signal: AbortSignal

  constructor(app: FastifyInstance, token: string, signal: AbortSignal) {
    this.#app = app
    this.#authorization = `Bearer ${token}`
    this.#signal = signal
  }

  async writeSpace(folder: string, id: string): Promise<void> {
    const at = `/spaces/${id}`
    await this.writeOne(join(folder, 'space.json'), at)
    for (const [name, path] of Object.entries(OF_SPACE))
      await this.writeList(join(folder, `${name}.json`), `${at}/${path}`)
    await this.writeList(join(folder, 'comments.json'), `${at}/comments?format=markdown`, comment =>
      this.#withReplies(at, comment),
    )
    await this.writeList(
      join(folder, 'change-requests.json'),
      `${at}/change-requests?status=all`,
      async one => {
        const own = `${at}/change-requests/${one.id}`
        return {
          ...one,
          requestedReviewers: await this.#all(`${own}/requested-reviewers`),
          reviews: await this.#all(`${own}/reviews?format=markdown`),
          comments: await this.#all(`${own}/comments?format=markdown`, comment =>
            this.#withReplies(own, comment),
          ),
        }
      },
    )
  }

  async writeOne(file: string, path: string): Promise<void> {
    const body = await this.#get(path)
    if (body !== undefined) await writeFile(file, `${JSON.stringify(body, null, 2)}\n`)
  }

  /** A JSON array with one item per line, written as items arrive. */
  async writeList(
    file: string,
    path: string,
    more: (item: Item) => Promise<unknown> = async item => item,
  ): Promise<void> {
    const handle = await open(file, 'wx')
    try {
      await handle.write('[')
      let separator = '\n'
      for await (const item of this.items(path)) {
        await handle.write(separator + JSON.stringify(await more(item)))
        separator = ',\n'
      }
      await handle.write('\n]\n')
    } finally {
      await handle.close()
    }
  }

  /** Every item of a list, page by page. */
  async *items(path: string): AsyncGenerator<Item> {
    const first = `${path}${path.includes('?') ? '&' : '?'}limit=${ITEMS}`
    for (let next: string | undefined = first; next !== undefined; ) {
      // The reply is a list of our own API.
      const body = (await this.#get(next)) as { items?: Item[]; next?: { page: string } } | undefined
      yield* body?.items ?? []
      next = body?.next === undefined ? undefined : `${first}&page=${encodeURIComponent(body.next.page)}`
    }
  }

  async #all(path: string, more: (item: Item) => Promise<unknown> = async item => item): Promise<unknown[]> {
    const all: unknown[] = []
    for await (const item of this.items(path)) all.push(await more(item))
    return all
  }

  #withReplies = async (at: string, comment: Item): Promise<unknown> => ({
    ...comment,
    // Most comments have no replies, and a discussion can have thousands of comments.
    replies:
      comment.replies === 0 ? [] : await this.#all(`${at}/comments/${comment.id}/replies?format=markdown`),
  })

  /** The answer of the API; if it refuses, undefined, and a problem is recorded. */
  async #get(path: string): Promise<unknown> {
    this.#signal.throwIfAborted()
    const { statusCode, payload } = await this.#app.inject({
      method: 'GET',
      url: `/v1${path}`,
      headers: { authorization: this.#authorization },
    })
    const body: { error?: { message?: string } } = JSON.parse(payload)
    if (statusCode < 400) return body
    this.problems.push(`${path}: ${statusCode} ${body.error?.message ?? ''}`)
    return undefined
  }
}
