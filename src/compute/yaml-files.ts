// The YAML files of a repository: its configuration, and its variables.
import { isObject } from '../base/objects.ts'
import { setKeys } from '../engines/markdown/edit/edit.ts'
import { type GitbookConfig, parseGitbookYaml } from '../engines/markdown/page/page.ts'
import { lineEndOf, parseYaml, type YamlProblem } from '../engines/markdown/syntax/syntax.ts'
import type { Task } from './task.ts'

export type ReadConfig = { readonly config: GitbookConfig; readonly problems: readonly YamlProblem[] }

/** `.gitbook.yaml` */
export const gitbookConfig: Task<{ readonly text: string }, ReadConfig> = ({ text }) => parseGitbookYaml(text)

type Yaml = { readonly text: string; readonly charactersMax: number }

/** Any other YAML file, as plain values. */
export const yamlValue: Task<
  Yaml,
  { readonly value: unknown; readonly problems: readonly YamlProblem[] }
> = ({ text, charactersMax }) => parseYaml(text, { charactersMax })

type Edit = {
  readonly text: string
  readonly charactersMax: number
  /** By key; null removes a key. */
  readonly values: Readonly<Record<string, string | number | boolean | null>>
}

/** Sets keys of a map and keeps every other byte; undefined if the text is not a map. */
export const yamlEdit: Task<Edit, string | undefined> = ({ text, charactersMax, values }) => {
  const { value } = parseYaml(text, { charactersMax })
  // A file of nothing but comments is null.
  if (typeof value !== 'object' || Array.isArray(value)) return undefined
  const wanted = Object.fromEntries(Object.entries(values).map(([key, one]) => [key, one ?? undefined]))
  return setKeys(text, isObject(value) ? value : {}, wanted, lineEndOf(text))
}
