// A new space in the workspace: written, imported from a repository, or uploaded.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipBrowser as skip } from '../support/browser.ts'
import { file, importWorld, PASSWORD } from '../support/imports.ts'
import type { TestRepository } from '../support/repositories.ts'
import { assertAccessible, openWorkspace, sendUnanswered } from '../support/workspace.ts'
import { zipOf } from '../support/zip.ts'

const w = await importWorld()

const GUIDE = () => [
  file('SUMMARY.md', '* [Home](README.md)\n* [Set up](setup.md)\n* [Gone](gone.md)\n'),
  file('README.md', '# Home\n\nThe first words.\n'),
  file('setup.md', '# Set up\n'),
]

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

async function fillAddress(page: Page, { name }: TestRepository, password = PASSWORD): Promise<void> {
  await field(page, 'Address of the repository').fill(`${w.host.url}/${name}`)
  if (!(await field(page, 'User').isVisible())) await page.getByText('The repository is private').click()
  await field(page, 'User').fill('ada')
  await field(page, 'Password or token').fill(password)
  await button(page, 'Look at it').click()
}

const spacesNamed = async (title: string): Promise<{ id: string }[]> => {
  const { body } = await w.call('GET', `/orgs/${w.organizationId}/spaces?limit=1000`)
  return body.items.filter((one: { title: string }) => one.title === title)
}

test('a repository is looked at, imported while its stages show, and ends on its first page with a report', {
  skip,
}, async () => {
  const repository = await w.repository(GUIDE())
  await repository.commit({ ref: 'refs/heads/next', changes: GUIDE() })
  await openWorkspace(w, 'create', '/w/new/git', async page => {
    await field(page, 'Address of the repository').waitFor()
    await assertAccessible(page)
    await fillAddress(page, repository)
    await page.getByText('3 pages, 0 files').waitFor()
    await page.getByText('1 thing to look at').click()
    await page.getByText('gone.md').first().waitFor()
    assert.equal(await page.getByRole('combobox', { name: 'Branch' }).inputValue(), 'main')
    await assertAccessible(page)
    await field(page, 'Title').fill('From Git')
    await button(page, 'Import').click()
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    await page.getByText('The first words.').waitFor()
    await page.getByText('3 pages, 1 thing to look at').waitFor()
    assert.match(page.url(), /\/w\/s\/\w+\/p\/\w+$/)
  })
  assert.equal((await spacesNamed('From Git')).length, 1)
})

test('an import whose repository vanishes says so above the form, and another try fills the same space', {
  skip,
}, async () => {
  const repository = await w.repository(GUIDE())
  const gone = `${repository.directory}.gone`
  await openWorkspace(w, 'admin', '/w/new/git', async page => {
    await fillAddress(page, repository)
    await page.getByText('3 pages, 0 files').waitFor()
    await field(page, 'Title').fill('Vanished')
    await rename(repository.directory, gone)
    await button(page, 'Import').click()
    const failed = page.getByRole('alert').filter({ hasText: 'The import failed' })
    await failed.getByText('There is no repository at this address').waitFor()
    assert.equal(
      await field(page, 'Address of the repository').inputValue(),
      `${w.host.url}/${repository.name}`,
    )
    assert.equal(await field(page, 'User').inputValue(), 'ada')
    await assertAccessible(page)
    await rename(gone, repository.directory)
    await field(page, 'Title').fill('Found again')
    await button(page, 'Import').click()
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  })
  assert.deepEqual(
    [(await spacesNamed('Vanished')).length, (await spacesNamed('Found again')).length],
    [0, 1],
  )
})

test('an import that is cut off when nine tenths are fetched fails, and starting it twice runs it once', {
  skip,
}, async () => {
  // Nothing makes them smaller.
  const repository = await w.repository([...GUIDE(), file('.gitbook/assets/a.bin', randomBytes(100_000))])
  await openWorkspace(w, 'create', '/w/new/git', async page => {
    await fillAddress(page, repository)
    await page.getByText('3 pages, 1 file').waitFor()
    await field(page, 'Title').fill('Cut off')
    w.host.misbehave({ kind: 'cut', afterBytes: 90_000 })
    try {
      await button(page, 'Import').click()
      await page.getByRole('alert').getByText('The host ended the transfer.').waitFor()
    } finally {
      w.host.misbehave(undefined)
    }
    await button(page, 'Import').dblclick()
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  })
  const spaces = await spacesNamed('Cut off')
  assert.equal(spaces.length, 1)
  const { items } = await w.get(`/spaces/${spaces[0]?.id}/git/operations`)
  assert.deepEqual(
    items.map(({ state }: { state: string }) => state),
    ['success', 'failure'],
  )
})

