// Which files a source file imports, read from its text: enough for rules about direction, with no compiler.
import { posix } from 'node:path'

export type Import = { readonly specifier: string; readonly line: number }

/**
 * Comments blanked out, everything else where it was, so that line numbers hold. A comment begins at the start of a
 * line or after a space, which keeps addresses and globs inside strings whole.
 */
export const withoutComments = (text: string): string =>
  text
    .replace(/(?<=^|\s)\/\*[\s\S]*?\*\//g, comment => comment.replace(/[^\n]/g, ' '))
    .replace(/(^|[ \t])\/\/[^\n]*/gm, (_, before: string) => before)

const IMPORT = /\b(?:from\s*|import\s*\(?\s*)(['"])([^'"\n]+)\1/g

/** Static, side-effect and literal dynamic imports, and re-exports. */
export function importsOf(text: string): Import[] {
  const code = withoutComments(text)
  return [...code.matchAll(IMPORT)].map(match => ({
    specifier: match[2] as string,
    line: lineAt(code, match.index),
  }))
}

/** The 1-based line of an offset. */
export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** `src/http/app.ts` + `../base/ids.ts` → `src/base/ids.ts`; undefined for a package or a module of Node. */
export const resolveImport = (from: string, specifier: string): string | undefined =>
  specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : undefined

/**
 * A question about imports of imports: whether a file, or anything it reaches, is as asked. `read` answers undefined
 * for a path that is no file of the project, and is asked once for each.
 */
export function reaching(
  isWanted: (path: string, text: string) => boolean,
  read: (path: string) => string | undefined,
): (path: string) => boolean {
  const looked = new Map<string, { readonly isWanted: boolean; readonly imports: readonly string[] }>()
  const look = (path: string) => {
    const found = looked.get(path)
    if (found !== undefined) return found
    const text = read(path) ?? ''
    const imports = importsOf(text).flatMap(({ specifier }) => resolveImport(path, specifier) ?? [])
    const answer = { isWanted: isWanted(path, text), imports }
    looked.set(path, answer)
    return answer
  }
  return path => {
    const reached = new Set([path])
    for (const next of reached) {
      const { isWanted, imports } = look(next)
      if (isWanted) return true
      for (const target of imports) reached.add(target)
    }
    return false
  }
}
