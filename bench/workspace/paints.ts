// How long somebody who reviews waits for the next paint, on a machine that is four times slower.
import type { Browser } from 'playwright-core'
import { median, round } from '../measure.ts'
import { type Paint, type Sight, see } from './browser.ts'
import { DIFF_BLOCKS, LARGE_DIFF_BLOCKS, type Scene } from './scene.ts'

const SLOWDOWN = 4
const ROUNDS = 5
/** As many as bring several portions of a long text. */
const STEPS = 120

export async function measurePaints(browser: Browser, scene: Scene): Promise<Record<string, object>> {
  return {
    diff: { blocks: DIFF_BLOCKS, ...(await reviewed(browser, scene, scene.diff)) },
    largeDiff: { blocks: LARGE_DIFF_BLOCKS, ...(await reviewed(browser, scene, scene.largeDiff)) },
  }
}

const reviewed = (browser: Browser, scene: Scene, path: string) =>
  see(browser, scene, { path, content: '.review-block', slowdown: SLOWDOWN }, async sight => {
    const { page } = sight
    const press = (key: string) => sight.paintOf(() => page.keyboard.press(key))
    const paints: Record<string, Paint[]> = {}
    const take = async (name: string, paint: Promise<Paint>) => {
      paints[name] = [...(paints[name] ?? []), await paint]
    }
    for (let step = 0; step < ROUNDS; step += 1) await take('nothing', press('q'))
    for (let step = 0; step < STEPS; step += 1) await take('next', press('j'))
    for (let step = 0; step < ROUNDS; step += 1) await take('previous', press('k'))
    for (let turn = 0; turn < ROUNDS; turn += 1) {
      await take('unfold', clicked(sight, page.getByRole('button', { name: /unchanged/ }).first()))
      await take('comment', press('c'))
      const field = page.getByRole('textbox', { name: 'Write a comment' })
      await field.waitFor()
      await take('typing', press('x'))
      await take('cancel', clicked(sight, page.getByRole('button', { name: 'Cancel' })))
      await take('viewed', clicked(sight, page.getByText('Viewed', { exact: true })))
      await press('j')
    }
    const columns = [
      page.getByRole('radio', { name: 'Side by side' }),
      page.getByRole('radio', { name: 'One column' }),
    ]
    for (const column of columns) await take('columns', clicked(sight, column))
    return {
      shownMs: round(sight.shownMs),
      elements: await sight.countElements(),
      heapMegabytes: round(await sight.heapMegabytes()),
      paintMs: Object.fromEntries(Object.entries(paints).map(([name, some]) => [name, summaryOf(some)])),
    }
  })

/** The best is what the page itself takes, where the machine does other work; `taskMs` is of the processor. */
const summaryOf = (paints: readonly Paint[]) => ({
  best: Math.min(...paints.map(({ paintMs }) => paintMs)),
  median: median(paints.map(({ paintMs }) => paintMs)),
  max: Math.max(...paints.map(({ paintMs }) => paintMs)),
  taskMs: round(median(paints.map(({ taskMs }) => taskMs))),
})

type Locator = ReturnType<Sight['page']['locator']>

/** The pointer is there already, and looking for the place is not counted. */
async function clicked(sight: Sight, what: Locator): Promise<Paint> {
  await what.evaluate(element => element.scrollIntoView({ block: 'center' }))
  const box = await what.boundingBox()
  if (box === null) throw new Error(`${what} cannot be seen`)
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const { mouse } = sight.page
  await sight.paintOf(() => mouse.move(x, y))
  return sight.paintOf(() => mouse.click(x, y))
}