test('wrong credentials and what is no repository are said at the address', { skip }, async () => {
  const repository = await w.repository(GUIDE())
  await openWorkspace(w, 'create', '/w/new/git', async page => {
    await fillAddress(page, repository, 'not the password')
    await page.getByText('The host refused the user and password').waitFor()
    await field(page, 'Address of the repository').fill('handbook')
    await button(page, 'Look at it').click()
    await page.getByText('This is no address of a repository.').waitFor()
    await assertAccessible(page)
  })
})

test('a space is written: its first page opens in the editor, in its collection and language', {
  skip,
}, async () => {
  const { body: collection } = await w.call('POST', `/orgs/${w.organizationId}/collections`, {
    body: { title: 'Guides' },
  })
  await openWorkspace(w, 'admin', '/w', async page => {
    await page.getByRole('link', { name: 'New space', exact: true }).click()
    await field(page, 'Title').fill('Written here')
    await field(page, 'Emoji').fill('🚀')
    await page.getByRole('combobox', { name: 'Collection' }).fill('Gui')
    await page.getByRole('option', { name: 'Guides' }).click()
    await page.getByRole('combobox', { name: 'Language' }).fill('Germ')
    await page.getByRole('option', { name: 'German' }).click()
    await assertAccessible(page)
    await button(page, 'Create').dblclick()
    await page.getByRole('textbox', { name: 'Text of the page' }).waitFor()
    assert.match(page.url(), /\/w\/s\/\w+\/edit\/\w+$/)
    assert.equal(await field(page, 'Title').inputValue(), 'Written here')
  })
  const spaces = await spacesNamed('Written here')
  assert.equal(spaces.length, 1)
  const space = await w.get(`/spaces/${spaces[0]?.id}`)
  assert.deepEqual([space.parent, space.language, space.emoji], [collection.id, 'de', '🚀'])
})

test('a space begins with the pages of a template', { skip }, async () => {
  await openWorkspace(w, 'create', '/w/new', async page => {
    await field(page, 'Title').fill('From a template')
    await page.getByRole('combobox', { name: 'Begins with' }).fill('API')
    await page.getByRole('option', { name: 'API reference' }).click()
    await button(page, 'Create').click()
    await page.getByRole('textbox', { name: 'Text of the page' }).waitFor()
  })
  const [space] = await spacesNamed('From a template')
  assert.ok((await w.tree({ id: space?.id ?? '' })).length > 1)
})

test('who may create no space is told so, and Home and the palette do not offer it', { skip }, async () => {
  await openWorkspace(w, 'read', '/w/new', async page => {
    await page.getByText('You may not create spaces in this organization.').waitFor()
    await page.goto(new URL('/w', page.url()).href)
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'New space' }).count(), 0)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('>')
    await page.getByRole('option', { name: 'Go to Home' }).waitFor()
    assert.equal(await page.getByRole('option', { name: 'New space' }).count(), 0)
  })
})

