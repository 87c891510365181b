// From a revision to the files of a commit, the inverse of layout.ts. Pure except for the functions that it reads with.
// The repository's state of the space is a revision too, so only the differences between the two are written, and
// everything else in the repository stays as it is.
import { conflict, invalid } from '../../base/errors.ts'
import { gitBlobOid } from '../../base/git-blob.ts'
import { joinPath } from '../../base/paths.ts'
import type { Content } from '../../engines/content/content.ts'
import { encodeDocument } from '../../engines/content/objects.ts'
import type { VariableRecord } from '../../engines/content/records.ts'
import type { StoredObject } from '../../engines/content/store.ts'
import type { TreeEntry } from '../../platform/tree-source.ts'
import { PAGE_BYTES_MAX } from '../content/bounds.ts'
import { VARIABLES_BYTES_MAX } from './layout/bounds.ts'
import { takeInventory, VARIABLES_FILE } from './layout/inventory.ts'
import { modeOfEntry } from './layout/modes.ts'
import { namingProblems, type Problem, Problems } from './layout/problems.ts'
import { CONFIG_FILE, type Project, projectOf, readProject } from './layout/project.ts'
import { BOM, decodeStrictly, hasByteOrderMark, readFile } from './layout/reader.ts'
import type { Source } from './layout/source.ts'
import { planSummary } from './layout/summary-text.ts'
import { bytesOf, type FileContent, filesOf, isSameFile } from './layout/written-files.ts'

export type WrittenFile = {
  /** From the top of the repository. */
  readonly path: string
  readonly content: FileContent
  readonly isExecutable: boolean
}

export type ExportPlan = {
  readonly writes: readonly WrittenFile[]
  /** Paths from the top of the repository. */
  readonly removes: readonly string[]
  /** SUMMARY.md, if it is written. */
  readonly summary: StoredObject | undefined
  readonly problems: readonly Problem[]
}

export type ExportOptions = {
  /** '' is the top of the repository. */
  readonly projectDirectory: string
  /** Unknown files of the repository are overwritten. */
  readonly isForced: boolean
}

/** A file of the space, and as it was when the repository had it last. */
type Change = { readonly was?: FileContent | undefined; readonly content: FileContent }

/**
 * The plan of an export.
 *
 * @param source the parent of the new commit; without one it has no entries
 * @param base the space as this commit has it: the revision that it was imported as or exported from; absent if it
 * never was
 * @throws Failure conflict `export_conflicts` that names files of the repository that are unknown to the space and
 * would be overwritten; those of `readProject`.
 */
export async function planExport(
  source: Source,
  { base, head }: { readonly base: Content | undefined; readonly head: Content },
  { projectDirectory, isForced }: ExportOptions,
): Promise<ExportPlan> {
  const problems = new Problems()
  const project = await findProject(source, projectDirectory, head, problems)
  const [before, after] = [base === undefined ? new Map<string, FileContent>() : filesOf(base), filesOf(head)]
  const variables = await planVariables(source, project, base, head)
  if (variables !== undefined) after.set(VARIABLES_FILE, bytesOf(variables.bytes))
  const summary = await planSummary(source, project, { base, head }, problems)
  if (summary !== undefined) after.set(project.summary, bytesOf(summary))

  const entries = new Map(source.entries.map(entry => [entry.path, entry]))
  const folders = new Set(source.entries.flatMap(({ path }) => foldersOf(path)))
  const outgrown = outgrownReusables(base, path => entries.get(joinPath(project.root, path))?.size ?? 0)
  const isKnown = (path: string) => before.has(path) && !outgrown.has(path)
  const writes: WrittenFile[] = []
  const unknownFiles: string[] = []
  const write = async (path: string, { was, content }: Change, isOurs: boolean) => {
    const entry = entries.get(path)
    const isModeSame = was?.isExecutable === content.isExecutable
    // A mode that the space did not change stays as the repository has it.
    const { isExecutable = false } = isModeSame && entry !== undefined ? modeOfEntry(entry) : content
    const isSame = !isOurs && entry !== undefined && (await hasBytes(source, entry, content))
    if (isSame && isExecutable === (entry.kind === 'executable')) return
    // A file replaces a folder with everything in it, and a folder replaces a file or a link.
    const above = isOurs ? undefined : foldersOf(path).find(folder => entries.has(folder))
    const isInTheWay = !isOurs && !isSame && (entry !== undefined || folders.has(path))
    if (!isForced && (isInTheWay || above !== undefined)) unknownFiles.push(above ?? path)
    writes.push({ path, content, isExecutable })
  }
  for (const [path, content] of after) {
    const was = before.get(path)
    if (isSameFile(was, content)) continue
    const isOwn = path === project.summary || (path === VARIABLES_FILE && variables?.isEdited === true)
    await write(
      joinPath(project.root, path),
      { was, content },
      isKnown(path) || (isOwn && base !== undefined),
    )
  }
  if (head.config !== null && head.config !== base?.config) {
    const content = { kind: 'document', hash: head.config } as const
    await write(joinPath(projectDirectory, CONFIG_FILE), { content }, base?.config != null)
  }
  if (unknownFiles.length > 0) throw conflicting(unknownFiles, base !== undefined)
  const removes = [...before.keys()]
    .filter(path => !after.has(path) && isKnown(path))
    .map(path => joinPath(project.root, path))
    .filter(path => entries.has(path))
  return {
    writes,
    removes,
    summary: summary === undefined ? undefined : encodeDocument(summary),
    problems: problems.list(),
  }
}

