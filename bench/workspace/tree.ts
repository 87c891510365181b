// What changing a tree of 2,000 pages costs: a branch is opened and closed, a page is moved and renamed, by keys.
import type { Browser } from 'playwright-core'
import { withServices } from '../in-process.ts'
import { median, round } from '../measure.ts'
import { startServer } from '../server.ts'
import { type Sight, see } from './browser.ts'
import { signIn } from './scene.ts'

const BRANCHES = 40
/** With the page of the branch, what one request takes. */
const PAGES_BELOW = 49
const ROUNDS = 10

export async function measureTree(browser: Browser): Promise<Record<string, object | number>> {
  const server = await startServer()
  const { call, organization, home } = server
  const { id: userId } = await call('GET', '/user')
  const { id: spaceId } = await call('POST', `${organization}/spaces`, { title: 'Handbook', empty: true })
  const insert = async (pages: readonly object[]): Promise<string[]> => {
    const { changes } = await call('POST', `/spaces/${spaceId}/content`, { changes: pages })
    return changes.map(({ page }: { page: { id: string } }) => page.id)
  }
  const page = (title: string) => ({
    operation: 'insert_page',
    title,
    document: { markdown: `# ${title}\n` },
  })
  const branches = await insert(Array.from({ length: BRANCHES }, (_, at) => page(`Branch ${at}`)))
  for (const into of branches)
    await insert(Array.from({ length: PAGES_BELOW }, (_, at) => ({ ...page(`Page ${at}`), into })))
  await call('POST', `/spaces/${spaceId}/change-requests`, { subject: 'Order' })
  await server.stop()
  const session = await withServices(home, services => signIn(services, userId))
  const again = await startServer({}, home)
  const asked = { path: `/w/s/${spaceId}/c/1/preview`, content: '.tree-row .tree-tool' }
  const keys = await see(browser, { server: again, session }, asked, measureKeys)
  await again.stop()
  return { pages: BRANCHES * (PAGES_BELOW + 1), ...keys }
}

async function measureKeys(sight: Sight) {
  const { page } = sight
  const row = page.getByRole('treegrid').getByRole('row', { name: 'Branch 1', exact: true })
  await row.focus()
  const expand = await paintsOf(sight, async turn =>
    page.keyboard.press(turn % 2 ? 'ArrowLeft' : 'ArrowRight'),
  )
  await row.focus()
  const move = await paintsOf(sight, turn =>
    page.keyboard.press(`Alt+Shift+Arrow${turn % 2 ? 'Down' : 'Up'}`),
  )
  const rename: number[] = []
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    await page.getByRole('treegrid').getByRole('row').nth(turn).focus()
    await page.keyboard.press('F2')
    await page.keyboard.type(`Renamed ${turn}`)
    rename.push((await sight.paintOf(() => page.keyboard.press('Enter'))).paintMs)
  }
  return { expand, move, rename: summaryOf(rename) }
}

async function paintsOf(sight: Sight, act: (turn: number) => Promise<void>) {
  const paints: number[] = []
  for (let turn = 0; turn < ROUNDS; turn += 1) paints.push((await sight.paintOf(() => act(turn))).paintMs)
  return summaryOf(paints)
}

const summaryOf = (paints: readonly number[]) => ({
  medianMs: round(median(paints)),
  maxMs: round(Math.max(...paints)),
})
