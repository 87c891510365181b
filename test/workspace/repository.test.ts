// The repository of a space in the workspace: exporting to it, keeping in sync with it, and what its imports found odd.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipBrowser as skip } from '../support/browser.ts'
import { edit, liveAt } from '../support/edits.ts'
import { file, flattenPages, importWorld, PASSWORD } from '../support/imports.ts'
import { assertAccessible, openWorkspace } from '../support/workspace.ts'

const w = await importWorld()

const GUIDE = () => [
  file('SUMMARY.md', '* [Home](README.md)\n* [Set up](setup.md)\n'),
  file('README.md', '# Home\n'),
  file('setup.md', '# Set up\n\nTo begin.\n'),
]

async function connected(title: string) {
  const space = await w.createSpace({ title })
  const repository = await w.repository(GUIDE())
  await w.import(space, repository)
  return { space, repository }
}

async function rewrite(space: { id: string }, path: string, markdown: string): Promise<void> {
  const { pages } = await w.get(`/spaces/${space.id}/content/pages`)
  const page = flattenPages(pages).find(one => one.git?.path === path)?.id
  await edit(w, liveAt(space.id), { operation: 'update_page', page, document: { markdown } })
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** The form of a dialog, filled with what the person knows. */
async function fill(page: Page, name: string, fields: Readonly<Record<string, string>> = {}) {
  const dialog = page.getByRole('dialog', { name })
  const all = { User: 'ada', 'Password or token': PASSWORD, ...fields }
  for (const [label, value] of Object.entries(all))
    await dialog.getByRole('textbox', { name: label, exact: true }).fill(value)
  return dialog
}

test('what an export writes is said before it is written, and then it is a commit', { skip }, async () => {
  const { space, repository } = await connected('Exported')
  await rewrite(space, 'setup.md', '# Set up\n\nNew words.\n')
  const tip = await repository.tip()
  await openWorkspace(w, 'admin', `/w/s/${space.id}/git`, async page => {
    await button(page, 'Export').click()
    const dialog = await fill(page, 'Export to a repository')
    assert.equal(
      await dialog.getByRole('textbox', { name: 'Address of the repository' }).inputValue(),
      `${w.host.url}/${repository.name}`,
    )
    await dialog.getByRole('button', { name: 'Look at what it writes' }).click()
    await dialog.getByText('1 file is written, 0 files are removed').waitFor()
    await dialog.getByText('1 file is written', { exact: true }).click()
    await dialog.getByText('setup.md', { exact: true }).waitFor()
    assert.equal(await repository.tip(), tip, 'nothing is written by looking')
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Export', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('Written').waitFor()
    await assertAccessible(page)
  })
  assert.notEqual(await repository.tip(), tip)
})

test('an export that would write over files of others says which, and writes over them when told to', {
  skip,
}, async () => {
  const { space } = await connected('Over')
  const other = await w.repository([file('README.md', '# Of others\n')])
  await openWorkspace(w, 'admin', `/w/s/${space.id}/git`, async page => {
    await button(page, 'Export').click()
    const address = { 'Address of the repository': `${w.host.url}/${other.name}` }
    const dialog = await fill(page, 'Export to a repository', address)
    await dialog.getByRole('button', { name: 'Look at what it writes' }).click()
    await dialog.getByText('README.md', { exact: true }).waitFor()
    await assertAccessible(page)
    await dialog.getByText('Write over what the repository has').click()
    await dialog.getByRole('button', { name: 'Look at what it writes' }).click()
    await dialog.getByText('3 files are written, 0 files are removed').waitFor()
    await dialog.getByRole('button', { name: 'Export', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('Written').waitFor()
  })
  assert.match((await other.git(['show', 'main:README.md'])).toString(), /# Home/)
})

test('a host that does not let somebody write, and a branch that is not there, are said where they fail', {
  skip,
}, async () => {
  const { space } = await connected('Refused')
  await openWorkspace(w, 'admin', `/w/s/${space.id}/git`, async page => {
    await button(page, 'Export').click()
    const dialog = await fill(page, 'Export to a repository', { 'Password or token': 'not the password' })
    await dialog.getByRole('button', { name: 'Look at what it writes' }).click()
    await dialog.getByRole('alert').getByText('The host refused the user and password').waitFor()
    await fill(page, 'Export to a repository', { Branch: 'next' })
    await dialog.getByRole('button', { name: 'Look at what it writes' }).click()
    await dialog.getByText('The branch next is not there').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await button(page, 'Import again').click()
    const again = await fill(page, 'Import again', { Branch: 'none' })
    await again.getByRole('button', { name: 'Import', exact: true }).click()
    await again.waitFor({ state: 'hidden' })
    await page.getByText('The repository does not have this branch any more. Choose another one.').waitFor()
    await assertAccessible(page)
  })
})

test('a space is kept in sync in both directions later, its webhook is shown once, and it is disconnected', {
  skip,
}, async () => {
  const { space, repository } = await connected('Both ways')
  await openWorkspace(w, 'admin', `/w/s/${space.id}/git`, async page => {
    await button(page, 'Keep in sync').click()
    const dialog = await fill(page, 'Keep in sync')
    await dialog.getByRole('combobox', { name: 'Direction' }).click()
    await page.getByRole('option', { name: 'In both directions' }).click()
    await dialog.getByRole('combobox', { name: 'How often it is imported' }).click()
    await page.getByRole('option', { name: 'Every day, and when its host calls' }).click()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Keep in sync' }).click()
    const secret = dialog.getByRole('textbox', { name: 'Secret of the webhook' })
    await secret.waitFor()
    assert.ok((await secret.inputValue()).length > 20)
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Done' }).click()
    const kept = page.getByRole('region', { name: 'Kept in sync', exact: true })
    await kept.getByText('Changes of the space are written to it.').waitFor()
    const sync = await w.get(`/spaces/${space.id}/git/sync`)
    assert.deepEqual([sync.push, sync.pullEveryMinutes, sync.ref], [true, 1440, 'refs/heads/main'])
    await kept.getByRole('button', { name: 'Stop keeping in sync' }).click()
    await kept.waitFor({ state: 'hidden' })
    await button(page, 'Disconnect').click()
    const question = page.getByRole('dialog', { name: 'Disconnect the repository?' })
    await assertAccessible(page)
    await question.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('No repository is connected.').waitFor()
  })
  const { status } = await w.call('GET', `/spaces/${space.id}/git/info`)
  assert.equal(status, 404)
  assert.ok(repository.name)
})

test('problems are told in German, with the page that was converted, and with what both sides changed', {
  skip,
}, async () => {
  const space = await w.createSpace({ title: 'Handbuch' })
  const repository = await w.repository([
    file('docusaurus.config.js', ''),
    file('docs/intro.mdx', '# Einführung\n\n<Tweet id="1" />\n'),
  ])
  await w.import(space, repository, { from: 'docusaurus' })
  await openWorkspace(
    w,
    'admin',
    `/w/s/${space.id}/git`,
    async page => {
      await page.getByText('1 Hinweis').click()
      await page
        .getByText('„<Tweet>“ ist eine React-Komponente und bleibt, wie sie geschrieben ist.')
        .waitFor()
      await assertAccessible(page)
      await page.getByRole('main').getByRole('link', { name: 'Einführung' }).click()
      await page.getByRole('heading', { name: 'Einführung', level: 1 }).waitFor()
    },
    { locale: 'de' },
  )
})

test('an import that fails on what both sides changed leads to each page', { skip }, async () => {
  const { space, repository } = await connected('Clash')
  await rewrite(space, 'setup.md', '# Set up\n\nOurs.\n')
  await repository.commit({ changes: [file('setup.md', '# Set up\n\nTheirs.\n')] })
  await w.import(space, repository)
  await openWorkspace(w, 'read', `/w/s/${space.id}/git`, async page => {
    await page.getByText('“Set up” was changed on both sides.').waitFor()
    await assertAccessible(page)
    await page.getByRole('main').getByRole('link', { name: 'Set up' }).click()
    await page.getByText('Ours.').waitFor()
  })
})
