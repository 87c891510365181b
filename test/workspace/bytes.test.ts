// What a browser loads of the workspace before the first list, against its budget.
import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readManifest } from '../../src/site/workspace/bundle.ts'
import { bundleWeb } from '../../tools/web.ts'

const KIB = 1024
const SCRIPT_BYTES_MAX = 170 * KIB
const STYLE_BYTES_MAX = 20 * KIB
// Beside the shell, the styles and one font.
const FIRST_FILES_MAX = 3

test('the shell and any list load at most 170 KB of script and 20 KB of styles, compressed, in few files', async () => {
  const folder = await bundleWeb()
  const manifest = readManifest(folder)
  assert.ok(manifest)
  const { script, preloads, stylesheet } = manifest
  const bytesOf = (name: string) => statSync(join(folder, `${name}.br`)).size
  const bytes = [script, ...preloads].reduce((sum, name) => sum + bytesOf(name), 0)
  assert.ok(bytes <= SCRIPT_BYTES_MAX, `${bytes} bytes of script`)
  assert.ok(bytesOf(stylesheet) <= STYLE_BYTES_MAX, `${bytesOf(stylesheet)} bytes of styles`)
  assert.ok(1 + preloads.length <= FIRST_FILES_MAX + 1, `${1 + preloads.length} files of script`)
})
