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
    ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
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

const QUICKSTART = `

Run this on your machine. It takes about a minute.

\`\`\`sh
npm install --global @northwind/client
northwind sign-in --region eu-central-1
\`\`\`

{% hint style="info" %}
You need an account. **Ask your administrator** for an invitation.
{% endhint %}

## Send a parcel

1. Weigh the parcel with its packaging.
2. Ask for a rate.
3. Print the label, and hand the parcel over.

A parcel that weighs more than 30 kg is freight, which has rates of its own.`

const RATES = `

| Zone | Up to 2 kg | Up to 10 kg |
| --- | --- | --- |
| Domestic | €4.90 | €8.90 |
| Europe | €9.90 | €19.90 |
| World | €19.90 | €49.90 |

Rates include taxes, and are valid for a year.`

const GUIDE = [
  ['Quickstart', `Install the client, sign in, and send your first parcel in five minutes.${QUICKSTART}`],
  ['Tracking a parcel', 'Every parcel has a number. Ask for its events, or subscribe to them by a webhook.'],
  ['Rates and zones', `A rate depends on weight, size and zone. Zones are listed by postal code.${RATES}`],
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
  emoji: string,
  pages: readonly (readonly [string, string])[],
) {
  const space = await call('POST', `/orgs/${organization}/spaces`, { title, emoji, parent, empty: true })
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

/** The page of this title, with its Markdown and its blocks. `path` is of a space or of a change request. */
async function readPage(path: string, title: string, by: Person) {
  const { pages } = await call('GET', `${path}/content/pages`, undefined, by)
  const { id } = pages.find((page: Answer) => page.title === title)
  const at = `${path}/content/page/${id}`
  const { markdown } = await call('GET', `${at}?format=markdown`, undefined, by)
  const { document } = await call('GET', `${at}?format=document`, undefined, by)
  return { id, markdown: String(markdown), nodes: document.nodes as Answer[] }
}

const textOf = (node: Answer): string => node.text ?? (node.leaves ?? node.nodes ?? []).map(textOf).join('')

/** A comment on words of the page of this title. */
async function commentOn(path: string, title: string, quote: string, markdown: string, by: Person) {
  const { id, nodes } = await readPage(path, title, by)
  const node = nodes.find(one => textOf(one).includes(quote))?.key
  if (node === undefined) throw new Error(`“${title}” does not say: ${quote}`)
  return call('POST', `${path}/comments`, { body: { markdown }, page: id, node, range: { quote } }, by)
}

const reply = (path: string, comment: string, markdown: string, by: Person) =>
  call('POST', `${path}/comments/${comment}/replies`, { body: { markdown } }, by)

const organization = (await call('POST', '/orgs', { title: 'Northwind Parcels' })).id
const emails = Object.entries(STAFF).map(([name, role]) => ({ email: `${name}@northwind.example`, role }))
await call('POST', `/orgs/${organization}/invites`, { emails })
const [maya, jonas, aisha, ken] = Object.keys(STAFF).map(name => {
  const email = `${name}@northwind.example`
  return { email, token: tokenOf(email) }
}) as [Person, Person, Person, Person]

const collection = (await call('POST', `/orgs/${organization}/collections`, { title: 'Documentation' })).id
const handbook = await createSpace(organization, collection, 'Handbook', '✉', HANDBOOK)
const guide = await createSpace(organization, collection, 'Developer guide', '✈', GUIDE)

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
await reply(open, question.id, 'Only outside of the first 14 days. I will add that.', aisha)
await call(
  'POST',
  `${open}/reviews`,
  { status: 'changes-requested', comment: { markdown: 'Please say who pays.' } },
  jonas,
)

const rates = await createChangeRequest(guide, 'Rates for next year', aisha, [
  'Islands',
  'Parcels to islands take two days more, and cost what the zone costs.',
])
const { id: page, markdown: before } = await readPage(rates, 'Rates and zones', aisha)
const after = [
  ['Zones are listed by postal code.', 'Look zones up by postal code.'],
  ['€9.90', '€10.90'],
  ['€19.90 |\n| World', '€21.90 |\n| World'],
  ['and are valid for a year', 'and are valid until the end of next year'],
].reduce((text, [old = '', now = '']) => text.replace(old, now), before)
await call(
  'POST',
  `${rates}/content`,
  { changes: [{ operation: 'update_page', page, document: { markdown: after } }] },
  aisha,
)
await call(
  'PATCH',
  rates,
  {
    status: 'open',
    description: {
      markdown:
        'Rates of the new contract, which begins in **January**.\n\n* Europe costs more\n* islands have a page of their own',
    },
  },
  aisha,
)
const { items: members } = await call('GET', `/orgs/${organization}/members`)
const idOf = ({ email }: Person) => members.find((one: Answer) => one.user.email === email).user.id
await call('POST', `${rates}/requested-reviewers`, { users: [idOf(jonas), idOf(maya)] }, aisha)
const zones = await commentOn(
  rates,
  'Rates and zones',
  'Look zones up',
  'Shall we link the list here?',
  jonas,
)
await reply(rates, zones.id, 'Yes, as soon as it is published.', aisha)
await comment(rates, 'Marketing knows, and waits for this.', maya)
await call('POST', `${rates}/reviews`, { status: 'approved' }, maya)

const space = `/spaces/${guide}`
const minutes = await commentOn(
  space,
  'Quickstart',
  'five minutes',
  'Support says it is **three** by now.',
  jonas,
)
await reply(space, minutes.id, 'It is. I open a change request.', aisha)
await commentOn(space, 'Quickstart', 'more than 30 kg', 'Does this hold for islands, too?', ken)

await createChangeRequest(handbook, 'Travel policy', maya, [
  'Travel',
  'Book by train where it takes less than five hours.',
])
await comment(`/spaces/${handbook}`, 'Could we link the calendar from “On call”?', jonas)

console.log(`Organization Northwind Parcels: ${URL_OF_SERVER}/o/${organization}`)
for (const { email } of [maya, jonas, aisha, ken]) console.log(`  ${email}: ./octavo password-link ${email}`)
