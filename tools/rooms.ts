// The plan of the house as data: its floors, its staircase, and who may look at whom.

// Who may look at whom: a floor imports itself and the floors before it.
const FLOORS = [
  ['base'],
  ['engines', 'platform'],
  ['compute'],
  ['access'],
  ['http'],
  ['api'],
  ['mcp'],
  ['site'],
  ['cli'],
]

// Resources, left to right: each imports only those before it. What flows the other way flows as an event.
export const STAIRS: readonly string[] = [
  ...[
    'accounts',
    'organizations',
    'members',
    'sessions',
    'teams',
    'collections',
    'spaces',
    'moves',
    'grants',
  ],
  ...['invitations', 'visitors', 'change-requests'],
  ...[
    'content',
    'changes',
    'links',
    'print',
    'edits',
    'templates',
    'comments',
    'reviews',
    'merges',
    'glossary',
    'embeddings',
    'search',
    'git-sync',
    'git-remote',
  ],
  ...[
    'templates',
    'openapi-specs',
    'sso',
    'integrations',
    'syncs',
    'agent-tasks',
    'conversations',
    'ask',
    'audit',
  ],
  ...['events', 'webhooks'],
]

export type Room = { readonly floor: number; readonly name: string; readonly inner: string }

/** Where a file of the product stands; undefined when it stands nowhere. */
export function roomOf(path: string): Room | undefined {
  const [top, name = '', inner = ''] = path.split('/')
  const floor = FLOORS.findIndex(names => names.includes(name))
  if (top !== 'src' || floor === -1) return undefined
  if (name === 'engines' && inner.endsWith('.ts')) return undefined
  if (name === 'api' && inner !== 'index.ts' && !STAIRS.includes(inner)) return undefined
  return { floor, name, inner }
}

/** Why `from` may not import `to`, or undefined when it may. */
export function strangers(from: Room, to: Room): string | undefined {
  if (to.floor > from.floor) return `${from.name} may not look up at ${to.name}: floors import downwards only`
  if (to.name !== from.name && to.floor === from.floor) return 'engines and platform do not know each other'
  if (to.name === 'engines' && from.name === 'engines' && from.inner !== to.inner)
    return 'engines do not know one another: pass a function in'
  if (from.name !== 'api' || from.inner === 'index.ts' || to.name !== 'api') return undefined
  if (to.inner === 'index.ts') return 'a resource does not know the list it stands in'
  return STAIRS.indexOf(to.inner) > STAIRS.indexOf(from.inner)
    ? `${from.inner} stands before ${to.inner}: left tells (an event), right listens`
    : undefined
}