/** Paths of reusable contents that an import did not change because their files are too large. */
function outgrownReusables(base: Content | undefined, sizeOf: (path: string) => number): Set<string> {
  const files = [...(base?.reusables.values() ?? [])].map(({ file }) => file)
  return new Set(files.filter(file => sizeOf(file) > PAGE_BYTES_MAX))
}

/** `a/b/c.md` is in `a` and in `a/b`. */
export function foldersOf(path: string): string[] {
  const folders: string[] = []
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1))
    folders.push(path.slice(0, end))
  return folders
}

/** As configured by the space, or else by the repository. */
async function findProject(
  source: Source,
  directory: string,
  { config }: Content,
  problems: Problems,
): Promise<Project> {
  if (config === null) return readProject(source, directory, null, problems)
  const bytes = (await source.readDocuments([config])).get(config)
  return projectOf(source, directory, bytes, problems)
}

type WrittenVariables = {
  readonly bytes: Uint8Array
  /** The existing file was edited; false if it cannot be read, so that its content is unknown. */
  readonly isEdited: boolean
}

/** Variables as they are to be written, or undefined if they did not change. */
export async function planVariables(
  source: Source,
  { root }: Project,
  base: Content | undefined,
  { variables }: Content,
): Promise<WrittenVariables | undefined> {
  const before: ReadonlyMap<string, VariableRecord> = base?.variables ?? new Map()
  const values: Record<string, VariableRecord | null> = Object.create(null)
  for (const [name, value] of variables) if (before.get(name) !== value) values[name] = value
  for (const name of before.keys()) if (!variables.has(name)) values[name] = null
  if (Object.keys(values).length === 0) return undefined
  const inventory = takeInventory(source.entries, root, new Problems())
  const isThere = inventory.byPath.has(VARIABLES_FILE)
  const bytes = await readFile(source, inventory, VARIABLES_FILE, VARIABLES_BYTES_MAX)
  const text = bytes === undefined ? undefined : decodeStrictly(bytes)
  const edited = isThere && text === undefined ? undefined : await editVariables(source, text ?? '', values)
  const written = edited ?? (await editVariables(source, '', values)) ?? ''
  const hasBom = edited !== undefined && bytes !== undefined && hasByteOrderMark(bytes)
  return { bytes: Buffer.from(hasBom ? BOM + written : written), isEdited: edited !== undefined }
}

/** Undefined if the text is not a map. */
async function editVariables(
  { compute, spaceId }: Source,
  text: string,
  values: Readonly<Record<string, VariableRecord | null>>,
): Promise<string | undefined> {
  const edited = await compute.run('yamlEdit', spaceId, {
    ...{ text, charactersMax: VARIABLES_BYTES_MAX },
    values: { ...values },
  })
  if (edited.kind === 'done') return edited.value
  throw invalid(
    'variables_too_costly',
    `${VARIABLES_FILE} takes too long to be written. Make it shorter and export again.`,
  )
}

async function hasBytes(source: Source, { oid, kind }: TreeEntry, content: FileContent): Promise<boolean> {
  if (kind !== 'file' && kind !== 'executable') return false
  if (content.kind === 'blob') return content.oid === oid
  const bytes =
    content.kind === 'bytes' ? content.bytes : (await source.readDocuments([content.hash])).get(content.hash)
  return bytes !== undefined && gitBlobOid(bytes) === oid
}

const NAMED_MAX = 5

function conflicting(paths: readonly string[], isKnown: boolean) {
  const shown = paths.slice(0, NAMED_MAX).join(', ')
  const more = paths.length > NAMED_MAX ? ` and ${paths.length - NAMED_MAX} more` : ''
  // Importing the commit again would leave them out again, as SUMMARY.md does not list them.
  const advice = isKnown
    ? 'Rename or remove them in the repository'
    : 'Import the repository first, choose another repoProjectDirectory'
  const failure = conflict(
    'export_conflicts',
    `The repository has ${shown}${more}, which this space knows nothing of and would write over. Nothing was exported. ` +
      `${advice}, or export with force: then these files are written over.`,
  )
  return namingProblems(
    failure,
    paths.map(file => ({ code: 'file_unknown', message: 'The space knows nothing of this file.', file })),
  )
}