test('who may create in one collection alone begins a space there: written, imported or uploaded', {
  skip,
}, async () => {
  const { body: own } = await w.call('POST', `/orgs/${w.organizationId}/collections`, {
    body: { title: 'Of readers' },
  })
  const grant = `/collections/${own.id}/permissions/users/${w.people.read.id}`
  await w.call('PATCH', grant, { body: { role: 'create' } })
  const repository = await w.repository(GUIDE())
  await openWorkspace(w, 'read', '/w', async page => {
    await page.getByRole('link', { name: 'New space', exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('> new sp')
    await page.getByRole('option', { name: 'New space' }).click()
    await page.getByRole('link', { name: 'Import from Git' }).click()
    await fillAddress(page, repository)
    await page.getByText('3 pages, 0 files').waitFor()
    assert.equal(await page.getByRole('combobox', { name: 'Collection' }).inputValue(), 'Of readers')
    await field(page, 'Title').fill('In their collection')
    await button(page, 'Import').click()
    await page.getByText('The first words.').waitFor()
  })
  const [space] = await spacesNamed('In their collection')
  assert.equal((await w.get(`/spaces/${space?.id}`)).parent, own.id)
})

test('Home of an organization without spaces offers a new one', { skip }, async () => {
  const other = await importWorld()
  await openWorkspace(other, 'admin', '/w', async page => {
    await page.getByText('There is no space that you can read yet.').waitFor()
    await assertAccessible(page)
    await page.getByRole('link', { name: 'New space', exact: true }).click()
    await page.getByRole('heading', { name: 'New space', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('> new sp')
    await page.getByRole('option', { name: 'New space' }).waitFor()
  })
})

async function choose(
  page: Page,
  name: string,
  files: string | { name: string; mimeType: string; buffer: Buffer },
) {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, name).click()])
  await chooser.setFiles(files)
}

test('a folder is packed and sent, converted where it is of another tool, and what was left out is named', {
  skip,
}, async () => {
  const folder = join(await mkdtemp(join(tmpdir(), 'octavo-folder-')), 'handbook')
  await mkdir(join(folder, 'docs'), { recursive: true })
  await mkdir(join(folder, '.git'))
  await writeFile(join(folder, '.git', 'config'), 'never sent')
  await writeFile(join(folder, 'mkdocs.yml'), 'nav:\n  - Home: index.md\n  - none.md\n')
  await writeFile(join(folder, 'docs', 'index.md'), '# Home\n\nThe first words.\n')
  try {
    await openWorkspace(w, 'create', '/w/new/upload', async page => {
      await page.getByText('Choose a zip archive or a folder.').waitFor()
      await assertAccessible(page)
      await choose(page, 'Folder', folder)
      await page.getByText(/^handbook: 2 files,/).waitFor()
      await assertAccessible(page)
      await button(page, 'Import').click()
      await page.getByText('The first words.').waitFor()
      await page.getByText('1 page, 1 thing to look at').waitFor()
    })
    assert.equal((await spacesNamed('handbook')).length, 1)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a zip archive is sent; what is none is refused with the form as it was, and the next one fills the same space', {
  skip,
}, async () => {
  const zip = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/zip', buffer })
  await openWorkspace(w, 'create', '/w/new/upload', async page => {
    await choose(page, 'Zip archive', zip('Guide.zip', Buffer.from('no archive')))
    await button(page, 'Import').click()
    await page.getByRole('alert').waitFor()
    assert.equal(await field(page, 'Title').inputValue(), 'Guide')
    const bytes = Buffer.from(zipOf([{ path: 'README.md', text: '# Home\n\nThe first words.\n' }]))
    await choose(page, 'Zip archive', zip('Guide.zip', bytes))
    await button(page, 'Import').click()
    await page.getByText('The first words.').waitFor()
    await page.getByText('1 page imported').waitFor()
  })
  assert.equal((await spacesNamed('Guide')).length, 1)
})

test('an archive whose answer is lost is sent again by itself, and imported once into one space', {
  skip,
}, async () => {
  const buffer = Buffer.from(zipOf([{ path: 'README.md', text: '# Home\n\nThe first words.\n' }]))
  await openWorkspace(w, 'create', '/w/new/upload', async (page, watch) => {
    let tries = 0
    await page.route('**/git/archive', async route => {
      tries += 1
      if (tries > 2) return route.fallback()
      if (tries === 2) await sendUnanswered(route)
      return route.abort('connectionreset')
    })
    await choose(page, 'Zip archive', { name: 'Lost.zip', mimeType: 'application/zip', buffer })
    await button(page, 'Import').click()
    await page.getByText('The connection was lost. It is sent again by itself.').waitFor()
    await page.getByText('The first words.').waitFor()
    assert.equal(tries, 3)
    watch.errors.length = 0
  })
  const spaces = await spacesNamed('Lost')
  assert.equal(spaces.length, 1)
  assert.equal((await w.get(`/spaces/${spaces[0]?.id}/git/operations`)).count, 1)
})

test('an upload goes on while other screens are shown, with how far it is and a way to stop it in a corner', {
  skip,
}, async () => {
  const buffer = Buffer.from(zipOf([{ path: 'book/README.md', text: '# Home\n\nThe first words.\n' }]))
  await openWorkspace(w, 'create', '/w/new/upload', async page => {
    const toHome = () => page.locator('a[href="/w"]').filter({ visible: true }).first().click()
    let { promise: isLet, resolve: letGo } = Promise.withResolvers<void>()
    await page.route('**/git/archive', async route => {
      await isLet
      await route.fallback().catch(() => {})
    })
    const corner = page.getByRole('region', { name: 'Being uploaded' })
    await choose(page, 'Zip archive', { name: 'Travels.zip', mimeType: 'application/zip', buffer })
    await button(page, 'Import').click()
    await page.getByText('You can go on elsewhere').waitFor()
    assert.equal(await corner.count(), 0)
    await assertAccessible(page)
    await toHome()
    await corner.getByRole('progressbar', { name: 'Upload of Travels.zip' }).waitFor()
    await assertAccessible(page)
    await corner.getByRole('button', { name: 'Cancel Travels.zip' }).click()
    await corner.waitFor({ state: 'hidden' })
    letGo()
    await page.goBack()
    await page.getByText(/^Travels\.zip: 1 file,/).waitFor()
    const second = Promise.withResolvers<void>()
    isLet = second.promise
    letGo = second.resolve
    await button(page, 'Import').click()
    await page.getByText('You can go on elsewhere').waitFor()
    await toHome()
    await corner.waitFor()
    letGo()
    const said = page.getByRole('alertdialog').filter({ hasText: 'is uploaded and is being imported' })
    await said.getByRole('button', { name: 'Show' }).click()
    await page.getByText('The first words.').waitFor()
    assert.equal(await corner.count(), 0)
  })
  assert.equal((await spacesNamed('Travels')).length, 1)
})

test('Repository of a space: what was imported, each problem with its page, and importing again', {
  skip,
}, async () => {
  const space = await w.createSpace({ title: 'Kept' })
  const odd = file('setup.md', '---\ndescription: [\n---\n\n# Set up\n')
  const repository = await w.repository([file('README.md', '# Home\n'), odd])
  assert.equal((await w.import(space, repository)).problems.length, 1)
  await repository.commit({ changes: [file('README.md', '# Home\n\nThe new words.\n')] })
  await openWorkspace(w, 'admin', `/w/s/${space.id}/git`, async page => {
    await page.getByText(`Connected with ${repository.name.replace('.git', '')}`).waitFor()
    await page.getByText('1 thing to look at').click()
    await assertAccessible(page)
    await page.getByText('The frontmatter cannot be read').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Set up' }).click()
    await page.getByRole('heading', { name: 'Set up', level: 1 }).waitFor()
    await page.goBack()
    await button(page, 'Import again').click()
    const dialog = page.getByRole('dialog', { name: 'Import again' })
    assert.equal(
      await dialog.getByRole('textbox', { name: 'Address of the repository' }).inputValue(),
      `${w.host.url}/${repository.name}`,
    )
    await dialog.getByRole('textbox', { name: 'User' }).fill('ada')
    await dialog.getByRole('textbox', { name: 'Password or token' }).fill(PASSWORD)
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Import' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('Done').nth(1).waitFor()
  })
  await w.services.tasks.idle()
  const home = await w.get(`/spaces/${space.id}/content/path/readme?format=markdown`)
  assert.match(home.markdown, /The new words/)
})

test('Keep in sync imports the repository from then on, until it is stopped', { skip }, async () => {
  const repository = await w.repository(GUIDE())
  await openWorkspace(w, 'admin', '/w/new/git', async page => {
    await fillAddress(page, repository)
    await page.getByText('3 pages, 0 files').waitFor()
    await field(page, 'Title').fill('In sync')
    await page.getByRole('combobox', { name: 'Afterwards' }).click()
    const every = page.getByRole('option', { name: 'Keep in sync: import again every hour' })
    await every.waitFor()
    // The options stay where the page scrolls.
    await page.evaluate(() => {
      document.body.style.minBlockSize = '3000px'
      scrollBy(0, 30)
    })
    await page.waitForFunction(() => scrollY >= 30)
    await every.click()
    await button(page, 'Import').click()
    await page.getByRole('button', { name: 'Look', exact: true }).click()
    await page.getByRole('heading', { name: 'Repository', level: 1 }).waitFor()
    const kept = page.getByRole('region', { name: 'Kept in sync', exact: true })
    await kept.getByText(`${w.host.url}/${repository.name}, branch main`).waitFor()
    await assertAccessible(page)
    await kept.getByRole('button', { name: 'Stop keeping in sync' }).click()
    await kept.waitFor({ state: 'hidden' })
  })
})
