// What the server has, read over HTTP and held against the model.
import assert from 'node:assert/strict'
import type { World } from '../../support/world.ts'
import type { ModelContent, ModelPage, Paragraph } from './content.ts'

const DISPUTED = 'Everybody writes this paragraph of the page again and again, and now it says '

/** The Markdown of a page: the disputed paragraph first. */
export const toMarkdown = ({ disputed, paragraphs }: Pick<ModelPage, 'disputed' | 'paragraphs'>): string =>
  `${[`${DISPUTED}${disputed}.`, ...paragraphs].join('\n\n')}\n`

function parseMarkdown(markdown: string): Pick<ModelPage, 'disputed' | 'paragraphs'> {
  assert.ok(markdown.endsWith('\n'), 'a text ends with its line')
  const [first = '', ...paragraphs] = markdown.slice(0, -1).split('\n\n')
  assert.ok(first.startsWith(DISPUTED) && first.endsWith('.'), `the disputed paragraph is first: ${markdown}`)
  return { disputed: first.slice(DISPUTED.length, -1), paragraphs }
}

type TreePage = { id: string; title: string; documentId?: string; pages?: TreePage[] }

/** Reads content, each document once: its id is that of its text. */
export class Server {
  readonly w: World
  readonly #texts = new Map<string, string>()

  constructor(w: World) {
    this.w = w
  }

  async call(method: string, path: string, body?: unknown) {
    const { status, body: answer } = await this.w.call(method, path, body === undefined ? {} : { body })
    return { status, body: answer }
  }

  /** What has to succeed. */
  async ask(method: string, path: string, body?: unknown) {
    const answer = await this.call(method, path, body)
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  /**
   * `path`: a space, a revision of it, or a change request. Answers what is expected with the paragraphs in the order
   * that the server has them in.
   */
  async assertContent(path: string, expected: ModelContent): Promise<ModelContent> {
    const content = path.includes('/revisions/') ? path : `${path}/content`
    const { pages } = await this.ask('GET', `${content}/pages`)
    const found = new Map<string, Omit<ModelPage, 'isChapter'>>()
    const visit = async (children: readonly TreePage[], parent: string | null) => {
      for (const page of children) {
        assert.equal(found.has(page.id), false, 'a page occurs once')
        found.set(page.id, { title: page.title, parent, ...parseMarkdown(await this.#textOf(content, page)) })
        await visit(page.pages ?? [], page.id)
      }
    }
    await visit(pages, null)
    assert.deepEqual(toComparable(found), toComparable(expected), path)
    return new Map(
      [...expected].map(([id, page]) => [id, { ...page, paragraphs: found.get(id)?.paragraphs ?? [] }]),
    )
  }

  async #textOf(content: string, page: TreePage): Promise<string> {
    const id = page.documentId ?? ''
    const known = this.#texts.get(id)
    if (known !== undefined) return known
    const { markdown } = await this.ask('GET', `${content}/page/${page.id}`)
    this.#texts.set(id, markdown)
    return markdown
  }
}

/** Where two sides put paragraphs at one place, which comes first is not for this model to say. */
const toComparable = (content: ReadonlyMap<string, Omit<ModelPage, 'isChapter'>>) =>
  [...content]
    .map(([id, { title, parent, disputed, paragraphs }]) => ({
      ...{ id, title, parent, disputed },
      paragraphs: [...paragraphs].sort() satisfies Paragraph[],
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
