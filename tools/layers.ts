// The architecture as data: the layers of src, the order of the modules of src/api, and which imports they allow.

// A layer imports itself and the layers before it. `web` runs in browsers: it imports itself and the data below alone,
// and nothing imports it.
const LAYERS = [
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
const BROWSER_LAYER = 'web'

/** Data of the server that the workspace has too: each imports only data and types. */
const BROWSER_DATA: ReadonlySet<string> = new Set(['src/engines/markdown/blocks/inserts.ts'])

// The folders of src/web: each imports only itself and those before it.
export const WEB_MODULES: readonly string[] = [
  'look',
  'messages',
  'data',
  'parts',
  'editor',
  'screens',
  'app',
]

// The modules of src/api: each imports only those before it. What flows the other way is an event.
export const API_MODULES: readonly string[] = [
  ...[
    'accounts',
    'organizations',
    'members',
    'sessions',
    'oauth',
    'teams',
    'collections',
    'spaces',
    'moves',
    'grants',
  ],
  ...['invitations', 'visitors', 'change-requests'],
  ...[
    'content',
    'heads',
    'changes',
    'links',
    'print',
    'conflicts',
    'edits',
    'templates',
    'comments',
    'reviews',
    'merges',
    'timelines',
    'glossary',
    'embeddings',
    'search',
    'git-sync',
    'git-remote',
  ],
  ...[
    'openapi-specs',
    'rendering',
    'sso',
    'scim',
    'integrations',
    'syncs',
    'agent-tasks',
    'conversations',
    'ask',
    'audit',
  ],
  ...['events', 'live', 'webhooks', 'notifications', 'people', 'keys'],
]

/** `spaces` of the layer `api`, `db` of `platform`; a file that is right in its layer is named by itself. */
export type Module = { readonly layer: string; readonly name: string }

const WEB_ENTRY = 'main.tsx'

const levelOf = (layer: string): number => LAYERS.findIndex(layers => layers.includes(layer))

/** The module that a file of the product belongs to; undefined for a file outside of the plan. */
export function moduleOf(path: string): Module | undefined {
  const [top, layer = '', name = ''] = path.split('/')
  if (top === 'src' && layer === BROWSER_LAYER)
    return WEB_MODULES.includes(name) || name === WEB_ENTRY ? { layer, name } : undefined
  if (top !== 'src' || levelOf(layer) === -1) return undefined
  if (layer === 'engines' && name.endsWith('.ts')) return undefined
  if (layer === 'api' && name !== 'index.ts' && !API_MODULES.includes(name)) return undefined
  return { layer, name }
}

export const isForBrowsers = (from: Module, target: string): boolean =>
  from.layer === BROWSER_LAYER && BROWSER_DATA.has(target)

/** Why `from` may not import `to`, or undefined when it may. */
export function refuseDependency(from: Module, to: Module): string | undefined {
  if (from.layer === BROWSER_LAYER || to.layer === BROWSER_LAYER) return refuseInBrowser(from, to)
  if (levelOf(to.layer) > levelOf(from.layer))
    return `${from.layer} is a layer below ${to.layer}: imports point down only`
  if (to.layer !== from.layer && levelOf(to.layer) === levelOf(from.layer))
    return 'engines and platform are independent of each other'
  if (to.layer === 'engines' && from.layer === 'engines' && from.name !== to.name)
    return 'engines are independent of one another: pass a function in'
  if (from.layer !== 'api' || from.name === 'index.ts' || to.layer !== 'api') return undefined
  if (to.name === 'index.ts') return 'a module of the API does not import the list that it is in'
  return API_MODULES.indexOf(to.name) > API_MODULES.indexOf(from.name)
    ? `${from.name} comes before ${to.name}: the earlier one emits an event, the later one listens`
    : undefined
}

function refuseInBrowser(from: Module, to: Module): string | undefined {
  // What the reader's pages load runs in browsers as well.
  if (to.layer === 'site' && to.name === 'assets') return undefined
  if (from.layer !== to.layer)
    return from.layer === BROWSER_LAYER
      ? 'the workspace knows the server only by its API'
      : 'the workspace runs in browsers: the server does not import it'
  if (from.name === WEB_ENTRY) return undefined
  return WEB_MODULES.indexOf(to.name) > WEB_MODULES.indexOf(from.name) || to.name === WEB_ENTRY
    ? `${from.name} comes before ${to.name}: take what it needs as a property`
    : undefined
}
