// The sections of a document: the heading that each of its blocks is below.

/** The position of the heading directly above each block, -1 for none. A heading is below one of a higher level. */
export function findParents(levels: readonly (number | undefined)[]): number[] {
  const open: { readonly level: number; readonly at: number }[] = []
  return levels.map((level, at) => {
    while (level !== undefined && (open.at(-1)?.level ?? -1) >= level) open.pop()
    const parent = open.at(-1)?.at ?? -1
    if (level !== undefined) open.push({ level, at })
    return parent
  })
}

/** Numbers for sections: sections with the same headings above them have the same number in every document. */
export class SectionNumbers {
  readonly #numbers = new Map<string, number>()

  /** The section of a heading that is in a section; 0 is the part above all headings. */
  below(section: number, heading: string): number {
    const name = `${section} ${heading}`
    const number = this.#numbers.get(name) ?? this.#numbers.size + 1
    this.#numbers.set(name, number)
    return number
  }

  /** The section of each block. */
  of(blocks: readonly { readonly bare: string; readonly level?: number | undefined }[]): number[] {
    const sections: number[] = []
    for (const [at, parent] of findParents(blocks.map(({ level }) => level)).entries())
      sections[at] = parent === -1 ? 0 : this.below(sections[parent] ?? 0, blocks[parent]?.bare ?? '')
    return sections
  }
}
