// Files that Git LFS keeps elsewhere: a repository has a short text in their place. The text is kept as it is, so that an
// export changes nothing, and named.
import type { Inventory } from './inventory.ts'
import type { Problem, Problems } from './problems.ts'
import type { Source } from './source.ts'

/** https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md */
const START = /^version https:\/\/(?:git-lfs\.github\.com|hawser\.github\.com)\/spec\/v\d/
const POINTER_BYTES_MAX = 1024

export const pointerKept = (file: string): Problem => ({
  code: 'lfs_pointer',
  message:
    'This is not the file but a pointer of Git LFS to it. Fetch the file with git lfs pull, and import it with its content.',
  file,
})

export const isPointer = (text: string): boolean => text.length <= POINTER_BYTES_MAX && START.test(text)

/** Names a document that is a pointer. It is read for its text anyway, so it is named when it is new or changed. */
export function namePointer(bytes: Uint8Array, path: string, problems: Problems): void {
  if (bytes.length <= POINTER_BYTES_MAX && isPointer(Buffer.from(bytes).toString('latin1')))
    problems.add(pointerKept(path))
}

/** Names the pointers among files, also those that are known already: pages show them. */
export async function namePointers(
  source: Source,
  { byPath, files }: Inventory,
  problems: Problems,
): Promise<void> {
  const small = new Map(
    [...files].flatMap(path => {
      const entry = byPath.get(path)
      return entry !== undefined && entry.size <= POINTER_BYTES_MAX && entry.size >= POINTER_BYTES_MIN
        ? [[entry, path] as const]
        : []
    }),
  )
  if (small.size === 0) return
  for await (const { entry, bytes } of source.read([...small.keys()], POINTER_BYTES_MAX))
    if (isPointer(bytes.toString('latin1'))) problems.add(pointerKept(small.get(entry) ?? entry.path))
}

/** The address, an id and a size. */
const POINTER_BYTES_MIN = 100
