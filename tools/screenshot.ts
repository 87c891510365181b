// Takes the picture of the API reference that README shows, from the present docs/openapi.json. Run it after the
// look of the reference or the operation in the picture changed: `node tools/screenshot.ts`.
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launchBrowser } from '../test/support/browser.ts'
import { referenceServer } from '../test/support/reference-server.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PICTURE = 'docs/.gitbook/assets/api-reference.png'
const PAGE = '/docs/operations/createSpace'
const SIZE = { width: 1280, height: 800 }
const PICTURE_BYTES_MAX = 300_000

const document: object = JSON.parse(readFileSync(`${ROOT}docs/openapi.json`, 'utf8'))
const app = referenceServer(document, 'light')

const address = await app.listen({ port: 0, host: '127.0.0.1' })
const browser = await launchBrowser()
try {
  const page = await browser.newPage({ viewport: SIZE, deviceScaleFactor: 1.5 })
  const reply = await page.goto(address + PAGE)
  if (reply?.status() !== 200) throw new Error(`${PAGE} is not in docs/openapi.json`)
  mkdirSync(dirname(ROOT + PICTURE), { recursive: true })
  await page.screenshot({ path: ROOT + PICTURE })
} finally {
  await browser.close()
  await app.close()
}
const { size } = statSync(ROOT + PICTURE)
console.log(`${PICTURE}: ${Math.round(size / 1000)} KB`)
if (size > PICTURE_BYTES_MAX)
  throw new Error(`A picture in the documentation has at most ${PICTURE_BYTES_MAX} bytes.`)
