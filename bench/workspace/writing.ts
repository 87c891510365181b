// What a key costs somebody who writes a long page, on a machine that is four times slower; and what a preview and a
// save of a page of many blocks cost the processor of the server.
import type { Browser } from 'playwright-core'
import { withServices } from '../in-process.ts'
import { median, round } from '../measure.ts'
import { ownProcessorMs } from '../processor.ts'
import { startServer } from '../server.ts'
import { see } from './browser.ts'
import { signIn } from './scene.ts'

const SLOWDOWN = 4
const KEYS = 20
const LONG_BYTES = 300_000
const BLOCKS = 200
const ROUNDS = 20
/** Before them: until then much of what is measured is the compiler of V8. */
const ROUNDS_BEFORE = 60

const block = (at: number) =>
  `## Part ${at}\n\nWords of **part ${at}** with \`code\` and [a link](README.md), more words.\n\n`
const text = (blocks: number) => Array.from({ length: blocks }, (_, at) => block(at)).join('')
const LONG = text(Math.ceil(LONG_BYTES / block(1000).length))

export async function measureWriting(browser: Browser): Promise<Record<string, object | number>> {
  const server = await startServer()
  const { call, organization, home } = server
  const { id: userId } = await call('GET', '/user')
  const { id: spaceId } = await call('POST', `${organization}/spaces`, { title: 'Handbook', empty: true })
  const insert = (title: string, markdown: string) => ({
    operation: 'insert_page',
    title,
    document: { markdown: `# ${title}\n\n${markdown}` },
  })
  const { changes } = await call('POST', `/spaces/${spaceId}/content`, {
    changes: [insert('Long', LONG), insert('Blocks', text(BLOCKS / 2))],
  })
  const [long, many] = changes.map(({ page }: { page: { id: string } }) => page.id)
  // As the editor reads it: links are the paths of what is there.
  const { markdown } = await call(
    'GET',
    `/spaces/${spaceId}/content/page/${many}?format=markdown&computed=false`,
  )
  const perCall = async (ask: (round: number) => Promise<unknown>) => {
    for (let turn = 0; turn < ROUNDS_BEFORE; turn += 1) await ask(-turn)
    const before = ownProcessorMs(server.pid)
    for (let turn = 1; turn <= ROUNDS; turn += 1) await ask(turn)
    return round((ownProcessorMs(server.pid) - before) / ROUNDS)
  }
  const previewMs = await perCall(turn =>
    call('POST', `/spaces/${spaceId}/content/preview`, {
      page: many,
      markdown: `${markdown}Round ${turn}.\n`,
    }),
  )
  const saveMs = await perCall(turn =>
    call('POST', `/spaces/${spaceId}/content`, {
      changes: [
        {
          operation: 'update_page',
          page: many,
          document: { markdown: `${markdown}Round ${turn}.\n` },
        },
      ],
    }),
  )
  await server.stop()
  const session = await withServices(home, services => signIn(services, userId))
  const again = await startServer({}, home)
  const asked = { path: `/w/s/${spaceId}/edit/${long}`, content: '.cm-content', slowdown: SLOWDOWN }
  const keys = await see(browser, { server: again, session }, asked, async sight => {
    const { page } = sight
    await page.locator('.cm-content').click({ position: { x: 40, y: 40 } })
    const paints: number[] = []
    for (let key = 0; key < KEYS; key += 1)
      paints.push((await sight.paintOf(() => page.keyboard.press('x'))).paintMs)
    const sorted = paints.toSorted((one, other) => one - other)
    return {
      shownMs: round(sight.shownMs),
      medianMs: median(paints),
      p95Ms: sorted[Math.ceil(KEYS * 0.95) - 1] ?? 0,
    }
  })
  await again.stop()
  return { longBytes: LONG.length, keys, blocks: BLOCKS, serverMs: { preview: previewMs, save: saveMs } }
}
