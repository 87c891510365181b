// Content for a test, written as a repository would be: files in a folder, imported through the real door.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type ImportOutcome, importFolder } from '../../src/api/git-sync/import.ts'
import type { PersonName, World } from './world.ts'

export type Files = Readonly<Record<string, string | Uint8Array>>

/** Makes the space have exactly these files, as an import of them would. */
export async function publishFiles(
  w: World,
  spaceId: string,
  files: Files,
  by: PersonName = 'admin',
): Promise<void> {
  await importFiles(w, spaceId, files, by)
}

/** The same, and answers what came of it. */
export async function importFiles(
  w: World,
  spaceId: string,
  files: Files,
  by: PersonName = 'admin',
): Promise<ImportOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-files-'))
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    }
    return await importFolder(w.services, { spaceId, folder, createdBy: w.people[by].id, isForced: true })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A new space with these files. */
export async function spaceWith(
  w: World,
  files: Files,
  body: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { id } = await w.createSpace(body)
  await publishFiles(w, id, files)
  return id
}

/** A PNG of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
