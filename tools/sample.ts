// Fills a running development server with an organization that looks like a real one: people in four roles, a
// collection with two spaces, change requests in every state, reviews and comments. All of it goes through the API.
//   npm run dev        in one terminal
//   npm run sample     in another; OCTAVO_URL and OCTAVO_HOME choose another server and its folder
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const URL_OF_SERVER = process.env.OCTAVO_URL ?? 'http://127.0.0.1:4000'
const HOME = process.env.OCTAVO_HOME ?? '.octavo'
const MAIN = fileURLToPath(new URL('../src/cli/main.js', import.meta.url))

type Person = { readonly email: string; readonly token: string }
// biome-ignore lint/suspicious/noExplicitAny: the script reads what each answer has
type Answer = any

const admin: Person = {
  email: 'admin@localhost',
  token: process.env.OCTAVO_ADMIN_TOKEN ?? readFileSync(join(HOME, 'admin-token'), 'utf8').trim(),
}

async function call(method: string, path: string, body?: object, by: Person = admin): Promise<Answer> {
  const reply = await fetch(`${URL_OF_SERVER}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${by.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body ?? {}),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

const tokenOf = (email: string): string =>
  execFileSync(process.execPath, [MAIN, 'token', email], {
    encoding: 'utf8',
    env: { ...process.env, OCTAVO_HOME: HOME },
  }).trim()

const STAFF = { maya: 'create', jonas: 'review', aisha: 'edit', ken: 'comment' } as const

const HANDBOOK = [
  ['Welcome', 'What we make, for whom, and where to find the rest of this handbook.'],
  ['Your first week', 'Monday is for accounts and people. By Friday you have shipped one small fix.'],
  [
    'How we review',
    'A review takes at most a day. Say what you would merge, not only what you would change.',
  ],
  ['On call', 'One person a week. Acknowledge within fifteen minutes, then write down what you see.'],
] as const

const GUIDE = [
  ['Quickstart', 'Install the client, sign in, and send your first parcel in five minutes.'],
  ['Tracking a parcel', 'Every parcel has a number. Ask for its events, or subscribe to them by a webhook.'],
  ['Rates and zones', 'A rate depends on weight, size and zone. Zones are listed by postal code.'],
  ['Errors', 'A request that fails says why and what to do. Retry `429` and `503` only.'],
] as const

const pageOf = ([title, text]: readonly [string, string]) => ({
  operation: 'insert_page',
  document: {
    markdown: `# ${title}\n\n${text}\n\n## In short\n\n* Read this page once.\n* Ask where it is unclear.\n`,
  },
})

async function createSpace(
  organization: string,
  parent: string,
  title: string,
  pages: readonly (readonly [string, string])[],
) {
  const space = await call('POST', `/orgs/${organization}/spaces`, { title, parent, empty: true })
  await call('POST', `/spaces/${space.id}/content`, { changes: pages.map(pageOf) })
  return space.id as string
}

async function createChangeRequest(
  space: string,
  subject: string,
  by: Person,
  page: readonly [string, string],
) {
  const changeRequest = await call('POST', `/spaces/${space}/change-requests`, { subject }, by)
  const path = `/spaces/${space}/change-requests/${changeRequest.id}`
  await call('POST', `${path}/content`, { changes: [pageOf(page)] }, by)
  return path
}

const comment = (path: string, markdown: string, by: Person) =>
  call('POST', `${path}/comments`, { body: { markdown } }, by)

const organization = (await call('POST', '/orgs', { title: 'Northwind Parcels' })).id
const emails = Object.entries(STAFF).map(([name, role]) => ({ email: `${name}@northwind.example`, role }))
await call('POST', `/orgs/${organization}/invites`, { emails })
const [maya, jonas, aisha, ken] = Object.keys(STAFF).map(name => {
  const email = `${name}@northwind.example`
  return { email, token: tokenOf(email) }
}) as [Person, Person, Person, Person]

const collection = (await call('POST', `/orgs/${organization}/collections`, { title: 'Documentation' })).id
const handbook = await createSpace(organization, collection, 'Handbook', HANDBOOK)
const guide = await createSpace(organization, collection, 'Developer guide', GUIDE)

const merged = await createChangeRequest(guide, 'Explain webhooks', maya, [
  'Webhooks',
  'We send each event once it is committed, and again until you answer `2xx`.',
])
await call('POST', `${merged}/reviews`, { status: 'approved' }, jonas)
await call('POST', `${merged}/merge`, {}, maya)

const open = await createChangeRequest(guide, 'Add a page about returns', aisha, [
  'Returns',
  'A return is a parcel in the other direction. It has a number of its own.',
])
const question = await comment(open, 'Does the customer pay for a return?', ken)
await call(
  'POST',
  `${open}/comments/${question.id}/replies`,
  { body: { markdown: 'Only outside of the first 14 days. I will add that.' } },
  aisha,
)
await call(
  'POST',
  `${open}/reviews`,
  { status: 'changes-requested', comment: { markdown: 'Please say who pays.' } },
  jonas,
)

await createChangeRequest(handbook, 'Travel policy', maya, [
  'Travel',
  'Book by train where it takes less than five hours.',
])
await comment(`/spaces/${handbook}`, 'Could we link the calendar from “On call”?', jonas)

console.log(`Organization Northwind Parcels: ${URL_OF_SERVER}/o/${organization}`)
for (const { email } of [maya, jonas, aisha, ken]) console.log(`  ${email}: ./octavo password-link ${email}`)
