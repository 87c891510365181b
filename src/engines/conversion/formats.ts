// The layouts of documentation, besides GitBook's own, that an import understands.

export const FORMATS = ['mdbook', 'mkdocs', 'docusaurus', 'notion', 'confluence'] as const

export type Format = (typeof FORMATS)[number]

/** The configuration file of each; Notion and Confluence are recognised by the names of their files. */
const CONFIGURATION: readonly (readonly [Format, RegExp])[] = [
  ['mdbook', /^book\.toml$/],
  ['mkdocs', /^mkdocs\.ya?ml$/],
  ['docusaurus', /^docusaurus\.config\.[cm]?[jt]s$/],
]
const GITBOOK = /^(?:\.gitbook\.yaml|SUMMARY\.md)$/i
const NOTION = /[ ][0-9a-f]{32}\.(?:md|html|csv)$/
const CONFLUENCE = /^(?:[^/]+\/)?(?:[^/]*_)?\d+\.html$/

/** The format of a folder, by the paths of its files; undefined for GitBook's layout and for any other Markdown. */
export function detectFormat(paths: readonly string[]): Format | undefined {
  if (paths.some(path => GITBOOK.test(path))) return undefined
  const configured = CONFIGURATION.find(([, name]) => paths.some(path => name.test(path)))
  if (configured !== undefined) return configured[0]
  if (paths.some(path => NOTION.test(path))) return 'notion'
  const hasIndex = paths.some(path => /^(?:[^/]+\/)?index\.html$/.test(path))
  return hasIndex && paths.some(path => CONFLUENCE.test(path)) ? 'confluence' : undefined
}
