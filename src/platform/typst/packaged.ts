// Files in packages, whether exported or not.
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'

/** `@scope/name/path` or `name/path`. */
export function placeOfPackaged(file: string): string {
  const parts = file.split('/')
  const name = parts.slice(0, file.startsWith('@') ? 2 : 1).join('/')
  const manifest = findPackageJSON(name, import.meta.url)
  if (manifest === undefined) throw new Error(`the package ${name} is not installed`)
  return join(dirname(manifest), file.slice(name.length))
}
