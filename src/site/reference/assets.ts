// The files of the reference besides those of the reader: a stylesheet and scripts, named by a hash of their bytes.
import { readFileSync } from 'node:fs'
import { sha256 } from '../../base/canonical.ts'
import { CachedBody } from '../../http/cached-body.ts'

export interface ReferenceAssets {
  readonly stylesheet: string
  readonly script: string
  /** Makes forms for operations that readers may send. */
  readonly tryScript: string
  /** The file at a path on the server, or undefined. */
  find(path: string): CachedBody | undefined
}

const HASH_LENGTH = 12

/** Reads the files once; a server keeps the result as long as it runs. */
export function readReferenceAssets(): ReferenceAssets {
  const byPath = new Map<string, CachedBody>()
  const add = (name: string, extension: string, contentType: string): string => {
    const bytes = readFileSync(new URL(`../assets/${name}.${extension}`, import.meta.url))
    const path = `/docs/assets/${name}.${sha256(bytes).slice(0, HASH_LENGTH)}.${extension}`
    byPath.set(path, new CachedBody(bytes, `${contentType}; charset=utf-8`))
    return path
  }
  return {
    stylesheet: add('reference', 'css', 'text/css'),
    script: add('reference', 'js', 'text/javascript'),
    tryScript: add('try', 'js', 'text/javascript'),
    find: path => byPath.get(path),
  }
}
