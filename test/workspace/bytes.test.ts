// What a browser loads of the workspace before it shows a screen, against its budget. These are bytes as they are sent,
// the same on every machine.
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Manifest, readManifest } from '../../src/site/workspace/bundle.ts'
import { bundleWeb } from '../../tools/web.ts'

const KIB = 1024
const STYLE_KIB_MAX = 16
/** Home and lists are in the first file. */
const FIRST_KIB_MAX = 170
/** The tree of pages beside every screen of a space. */
const TREE_KIB_MAX = 8
/** Of what else a screen needs; other screens have no part in it. */
const LATER_KIB_MAX = {
  'change-request': 45,
  conflicts: 42.5,
  space: 38.5,
  history: 35.5,
  editor: 118.5,
  manage: 61,
  repositories: 47.5,
  search: 34.5,
}
/** Its own, the one that the editor shares with others, and CodeMirror or what only others share. */
const LATER_FILES_MAX = {
  'change-request': 3,
  conflicts: 3,
  space: 3,
  history: 3,
  editor: 3,
  manage: 3,
  repositories: 3,
  search: 3,
}

async function bundle(): Promise<Manifest & { readonly folder: string }> {
  const folder = await bundleWeb()
  const manifest = readManifest(folder)
  assert.ok(manifest)
  return { ...manifest, folder }
}

const kibOf = (folder: string, names: Iterable<string>): number =>
  [...names].reduce((sum, name) => sum + statSync(join(folder, `${name}.br`)).size, 0) / KIB

/** What a file imports before it runs, and they in turn. */
function importsOf(folder: string, name: string): Set<string> {
  const reached = new Set([name])
  for (const one of reached) {
    const text = readFileSync(join(folder, one), 'utf8')
    for (const [, imported = ''] of text.matchAll(/\b(?:from|import)"\.\/([^"]+\.js)"/g))
      reached.add(imported)
  }
  reached.delete(name)
  return reached
}

/** What is read when it is opened, and what it needs beside the first file. */
function laterFilesOf({ folder, script, files }: Awaited<ReturnType<typeof bundle>>, name: string) {
  const own = files.find(file => file.startsWith(`${name}-`) && file.endsWith('.js'))
  assert.ok(own, 'it has no file')
  const later = importsOf(folder, own).add(own)
  assert.ok(later.delete(script), 'it does without the first file')
  return later
}

test('Home and any list load one script and one file of styles', async () => {
  const { folder, script, stylesheet } = await bundle()
  assert.deepEqual(importsOf(folder, script), new Set())
  const [scriptKib, styleKib] = [kibOf(folder, [script]), kibOf(folder, [stylesheet])]
  assert.ok(scriptKib <= FIRST_KIB_MAX, `${scriptKib} KiB of script`)
  assert.ok(styleKib <= STYLE_KIB_MAX, `${styleKib} KiB of styles`)
})

test('the tree of pages beside a list in a space is one file', async () => {
  const web = await bundle()
  const later = laterFilesOf(web, 'page-tree')
  assert.equal(later.size, 1, [...later].join())
  const kib = kibOf(web.folder, later)
  assert.ok(kib <= TREE_KIB_MAX, `${kib} KiB`)
})

for (const [screen, kibMax] of Object.entries(LATER_KIB_MAX))
  test(`${screen} loads few files beside the first and the tree`, async () => {
    const web = await bundle()
    const later = laterFilesOf(web, screen)
    assert.ok(later.size <= LATER_FILES_MAX[screen as keyof typeof LATER_KIB_MAX], [...later].join())
    const kib = kibOf(web.folder, later)
    assert.ok(kib <= kibMax, `${kib} KiB`)
  })
