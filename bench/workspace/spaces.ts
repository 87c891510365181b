// What a key costs where an organization has very many spaces: at the side, on Home, and in the menu of a space.
import type { Browser } from 'playwright-core'
import { copySpace } from '../../test/support/many-spaces.ts'
import { withServices } from '../in-process.ts'
import { round } from '../measure.ts'
import { startServer } from '../server.ts'
import { see } from './browser.ts'
import { pressed } from './keys.ts'
import { signIn } from './scene.ts'

const SPACES = 1_000

export async function measureSpaces(browser: Browser): Promise<Record<string, object | number>> {
  const making = await startServer()
  const { call, organization } = making
  const { id: userId } = await call('GET', '/user')
  const space = await call('POST', `${organization}/spaces`, { title: 'Handbook', empty: true })
  const collection = await call('POST', `${organization}/collections`, { title: 'Archive' })
  await making.stop()
  const session = await withServices(making.home, async services => {
    await copySpace(services.db, space.id, { count: SPACES - 1, collectionId: collection.id })
    return signIn(services, userId)
  })
  const server = await startServer({}, making.home)
  const scene = { server, session }
  const side = { path: '/w/c', content: '.nav-spaces .nav-link' }
  const home = { path: '/w', content: '.link-row .rows-row' }
  const menu = { path: `/w/s/${space.id}`, content: '.space-switch' }
  const result = {
    spaces: SPACES,
    side: await see(browser, scene, side, async sight => {
      await sight.page.getByRole('navigation').getByRole('link', { name: 'Change requests' }).focus()
      await sight.page.keyboard.press('Tab')
      return pressed(sight)
    }),
    home: await see(browser, scene, home, async sight => {
      await sight.page.getByRole('heading', { name: 'Spaces' }).last().focus()
      await sight.page.keyboard.press('Tab')
      return { shownMs: round(sight.shownMs), ...(await pressed(sight)) }
    }),
    menu: await see(browser, scene, menu, async sight => {
      await sight.page.locator(menu.content).click()
      await sight.page.getByRole('menu').waitFor()
      return pressed(sight)
    }),
  }
  await server.stop()
  return result
}
