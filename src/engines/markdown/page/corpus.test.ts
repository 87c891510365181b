// The engine on two real documentation repositories (see ATTRIBUTION.md there for the counts).
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { frontmatter } from 'micromark-extension-frontmatter'
import { gfm } from 'micromark-extension-gfm'
import { isChosen } from '../../../../test/support/corpus.ts'
import {
  childrenOf,
  maskTags,
  type Node,
  parseFrontmatter,
  parseMarkdown,
  type Root,
  readCommonMark,
} from '../syntax/syntax.ts'
import { parseGitbookYaml } from './gitbook-yaml.ts'
import { pageMetadata } from './page-metadata.ts'
import { blocks, sections } from './parts.ts'
import { ownAnchor } from './places.ts'
import { references } from './references.ts'
import { resolvePath } from './resolve-path.ts'
import { parseSummary, type SummaryEntry } from './summary.ts'

const CORPUS = join(import.meta.dirname, '../../../../../shared/corpus')
const isHere = existsSync(CORPUS)
const left = isHere ? {} : { skip: 'the corpus is not on this machine (../shared/corpus)' }

type Repository = { files: Set<string>; pages: Map<string, string>; summary: string; config: string }

function read(name: string): Repository {
  const root = join(CORPUS, name)
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter(file => file !== 'ATTRIBUTION.md')
  const text = (file: string) => readFileSync(join(root, file), 'utf8')
  return {
    files: new Set(files),
    pages: new Map(files.filter(file => file.endsWith('.md')).map(file => [file, text(file)])),
    summary: text('SUMMARY.md'),
    config: files.includes('.gitbook.yaml') ? text('.gitbook.yaml') : '',
  }
}

const repositories = new Map(
  isHere ? ['beefree-sdk-docs', 'dify-docs-zh'].map(name => [name, read(name)]) : [],
)
const [beefree, dify] = [...repositories.values()] as [Repository, Repository]

function* walk(node: Node): Generator<Node> {
  yield node
  for (const child of childrenOf(node)) yield* walk(child)
}

const roots = new Map<string, Root>()
/** Parsed once for all tests. */
function rootOf(page: string): Root {
  const root = roots.get(page) ?? parseMarkdown(page)
  roots.set(page, root)
  return root
}

const nodesOf = ({ pages }: Repository): Node[] =>
  [...pages.values()].flatMap(page => [...walk(rootOf(page))])

function countTags(repository: Repository): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const node of nodesOf(repository))
    if (node.type === 'tag' && !node.name.startsWith('@')) counts[node.name] = (counts[node.name] ?? 0) + 1
  return counts
}

