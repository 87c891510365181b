// `octavo import --check`: what an import would make of a repository, a folder or an archive. Nothing is written.

import { type Check, checkTree } from '../api/git-sync/check.ts'
import type { Problem } from '../api/git-sync/layout.ts'
import { OpenedArchive } from '../api/git-sync/opened-archive.ts'
import { checkRepository } from '../api/git-sync/probe.ts'
import { readDirectory } from '../api/git-sync/request.ts'
import type { Layout } from '../api/git-sync/schema.ts'
import type { Services } from '../http/context.ts'
import { parseRemote } from '../platform/git/remote.ts'
import { folderTree } from '../platform/trees/folder-tree.ts'
import type { CommandContext } from './command-context.ts'
import { type ImportOptions, readFormat } from './import.ts'
import { isRepository } from './source.ts'

export type CheckOptions = Pick<ImportOptions, 'source' | 'from' | 'ref' | 'directory'>

export type CheckResult = {
  readonly pages: number
  readonly files: number
  readonly layout: Layout
  /** What an import would notice without stopping, as its operation would say it. */
  readonly problems: readonly Problem[]
}

const LANE = 'octavo import --check'

export async function checkImport(
  services: Services,
  options: CheckOptions,
  { emit, signal }: CommandContext,
): Promise<CheckResult> {
  emit({ stage: 'reading content', done: 0, total: 0 })
  const { pages, files, layout, problems } = await check(services, options, signal)
  return { layout, pages, files, problems }
}

async function check(
  services: Services,
  { source, from, ref, directory: given = '' }: CheckOptions,
  signal: AbortSignal,
): Promise<Pick<Check, 'pages' | 'files' | 'layout' | 'problems'>> {
  const directory = readDirectory(given)
  if (isRepository(source)) {
    const deadlineMs = services.config.gitSecondsMax * 1000
    const remote = parseRemote(source)
    return checkRepository(services, LANE, { remote, ref, root: directory, deadlineMs, signal })
  }
  const format = readFormat(from)
  const archive = /\.zip$/i.test(source) ? await OpenedArchive.open(services, source, directory) : undefined
  try {
    const tree = archive === undefined ? await folderTree(source) : await archive.readTree(signal)
    return await checkTree(services, { tree, directory, format, lane: LANE, signal })
  } finally {
    await archive?.close()
  }
}
