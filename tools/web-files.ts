// Which modules of the workspace stand in which file: those of the first screen in one; of what is read when it is
// opened, those that are needed in several places in a few more, and each of the others with what needs it. esbuild alone
// cuts by who needs what, into dozens.
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Metafile, Plugin } from 'esbuild'
import { assert } from '../src/base/assert.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
export const ENTRY = 'src/web/main.tsx'
const EDITOR = 'src/web/screens/editor/editor.tsx'
const LATER = 'later'

/** What is needed in several places that are opened later, and these. Each is a file. */
type Shared = {
  readonly name: string
  readonly modules: readonly string[]
  readonly needing: ReadonlySet<string>
}

export const NOTHING_SHARED: readonly Shared[] = []

/**
 * What comes when it is opened imports the entry, which has run by then: whatever the entry needs is then needed by all,
 * and is in one file. The same holds for what they share.
 */
export const fewFiles = (shared: readonly Shared[]): Plugin => ({
  name: 'few files',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.(?:tsx?|json)$/ }, ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import'
        ? { path: relative(ROOT, join(resolveDir, path)), namespace: LATER }
        : undefined,
    )
    onLoad({ filter: /.*/, namespace: LATER }, ({ path }) => ({
      contents: `export { default } from ${JSON.stringify(join(ROOT, path))}
        import ${JSON.stringify(join(ROOT, ENTRY))}
        ${shared.map(({ name, needing }) => (needing.has(path) ? `import '${name}'` : '')).join('\n')}`,
      resolveDir: ROOT,
    }))
    for (const { name, modules } of shared) {
      onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: name }))
      // Names that nobody imports: of each module stays what others use.
      onLoad({ filter: /.*/, namespace: name }, () => ({
        contents: modules
          .map((path, at) => `import * as $${at} from ${JSON.stringify(join(ROOT, path))}; export { $${at} }`)
          .join('\n'),
        resolveDir: ROOT,
      }))
    }
  },
})

/**
 * What is shared, by a bundle that nothing was shared in: of editors and of all else, what the source editor needs at once
 * and what it does not.
 */
export function sharedIn({ outputs }: Metafile): readonly Shared[] {
  const first = importsOf(outputs, entryOf(outputs, ENTRY))
  const ofEditor = importsOf(outputs, entryOf(outputs, `${LATER}:${EDITOR}`))
  // Empty ones are of modules that only pass on what others export.
  const files = Object.entries(outputs).flatMap(([path, { bytes, entryPoint }]) =>
    path.endsWith('.js') && bytes > 0 && entryPoint === undefined && !first.has(path) ? [path] : [],
  )
  const isNeeded = (path: string) => ofEditor.has(path)
  const [editors, others] = parted(files, isOfEditors)
  const [editor, comparisons] = parted(editors, isNeeded)
  const [common, rest] = parted(others, isNeeded)
  return [
    sharedAs('octavo:editor', editor),
    sharedAs('octavo:comparisons', comparisons),
    // The rest is made of it.
    sharedAs('octavo:common', common, others),
    sharedAs('octavo:rest', rest),
  ]

  function isOfEditors(path: string): boolean {
    return Object.keys(outputs[path]?.inputs ?? {}).some(input =>
      /\/@codemirror\/|^src\/web\/editor\//.test(input),
    )
  }

  function sharedAs(name: string, ownFiles: readonly string[], forFiles = ownFiles): Shared {
    const needing = Object.entries(outputs).flatMap(([path, { entryPoint = '' }]) =>
      forFiles.some(file => importsOf(outputs, path).has(file)) ? [entryPoint.replace(`${LATER}:`, '')] : [],
    )
    return {
      name,
      modules: ownFiles.flatMap(path => Object.keys(outputs[path]?.inputs ?? {})).sort(),
      needing: new Set(needing),
    }
  }
}

const parted = (files: readonly string[], isFirst: (file: string) => boolean) =>
  [files.filter(isFirst), files.filter(file => !isFirst(file))] as const

/** Others import the entry: its code is in a file that the entry does nothing but import. */
export function firstFilesOf({ outputs }: Metafile): {
  readonly script: string
  readonly stylesheet: string
} {
  const entry = entryOf(outputs, ENTRY)
  const [script, ...others] = importsOf(outputs, entry)
  const stylesheet = outputs[entry]?.cssBundle
  assert(
    script !== undefined && stylesheet !== undefined && others.length === 0,
    `${ENTRY} is not one script and its styles`,
  )
  return { script: basename(script), stylesheet: basename(stylesheet) }
}

function entryOf(outputs: Metafile['outputs'], entryPoint: string): string {
  const entry = Object.keys(outputs).find(path => outputs[path]?.entryPoint === entryPoint)
  assert(entry !== undefined, `${entryPoint} is not among the outputs`)
  return entry
}

/** What a file imports, and they in turn. */
function importsOf(outputs: Metafile['outputs'], path: string): Set<string> {
  const reached = new Set([path])
  for (const one of reached)
    for (const { kind, path: target } of outputs[one]?.imports ?? [])
      if (kind === 'import-statement') reached.add(target)
  reached.delete(path)
  return reached
}
