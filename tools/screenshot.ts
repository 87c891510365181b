// Takes the pictures that README and the guide show: of the API reference, from the present docs/openapi.json, and of
// the workspace, from a server with the sample. Run it after the look of either changed: `node tools/screenshot.ts`.
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../test/support/browser.ts'
import { referenceServer } from '../test/support/reference-server.ts'
import { type SampleServer, startSampleServer } from './sample-server.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FOLDER = 'docs/.gitbook/assets/'
const SIZE = { width: 1280, height: 800 }
const PICTURE_BYTES_MAX = 300_000

const OPERATION = '/docs/operations/createSpace'
const MEMBER = 'jonas@northwind.example'
const PASSWORD = 'only for these pictures'

async function takeReference(): Promise<void> {
  const document: object = JSON.parse(readFileSync(`${ROOT}docs/openapi.json`, 'utf8'))
  const app = referenceServer(document, 'light')
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  try {
    await withPage(async page => {
      const reply = await page.goto(address + OPERATION)
      if (reply?.status() !== 200) throw new Error(`${OPERATION} is not in docs/openapi.json`)
      await take(page, 'api-reference')
    })
  } finally {
    await app.close()
  }
}

async function takeWorkspace(): Promise<void> {
  const server = await startSampleServer()
  try {
    await withPage(page => takeScreens(page, server))
  } finally {
    await server.close()
  }
}

async function takeScreens(page: Page, { origin, passwordLink }: SampleServer): Promise<void> {
  await page.goto(passwordLink(MEMBER))
  await page.getByLabel('New password').fill(PASSWORD)
  await page.getByLabel('Confirm password').fill(PASSWORD)
  await page.getByLabel('Confirm password').press('Enter')
  await page.waitForURL(url => !url.pathname.startsWith('/password'))

  await page.goto(`${origin}/w/c`)
  await page.getByRole('link', { name: /Rates for next year/ }).click()
  await page.getByText('Marketing knows, and waits for this.').waitFor()
  await page.getByRole('complementary').getByText('Approved').waitFor()
  await page.getByText('islands have a page of their own').waitFor()
  await take(page, 'workspace-change-request')

  await page.getByRole('link', { name: 'Changes', exact: true }).click()
  await page.getByRole('grid', { name: 'Changes' }).getByRole('row', { name: 'Rates and zones' }).click()
  await page.getByText('Yes, as soon as it is published.').waitFor()
  await take(page, 'workspace-review')

  await page.goto(`${origin}/w`)
  await page
    .getByRole('region', { name: 'Spaces' })
    .getByRole('link', { name: /Developer guide/ })
    .click()
  await page.getByText('Run this on your machine.').waitFor()
  await page.getByText('Does this hold for islands, too?').waitFor()
  await page.getByText('It is. I open a change request.').waitFor()
  await take(page, 'workspace-page')

  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Text of the page' }).waitFor()
  await page.getByRole('region', { name: 'Preview' }).getByText('Run this on your machine.').waitFor()
  await take(page, 'workspace-editor')
}

/** In a browser of its own: as long as one is open, a server waits for it to end. */
async function withPage(look: (page: Page) => Promise<void>): Promise<void> {
  const browser = await launchBrowser()
  try {
    await look(
      await browser.newPage({ viewport: SIZE, deviceScaleFactor: 1.5, colorScheme: 'light', locale: 'en' }),
    )
  } finally {
    await browser.close()
  }
}

async function take(page: Page, name: string): Promise<void> {
  const path = `${FOLDER}${name}.png`
  await page.evaluate('document.fonts.ready')
  // Neither what is pointed at nor what has the focus is in a picture.
  await page.mouse.move(0, 0)
  await page.screenshot({ path: ROOT + path, animations: 'disabled', caret: 'hide' })
  const { size } = statSync(ROOT + path)
  console.log(`${path}: ${Math.round(size / 1000)} KB`)
  if (size > PICTURE_BYTES_MAX)
    throw new Error(`A picture in the documentation has at most ${PICTURE_BYTES_MAX} bytes.`)
}

mkdirSync(ROOT + FOLDER, { recursive: true })
await takeReference()
await takeWorkspace()