describe('every page of a real repository', left, () => {
  it('has its tags, all of them paired', () => {
    assert.deepEqual(countTags(beefree), {
      hint: 245,
      embed: 50,
      tab: 44,
      tabs: 22,
      openapi: 21,
      'openapi-operation': 8,
      'content-ref': 2,
      code: 1,
    })
    assert.deepEqual(countTags(dify), { hint: 45, tab: 12, tabs: 5, 'content-ref': 4, code: 1 })
  })

  it('has its HTML as balanced elements: tables, cards, figures, anchors', () => {
    const counts = (repository: Repository) => {
      const nodes = nodesOf(repository)
      const tables = nodes.filter(node => node.type === 'element' && node.name === 'table')
      return {
        tables: tables.length,
        cards: tables.filter(node => node.type === 'element' && node.attributes['data-view'] === 'cards')
          .length,
        anchors: nodes.filter(node => node.type === 'heading' && ownAnchor(node) !== undefined).length,
        stray: nodes.filter(node => node.type === 'html' && (node.kind === 'open' || node.kind === 'close'))
          .length,
      }
    }
    assert.deepEqual(counts(beefree), { tables: 51, cards: 9, anchors: 401, stray: 0 })
    assert.deepEqual(counts(dify), { tables: 13, cards: 1, anchors: 36, stray: 1 })
  })

  it('holds no literal tag outside code but the one that is no tag', () => {
    const literal = [...repositories.values()]
      .flatMap(nodesOf)
      .filter(node => node.type === 'text' && node.value.includes('{%'))
    assert.deepEqual(
      literal.map(node => node.type === 'text' && node.value.match(/\{%.*?%\}/)?.[0]),
      ['{%customer.name%}'],
    )
  })

  // Micromark takes seconds for large pages, which hold nothing that the others do not.
  it('is read as micromark reads it, block by block and offset by offset', () => {
    for (const { pages } of repositories.values())
      for (const [file, page] of [...pages].filter((_, at) => isChosen(at, 4))) {
        if (page.length > 6_000) continue
        const { text } = maskTags(page)
        const expected = fromMarkdown(text, {
          extensions: [gfm(), frontmatter(['yaml'])],
          mdastExtensions: [gfmFromMarkdown(), frontmatterFromMarkdown(['yaml'])],
        })
        const outline = (root: { children: readonly { type: string; position?: unknown }[] }) =>
          root.children.map(({ type, position }) => {
            const { start, end } = position as { start: { offset: number }; end: { offset: number } }
            return `${type} ${start.offset}-${end.offset}`
          })
        assert.deepEqual(outline(readCommonMark(text)), outline(expected), file)
      }
  })

  it('without tags and HTML keeps the blocks of the parser', () => {
    let count = 0
    for (const { pages } of repositories.values())
      for (const [file, page] of pages) {
        if (/\{%|<[a-z/!?]/i.test(page)) continue
        const outline = rootOf(page).children.map(
          node => `${node.type} ${node.position.start}-${node.position.end}`,
        )
        const expected = readCommonMark(page).children.map(
          ({ type, position }) => `${type} ${position!.start.offset}-${position!.end.offset}`,
        )
        assert.deepEqual(outline, expected, file)
        count++
      }
    assert.ok(count >= 40, `${count} pages`)
  })

  it('is the sum of its blocks, and of its sections and references nothing lies outside', () => {
    for (const { pages } of repositories.values())
      for (const [file, page] of pages) {
        assert.equal(
          blocks(page, rootOf(page))
            .map(({ start, end }) => page.slice(start, end))
            .join(''),
          page,
          file,
        )
        for (const { start, end, text } of sections(page, rootOf(page))) {
          assert.ok(start < end && end <= page.length)
          assert.ok(!text.includes('{% hint'), file)
        }
        for (const reference of references(page, rootOf(page)))
          assert.ok(reference.isExact, `${file} ${reference.destination}`)
      }
  })

  it('has frontmatter that is read without a problem', () => {
    const count = ({ pages }: Repository) =>
      [...pages].filter(([file, page]) => {
        const { data, problems, bodyStart } = parseFrontmatter(page)
        assert.deepEqual([...problems, ...pageMetadata(data).problems], [], file)
        assert.equal(rootOf(page).children[0]?.type === 'yaml', bodyStart > 0, file)
        return bodyStart > 0
      }).length
    assert.deepEqual([count(beefree), count(dify)], [86, 10])
  })

  it('links to pages that are there, apart from the ones that are known to be broken', () => {
    const broken = [...beefree.pages].flatMap(([file, page]) =>
      references(page, rootOf(page))
        .filter(({ kind }) => kind === 'link' || kind === 'content-ref')
        .map(({ destination }) => ({
          destination,
          resolved: resolvePath(file, destination, path => beefree.files.has(path)),
        }))
        .filter(({ resolved }) => resolved.type === 'broken'),
    )
    assert.equal(broken.filter(({ destination }) => destination.startsWith('broken-reference')).length, 16)
    assert.equal(broken.length, 21)
  })
})

describe('a real table of contents', left, () => {
  const survey = (entries: readonly SummaryEntry[]) => {
    const counts = { group: 0, page: 0, link: 0, text: 0, computed: 0 }
    let deepest = 0
    const visit = (entry: SummaryEntry, depth: number) => {
      counts[entry.type]++
      const below = entry.type === 'group' ? depth : depth + 1
      deepest = Math.max(deepest, below)
      for (const child of entry.children) visit(child, below)
    }
    for (const entry of entries) visit(entry, 0)
    return { ...counts, deepest }
  }

  it('is read whole', () => {
    const [one, two] = [parseSummary(beefree.summary), parseSummary(dify.summary)]
    assert.deepEqual([one.problems, two.problems], [[], []])
    assert.deepEqual(survey(one.entries), { group: 12, page: 204, link: 0, text: 0, computed: 0, deepest: 5 })
    assert.deepEqual(survey(two.entries), { group: 7, page: 167, link: 2, text: 0, computed: 0, deepest: 3 })
  })

  it('names files that are there, and says on which line', () => {
    for (const { summary, files } of repositories.values()) {
      const visit = (entry: SummaryEntry) => {
        if (entry.type === 'page') {
          assert.ok(files.has(entry.path), entry.path)
          const own = summary.slice(entry.lines.start, entry.lines.end)
          assert.ok(own.endsWith('\n') && own.includes(entry.destination), own)
          assert.equal(summary.split('\n')[entry.lines.line - 1], own.slice(0, -1))
        }
        entry.children.forEach(visit)
      }
      parseSummary(summary).entries.forEach(visit)
    }
  })
})

describe('a real .gitbook.yaml', left, () => {
  it('is read with all of its redirects', () => {
    const { config, problems } = parseGitbookYaml(beefree.config)
    assert.deepEqual(problems, [])
    assert.equal(config.root, '')
    assert.equal(config.redirects.length, 115)
    assert.deepEqual(config.redirects[0], { from: 'getting-started', to: 'README.md' })
  })
})
