// `.gitbook.yaml`: the folders and redirects of a repository.
import { isObject } from '../../../base/objects.ts'
import type { ProblemValues } from '../../../base/problems.ts'
import { parseYaml, type YamlProblem } from '../syntax/syntax.ts'

export type GitbookConfig = {
  /** The content folder, relative to the repository, without `./` and slashes at its ends; '' is the root. */
  readonly root: string
  readonly structure: {
    readonly readme: string
    readonly summary: string
    /** Whether the file names the summary itself. */
    readonly isSummaryNamed: boolean
  }
  /** In the order of the file. `from` is a path on the site, `to` a file or path relative to `root`, as written. */
  readonly redirects: readonly { readonly from: string; readonly to: string }[]
}

export const GITBOOK_DEFAULTS: GitbookConfig = {
  root: '',
  structure: { readme: 'README.md', summary: 'SUMMARY.md', isSummaryNamed: false },
  redirects: [],
}

const REDIRECTS_MAX = 10_000
/** Room for about two thousand redirects. */
const CONFIG_CHARACTERS_MAX = 200_000

type Complain = (code: string, message: string, values?: ProblemValues) => void

/** Reads any text. A wrong value is a problem, and its default is used. */
export function parseGitbookYaml(text: string): { config: GitbookConfig; problems: YamlProblem[] } {
  const { value, problems } = parseYaml(text, { charactersMax: CONFIG_CHARACTERS_MAX })
  const complain: Complain = (code, message, values) =>
    problems.push({ code, message, ...(values === undefined ? {} : { values }) })
  if (!isObject(value)) {
    if (value !== null && value !== undefined)
      complain('config_not_a_map', '.gitbook.yaml: keys with values are expected, such as `root: ./docs/`.')
    return { config: GITBOOK_DEFAULTS, problems }
  }
  const path = (name: string, written: unknown, fallback: string): string => {
    if (written === undefined || written === null) return fallback
    const clean = typeof written === 'string' ? cleanPath(written) : undefined
    if (clean === undefined)
      complain('config_path_invalid', `${name}: a path inside the repository is expected.`, { name })
    return clean ?? fallback
  }
  const structure = value.structure ?? {}
  if (!isObject(structure))
    complain('config_structure_invalid', 'structure: `readme` and `summary` are expected below it.')
  const names = isObject(structure) ? structure : {}
  return {
    config: {
      root: path('root', value.root, ''),
      structure: {
        readme: path('structure.readme', names.readme, 'README.md') || 'README.md',
        summary: path('structure.summary', names.summary, 'SUMMARY.md') || 'SUMMARY.md',
        isSummaryNamed: typeof names.summary === 'string',
      },
      redirects: readRedirects(value.redirects, complain),
    },
    problems,
  }
}

function readRedirects(written: unknown, complain: Complain): GitbookConfig['redirects'] {
  if (!isObject(written)) {
    const message = 'redirects: lines such as `old/path: new/page.md` are expected below it.'
    if (written !== undefined && written !== null) complain('config_redirects_invalid', message)
    return []
  }
  const entries = Object.entries(written)
  if (entries.length > REDIRECTS_MAX)
    complain('config_redirects_too_many', `redirects: only the first ${REDIRECTS_MAX} are used.`, {
      max: REDIRECTS_MAX,
    })
  return entries.slice(0, REDIRECTS_MAX).flatMap(([from, to]) => {
    if (typeof to === 'string' && to.trim() !== '') return { from, to: to.trim() }
    const name = from.slice(0, 200)
    complain('config_redirect_invalid', `redirects: ${name} has no path to lead to.`, { name })
    return []
  })
}

/** A path without `./`, doubled slashes and slashes at its ends; undefined if it leads out of the repository. */
function cleanPath(path: string): string | undefined {
  const parts = path
    .trim()
    .split('/')
    .filter(part => part !== '' && part !== '.')
  return parts.includes('..') || path.includes('\0') ? undefined : parts.join('/')
}
