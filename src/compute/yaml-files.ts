// The YAML files of a repository: its configuration, and its variables.
import { type GitbookConfig, parseGitbookYaml } from '../engines/markdown/gitbook-yaml.ts'
import { readYaml, type YamlProblem } from '../engines/markdown/yaml.ts'
import type { Task } from './task.ts'

type ReadConfig = { readonly config: GitbookConfig; readonly problems: readonly YamlProblem[] }

/** `.gitbook.yaml` */
export const gitbookConfig: Task<{ readonly text: string }, ReadConfig> = ({ text }) => parseGitbookYaml(text)

type Yaml = { readonly text: string; readonly charactersMax: number }

/** Any other, as plain values. */
export const yamlValue: Task<
  Yaml,
  { readonly value: unknown; readonly problems: readonly YamlProblem[] }
> = ({ text, charactersMax }) => readYaml(text, { charactersMax })
