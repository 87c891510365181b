// The tools of one space, for everybody who may read it: read-only, and limited to this space.
import { Type } from 'typebox'
import { From, Limit, Query } from './fields.ts'
import { pageName } from './page-name.ts'
import { contentAt, FoundInSpace, ListedPages, listPages, ReadPage, readPage, searchSpace } from './reads.ts'
import { type Tool, tool } from './tool.ts'

export const spaceTools = (space: string): readonly Tool[] => [
  tool({
    name: 'search',
    title: 'Search',
    description:
      'Finds pages of this documentation by words. Answers titles, ids, addresses and the sections that were found.',
    input: Type.Object({ query: Query, limit: Type.Optional(Limit) }),
    isReadOnly: true,
    output: FoundInSpace,
    run: (api, request) => searchSpace(api, space, request),
  }),
  tool({
    name: 'list_pages',
    title: 'List pages',
    description: 'Lists the pages of this documentation in the order of its navigation.',
    input: Type.Object({ from: Type.Optional(From) }),
    isReadOnly: true,
    output: ListedPages,
    run: (api, { from }) => listPages(api, contentAt(space), { which: 'listed', from }),
  }),
  tool({
    name: 'read_page',
    title: 'Read a page',
    description: 'Reads a page of this documentation as Markdown.',
    input: Type.Object({ ...pageName, from: Type.Optional(From) }),
    isReadOnly: true,
    output: ReadPage,
    run: (api, name) => readPage(api, contentAt(space), name),
  }),
]
