// Icons that content chooses by name: Font Awesome's free set, solid and brands, whose names GitBook uses. A page links
// stylesheets with only the drawings that it shows; the one of the navigation is the same on every page of a space. A
// drawing is a CSS mask: one element with a class, in the colour of its text, without script or inline style.
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { sha256 } from '../../base/canonical.ts'
import { iconName, isIconName } from '../../engines/markdown/html/values.ts'
import type { TreeItem } from './view.ts'

/** Serves `?icons=rocket,book`: the rules of these icons. With the version of now they may be kept. */
export const ICON_SHEET_PATH = '/assets/icons.css'

/** Icons of one stylesheet: about 170 KB, a third of that compressed, with an address below 11 KB. */
export const ICONS_PER_SHEET_MAX = 200
/** Sheets that one page can load; further icons show the page glyph. */
const SHEETS_MAX = 4

const PACKAGES = ['@fortawesome/free-solid-svg-icons', '@fortawesome/free-brands-svg-icons'] as const

/** The attribution that the licence of the drawings requires. */
const NOTICE = '/* Font Awesome Free by Fonticons, Inc., CC BY 4.0: https://fontawesome.com/license/free */'

// Sheets are cached for a year, so their address changes with the drawings and with the rules of this file.
export const ICON_SHEET_VERSION = sha256(
  [
    fileURLToPath(import.meta.url),
    ...PACKAGES.map(name => fileURLToPath(import.meta.resolve(`${name}/package.json`))),
  ]
    .map(path => readFileSync(path, 'utf8'))
    .join('\n'),
).slice(0, 12)

/** The address of a sheet up to the names of its icons, which follow with commas between. */
export const ICON_SHEET_HREF = `${ICON_SHEET_PATH}?v=${ICON_SHEET_VERSION}&icons=`

