// Old addresses: what `.gitbook.yaml` says of pages that moved, asked only where no page stands at a path.
import { indexOf } from '../api/content/index-of-content.ts'
import { readText } from '../api/content/reads.ts'
import type { Content } from '../engines/content/content.ts'
import { parseGitbookYaml } from '../engines/markdown/gitbook-yaml.ts'
import type { Services } from '../http/context.ts'

/** The path of the page that the configuration names for `path`; undefined when it names none that is there. */
export async function findRedirect(
  services: Pick<Services, 'objects'>,
  content: Content,
  path: string,
): Promise<string | undefined> {
  if (content.config === null) return undefined
  const { config } = parseGitbookYaml(await readText(services, content.config))
  const redirect = config.redirects.find(({ from }) => trim(from) === path)
  if (redirect === undefined) return undefined
  const index = indexOf(content)
  const target = index.byFile.get(trim(redirect.to))
  return target?.kind === 'page' ? index.paths.get(target.page) : undefined
}

const trim = (path: string): string => path.replace(/^(\.?\/)+|\/+$/g, '')
