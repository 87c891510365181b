// The HTML export of a Confluence space: index.html has the tree of pages, and attachments are below `attachments`.
import type { Element, ElementContent } from 'hast'
import { folderOf, joinPath, nameOf, resolvePath } from '../../base/paths.ts'
import { percentDecode } from '../../base/percent-decode.ts'
import type { Arrangement, Converted, Converter, Entry, Note, Page, Sources, Tools } from './arrangement.ts'
import { followLink, Paths } from './arrangement.ts'
import {
  changeElements,
  checkbox,
  classesOf,
  codeBlock,
  embedOf,
  FRAMES_LEFT_OUT,
  findElement,
  hasClass,
  hasLostFrame,
  isElement,
  parseHtml,
  parseHtmlIfPossible,
  rawLine,
  textOf,
  writeMarkdown,
} from './html.ts'
import { htmlWords } from './lines.ts'

const PAGE = /\.html$/
const DEPTH_MAX = 50

function arrange(sources: Sources, others: readonly string[], tools: Tools): Arrangement {
  const index =
    [...sources.keys()]
      .filter(path => nameOf(path) === 'index.html')
      .sort((one, other) => one.length - other.length)[0] ?? 'index.html'
  const folder = folderOf(index)
  const pages = [...sources.keys()].filter(path => PAGE.test(path) && path !== index)
  const notes: Note[] = []
  const paths = new Paths()
  const place = (path: string, title: string, above: string, hasChildren: boolean): string => {
    const slug = tools.slugify(title) || 'page'
    return paths.claim(path, count => {
      const name = count === 1 ? slug : `${slug}-${count}`
      return joinPath(above, hasChildren ? `${name}/README.md` : `${name}.md`)
    })
  }
  const read = (list: Element, above: string, depth: number): Entry[] =>
    depth > DEPTH_MAX
      ? []
      : list.children.filter(isElement).flatMap(item => {
          const link = item.children.filter(isElement).find(({ tagName }) => tagName === 'a')
          const inner = item.children.filter(isElement).filter(({ tagName }) => tagName === 'ul')
          const path = resolvePath(folder, percentDecode(String(link?.properties.href ?? '')))
          if (link === undefined || path === undefined || !sources.has(path) || paths.given.has(path))
            return inner.flatMap(one => read(one, above, depth + 1))
          const title = textOf(link).trim() || nameOf(path)
          const to = place(path, title, above, inner.length > 0)
          return [{ title, path: to, children: inner.flatMap(one => read(one, folderOf(to), depth + 1)) }]
        })
  const tree = parseHtmlIfPossible(sources.get(index) ?? '')
  const list = findElement(tree, ({ tagName }) => tagName === 'ul')
  const entries = list === undefined ? [] : read(list, '', 0)
  // The first page is the space itself.
  const [home, ...rest] = entries
  for (const path of pages) {
    if (paths.given.has(path)) continue
    const title = titleOfExport(sources.get(path) ?? '', path)
    rest.push({ title, path: place(path, title, '', false), children: [] })
  }
  for (const path of others) {
    if (!path.startsWith(joinPath(folder, 'attachments/'))) continue
    const name = path.slice(joinPath(folder, 'attachments/').length).replaceAll('/', '-')
    paths.claim(path, count => `.gitbook/assets/${count === 1 ? name : `${count}-${name}`}`)
  }
  return { entries: home === undefined ? rest : [home, ...rest], paths: paths.given, notes }
}

function titleOfExport(text: string, path: string): string {
  const title = findElement(parseHtmlIfPossible(text), ({ properties }) => properties.id === 'title-text')
  const words = title === undefined ? '' : textOf(title).replaceAll(/\s+/g, ' ').trim()
  // `Space : Page`
  return (
    words.slice(words.indexOf(' : ') === -1 ? 0 : words.indexOf(' : ') + 3) || nameOf(path).replace(PAGE, '')
  )
}

const MACRO = 'confluence-information-macro'
const STYLES: Readonly<Record<string, string>> = {
  [`${MACRO}-information`]: 'info',
  [`${MACRO}-note`]: 'warning',
  [`${MACRO}-tip`]: 'success',
  [`${MACRO}-warning`]: 'danger',
}

/** Converts what Confluence macros leave in the HTML. */
function change(element: Element): readonly ElementContent[] | undefined {
  const classes = classesOf(element)
  const style = classes.map(name => STYLES[name]).find(found => found !== undefined)
  if (classes.includes(MACRO)) {
    const title = findElement(element, one => classesOf(one).includes('title'))
    const body = findElement(element, one => classesOf(one).includes(`${MACRO}-body`))
    const heading: ElementContent[] =
      title === undefined || textOf(title).trim() === ''
        ? []
        : [
            {
              type: 'element',
              tagName: 'p',
              properties: {},
              children: [{ type: 'element', tagName: 'strong', properties: {}, children: title.children }],
            },
          ]
    return [
      rawLine(`{% hint style="${style ?? 'info'}" %}`),
      ...heading,
      ...(body?.children ?? []),
      rawLine('{% endhint %}'),
    ]
  }
  if (classes.includes('expand-container')) {
    const control = findElement(element, one => classesOf(one).includes('expand-control-text'))
    const content = findElement(element, one => classesOf(one).includes('expand-content'))
    const title = htmlWords(control === undefined ? 'More' : textOf(control).trim())
    return [
      rawLine(`<details>\n<summary>${title}</summary>`),
      ...(content?.children ?? []),
      rawLine('</details>'),
    ]
  }
  if (element.tagName === 'pre') {
    const parameters = String(element.properties.dataSyntaxhighlighterParams ?? '')
    const [, brush = ''] = /\bbrush:\s*([\w+#-]+)/.exec(parameters) ?? []
    return [codeBlock(brush, textOf(element).replace(/\n$/, ''))]
  }
  if (classes.includes('toc-macro') || classes.includes('aui-icon')) return []
  if (classes.includes('inline-task-list'))
    for (const item of element.children.filter(isElement))
      item.children.unshift(checkbox(hasClass(item, 'checked')))
  if (element.tagName === 'iframe') return embedOf(element)
  return ['style', 'script'].includes(element.tagName) ? [] : undefined
}

function convert(page: Page, tools: Tools): Converted {
  const tree = parseHtml(page.text)
  const content =
    findElement(tree, ({ properties }) => properties.id === 'main-content') ??
    findElement(tree, one => hasClass(one, 'wiki-content'))
  const title = tools.writeLine(page.title ?? titleOfExport(page.text, page.path))
  if (content === undefined)
    return { text: `# ${title}\n`, notes: [{ reason: 'no_content', message: 'No content was found in it.' }] }
  const notes = hasLostFrame(content) ? [FRAMES_LEFT_OUT] : []
  changeElements(content, change)
  const text = `# ${title}\n\n${writeMarkdown(content)}`
  return {
    text: tools.rewriteLinks(text, destination => followLink(page, destination, path => [path])),
    notes,
  }
}

export const confluence: Converter = { arrange, convert }