/** Names of the icons in markup of the reader. Text that looks like an icon costs an unused rule. */
export function chosenIconsIn(markup: string): Set<string> {
  const names = new Set<string>()
  for (const [, name] of markup.matchAll(/class="[^"]{0,60}\bicon fa-([a-z0-9-]{1,50})[" ]/g))
    if (name !== undefined) names.add(name)
  return names
}

/** Names of the icons of a navigation, including closed branches. */
export function chosenIconsOf(tree: readonly TreeItem[]): ReadonlySet<string> {
  const names = chosen.get(tree) ?? findIcons(tree)
  chosen.set(tree, names)
  return names
}

const chosen = new WeakMap<readonly TreeItem[], ReadonlySet<string>>()

function findIcons(tree: readonly TreeItem[]): Set<string> {
  const names = new Set<string>()
  const rest = [...tree]
  for (let item = rest.pop(); item !== undefined; item = rest.pop()) {
    const name = item.emoji === null || item.emoji === '' ? iconName(item.icon ?? undefined) : undefined
    if (name !== undefined) names.add(name)
    rest.push(...item.children)
  }
  return names
}

/** Addresses of the stylesheets that hold these icons; equal sets have equal addresses. */
export function iconSheetHrefs(names: Iterable<string>): string[] {
  const sorted = [...new Set(names)]
    .filter(isIconName)
    .sort()
    .slice(0, ICONS_PER_SHEET_MAX * SHEETS_MAX)
  const hrefs: string[] = []
  for (let at = 0; at < sorted.length; at += ICONS_PER_SHEET_MAX)
    hrefs.push(ICON_SHEET_HREF + sorted.slice(at, at + ICONS_PER_SHEET_MAX).join(','))
  return hrefs
}

/** The CSS rules of these icons. An unknown name has none, and shows the page glyph of `.icon`. */
export async function renderIconRules(names: readonly string[]): Promise<string> {
  const rules: string[] = []
  for (const name of new Set(names)) {
    const drawing = isIconName(name) ? await findDrawing(name) : undefined
    if (drawing !== undefined) rules.push(`.fa-${name}{--icon:url("data:image/svg+xml,${drawing}")}`)
  }
  return rules.length === 0 ? '' : [NOTICE, ...rules].join('\n')
}

/** The drawings of these icons by name, as SVG in one colour; unknown names are left out. */
export async function drawIcons(names: Iterable<string>, colour: string): Promise<Map<string, string>> {
  const drawings = new Map<string, string>()
  for (const name of names) {
    const drawing = isIconName(name) ? await findDrawing(name) : undefined
    if (drawing !== undefined)
      drawings.set(name, decodeURIComponent(drawing).replace('<path ', `<path fill='${colour}' `))
  }
  return drawings
}

type Module = { readonly width: number; readonly height: number; readonly svgPathData: string }

/** The drawing as the text of a data URL; undefined for an unknown name. */
async function findDrawing(name: string): Promise<string | undefined> {
  for (const spelling of spellingsOf(name)) {
    const specifier = (await listDrawings()).get(moduleOf(spelling))
    if (specifier === undefined) continue
    // The types of the icon package only cover names that are known in advance.
    const { width, height, svgPathData } = ((await import(specifier)) as { default: Module }).default
    return `%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 ${width} ${height}'%3E%3Cpath d='${svgPathData}'/%3E%3C/svg%3E`
  }
  return undefined
}

/** `arrow-up-1-9` → `faArrowUp19`, as the packages name their files. */
const moduleOf = (name: string): string =>
  `fa${name.replace(/(?:^|-)([a-z0-9])/g, (_, first: string) => first.toUpperCase()).replaceAll('-', '')}`

let listing: Promise<ReadonlyMap<string, string>> | undefined

/** Every drawing by the name of its module. Each is loaded on first use: the whole set takes 13 MB. */
function listDrawings(): Promise<ReadonlyMap<string, string>> {
  listing ??= Promise.all(
    PACKAGES.map(async name => {
      const files = await readdir(new URL('.', import.meta.resolve(`${name}/package.json`)))
      return files
        .filter(file => /^fa[A-Z0-9]\w*\.js$/.test(file))
        .map(file => file.slice(0, -3))
        .map((module): [string, string] => [module, `${name}/${module}`])
    }),
  ).then(lists => new Map(lists.reverse().flat()))
  return listing
}

/**
 * The name, then its replacements in the free set: its counterpart, and the longest part of the name that has a
 * drawing. Most names of the paid set add a word to one of the free set: `rocket-launch`, `square-terminal`,
 * `message-lines`.
 */
function* spellingsOf(name: string): Generator<string> {
  yield* spellingsOfWord(name)
  const words = name.split('-').filter(word => !SHAPES.has(word))
  for (let end = words.length; end > 0; end--) yield* spellingsOfWord(words.slice(0, end).join('-'))
  for (let start = 1; start < words.length; start++)
    if (words.slice(start).some(word => !ADDITIONS.has(word)))
      yield* spellingsOfWord(words.slice(start).join('-'))
}

function* spellingsOfWord(name: string): Generator<string> {
  yield name
  const counterpart = COUNTERPARTS.get(name)
  if (counterpart !== undefined) yield counterpart
  if (name.endsWith('s')) yield name.slice(0, -1)
}

/** Shapes around an icon, which do not change what it means. */
const SHAPES: ReadonlySet<string> = new Set('square circle rectangle hexagon octagon'.split(' '))

/** Additions to an icon, which alone would mean something else. */
const ADDITIONS: ReadonlySet<string> = new Set(
  `plus minus check xmark slash up down left right high low full half large small simple line lines on off
    alt horizontal vertical medium solid`.split(/\s+/),
)

/** Names of the paid set, and words that people use, with their closest counterparts. */
const COUNTERPARTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    alarm: 'bell',
    api: 'code',
    badge: 'certificate',
    ballot: 'square-poll-vertical',
    binary: 'code',
    block: 'cube',
    brackets: 'code',
    browser: 'window-maximize',
    cabinet: 'box-archive',
    chart: 'chart-column',
    'chart-network': 'circle-nodes',
    close: 'xmark',
    clouds: 'cloud',
    danger: 'circle-exclamation',
    dashboard: 'gauge',
    diagram: 'diagram-project',
    email: 'envelope',
    error: 'circle-xmark',
    eyedropper: 'eye-dropper',
    face: 'face-smile',
    function: 'code',
    game: 'gamepad',
    grid: 'table-cells-large',
    head: 'user',
    'head-side-brain': 'brain',
    input: 'keyboard',
    integration: 'plug',
    layer: 'layer-group',
    layers: 'layer-group',
    light: 'lightbulb',
    mail: 'envelope',
    memo: 'file-lines',
    menu: 'bars',
    merge: 'code-merge',
    monitor: 'desktop',
    network: 'network-wired',
    notebook: 'book',
    objects: 'object-group',
    'octagon-exclamation': 'circle-exclamation',
    package: 'box',
    page: 'file-lines',
    'paint-brush': 'paintbrush',
    pipe: 'diagram-project',
    planet: 'globe',
    presentation: 'person-chalkboard',
    refresh: 'arrows-rotate',
    router: 'network-wired',
    scanner: 'barcode',
    'screen-users': 'people-group',
    seal: 'certificate',
    security: 'shield-halved',
    settings: 'gear',
    'shield-check': 'shield-halved',
    sidebar: 'table-columns',
    sigma: 'calculator',
    siren: 'bell',
    slider: 'sliders',
    snippet: 'code',
    sparkle: 'wand-magic-sparkles',
    sparkles: 'wand-magic-sparkles',
    split: 'code-branch',
    stars: 'star',
    success: 'circle-check',
    sync: 'arrows-rotate',
    'table-layout': 'table-columns',
    'table-rows': 'table-list',
    telescope: 'binoculars',
    text: 'font',
    thought: 'comment',
    'thumb-tack': 'thumbtack',
    'thumb-tack-slash': 'thumbtack-slash',
    timer: 'stopwatch',
    tshirt: 'shirt',
    'user-robot': 'robot',
    variable: 'code',
    warning: 'triangle-exclamation',
    waveform: 'wave-square',
    web: 'globe',
    webhook: 'share-nodes',
    workflow: 'diagram-project',
  }),
)
