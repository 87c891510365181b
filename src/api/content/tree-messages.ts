// Problems of a page tree, as messages for the caller.
import { TREE_DEPTH_MAX, TREE_PAGES_MAX } from '../../engines/content/tree.ts'
import type { TreeProblem } from '../../engines/content/tree-check.ts'

export function describeTreeProblem(problem: TreeProblem): string {
  switch (problem.kind) {
    case 'child_missing':
      return `${nameParent(problem.parent)} lists the page ${problem.page}, which is not there.`
    case 'child_listed_twice':
      return `${nameParent(problem.parent)} lists the page ${problem.page} twice.`
    case 'parent_disagrees':
      return `${nameParent(problem.parent)} lists the page ${problem.page}, which is somewhere else.`
    case 'orphan':
      return `The page ${problem.page} is listed by no parent.`
    case 'cycle':
      return `The page ${problem.page} would be its own ancestor.`
    case 'slug_taken':
      return `Two siblings would have the slug "${problem.slug}". Give one of them another.`
    case 'slug_invalid':
      return `"${problem.slug}" cannot be a slug: it may not be empty and may not contain a slash.`
    case 'children_forbidden':
      return `The page ${problem.page} is a link or a computed page and cannot have subpages.`
    case 'group_nested':
      return `The group ${problem.page} can only be at the root.`
    case 'too_deep':
      return `The page ${problem.page} would be deeper than ${TREE_DEPTH_MAX} levels.`
    case 'too_many_pages':
      return `The space would have ${problem.pages} pages; at most ${TREE_PAGES_MAX} are allowed.`
  }
}

const nameParent = (parent: string | null): string => (parent === null ? 'The root' : `The page ${parent}`)
