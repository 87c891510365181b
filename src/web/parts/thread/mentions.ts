// Mentions of people in a text: shown as `@Name` while it is written, kept in its Markdown as a link to the person, so that
// it still means them when they change their name.

/** Ids by the names that are mentioned. */
export type Mentioned = ReadonlyMap<string, string>

const LINK = /\[@((?:\\.|[^\\[\]@]){1,200})\]\(\/users\/(\w{1,128})\)/g

/** The text as it is written, and who is mentioned in it. */
export function readMentions(markdown: string): { readonly text: string; readonly mentioned: Mentioned } {
  const mentioned = new Map<string, string>()
  const text = markdown.replace(LINK, (link, label: string, id: string) => {
    const name = label.replace(/\\(.)/g, '$1')
    // Two people of one name: the second stays a link, which says who it is.
    if ((mentioned.get(name) ?? id) !== id) return link
    mentioned.set(name, id)
    return `@${name}`
  })
  return { text, mentioned }
}

/** The Markdown of a text in which these people are mentioned. */
export function writeMentions(text: string, mentioned: Mentioned): string {
  // A name may begin with another one.
  const names = [...mentioned.keys()].sort((one, other) => other.length - one.length)
  let markdown = ''
  let at = 0
  while (at < text.length) {
    const found = text.indexOf('@', at)
    if (found === -1) break
    markdown += text.slice(at, found)
    const name = isStart(text, found) ? names.find(one => isNamed(text, found + 1, one)) : undefined
    markdown +=
      name === undefined ? '@' : `[@${name.replace(/[\\[\]@]/g, '\\$&')}](/users/${mentioned.get(name)})`
    at = found + 1 + (name?.length ?? 0)
  }
  return markdown + text.slice(at)
}

const QUERY_CHARACTERS_MAX = 40

/** The mention that is being written at the caret: where its `@` stands, and what follows it. */
export function mentionAt(text: string, caret: number): { start: number; query: string } | undefined {
  const start = text.lastIndexOf('@', caret - 1)
  if (start === -1 || caret - start > QUERY_CHARACTERS_MAX || !isStart(text, start)) return undefined
  const query = text.slice(start + 1, caret)
  return /[\n@]|^\s|\s{2}/.test(query) ? undefined : { start, query }
}

/** A longer word that begins with the name is another one. */
const isNamed = (text: string, at: number, name: string): boolean =>
  text.startsWith(name, at) && !/[\p{L}\p{N}]/u.test(text[at + name.length] ?? '')

/** An address of email is no mention, nor is what already is a link. */
const isStart = (text: string, at: number): boolean => at === 0 || /[\s(]/.test(text[at - 1] ?? '')
