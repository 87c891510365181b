// The reader's icons, drawn for it: strokes on a 24 by 24 grid, two units wide, round ends. They become CSS masks,
// so an icon is one element with a class, takes the colour of its text and needs no script or inline style.
import { type Html, html } from '../../base/html.ts'

const CIRCLE = 'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z'

/** Path data by name: the icons that the reader itself uses. Icons that content chooses are in chosen-icons.ts. */
const PATHS: Readonly<Record<string, string>> = {
  'magnifying-glass': 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM20 20l-4.8-4.8',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z',
  bars: 'M4 6h16M4 12h16M4 18h16',
  xmark: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  'chevron-right': 'M9 5l7 7-7 7',
  'arrow-right': 'M4 12h16M14 6l6 6-6 6',
  'arrow-left': 'M20 12H4M10 6l-6 6 6 6',
  'arrow-up': 'M12 20V4M6 10l6-6 6 6',
  'arrow-up-right': 'M7 17L17 7M8 7h9v9',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  link: 'M10 14a4 4 0 0 0 5.7 0l3.6-3.6a4 4 0 0 0-5.7-5.7L12 6.3M14 10a4 4 0 0 0-5.7 0l-3.6 3.6a4 4 0 0 0 5.7 5.7l1.6-1.6',
  'link-slash':
    'M9.5 9a4 4 0 0 0-1.2 1l-3.6 3.6a4 4 0 0 0 5.7 5.7l1.6-1.6M14.5 15a4 4 0 0 0 1.2-1l3.6-3.6a4 4 0 0 0-5.7-5.7L12 6.3M4 4l16 16',
  'circle-info': `${CIRCLE}M12 11v5.5M12 7.5v.2`,
  'circle-check': `${CIRCLE}M8 12.3l2.8 2.8L16 9.6`,
  'circle-exclamation': `${CIRCLE}M12 7v6M12 16.3v.2`,
  'triangle-exclamation': 'M12 4L2.5 20h19zM12 10v4.5M12 17.2v.2',
  file: 'M6 3h8l5 5v13H6zM14 3v5h5',
  'file-lines': 'M6 3h8l5 5v13H6zM14 3v5h5M9 13h7M9 17h7',
  'book-open': 'M12 6.5C10 5 7 4.5 3 4.5V18c4 0 7 .5 9 2 2-1.5 5-2 9-2V4.5c-4 0-7 .5-9 2zM12 6.5V20',
  lock: 'M5 11h14v10H5zM8 11V7.5a4 4 0 0 1 8 0V11',
  key: 'M8 11.5a4.25 4.25 0 1 1 0 8.5 4.25 4.25 0 0 1 0-8.5zM11 12.8L20 3.8M16.2 7.6l3 3',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c.5-4 3.7-6 8-6s7.5 2 8 6',
  'clock-rotate-left': 'M3.5 9.5A9 9 0 1 1 3 12M3 4.5v5h5M12 7v5.2l3.5 2',
  'puzzle-piece':
    'M4 8h4.5a2.2 2.2 0 1 1 4 0H17v4.5a2.2 2.2 0 1 1 0 4V21h-4.5a2.2 2.2 0 1 0-4 0H4v-4.5a2.2 2.2 0 1 0 0-4z',
  image: 'M3 4h18v16H3zM8.5 10.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM3 17l5-4.5 4 3.5 4-4 5 4.5',
  'circle-play': `${CIRCLE}M10 8.5l5.5 3.5-5.5 3.5z`,
  pen: 'M4 20l1-5L16.5 3.5l4 4L9 19zM14 6l4 4',
  globe: `${CIRCLE}M3 12h18M12 3c3 3 4 5.5 4 9s-1 6-4 9c-3-3-4-5.5-4-9s1-6 4-9z`,
  cube: 'M12 2.5l8.5 4.8v9.4L12 21.5l-8.5-4.8V7.3zM3.5 7.3L12 12l8.5-4.7M12 12v9.5',
  'code-branch':
    'M7 8.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM7 19.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM17 9.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM7 8.5v7M17 9.5c0 4-10 2-10 6',
  download: 'M12 3v12M7 10.5l5 5 5-5M4 20h16',
  paperclip: 'M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.4 3.4 0 0 1 4.8 4.8L9.5 17a1.7 1.7 0 0 1-2.4-2.4L14.5 7.5',
  filter: 'M3 5h18l-7 8.5V20l-4-2v-4.5z',
  print: 'M7 8V3h10v5M7 17H4V8h16v9h-3M7 14h10v7H7z',
}

/** An icon beside words that already say it: hidden from screen readers. */
export const icon = (name: string): Html => html`<span class="icon icon-${name}" aria-hidden="true"></span>`

const pictureOf = (path: string): string => {
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='#000' stroke-width='2' stroke-linecap='round' stroke-linejoin='round'><path d='${path}'/></svg>`
  return `url("data:image/svg+xml,${svg.replaceAll('<', '%3C').replaceAll('>', '%3E').replaceAll('#', '%23')}")`
}

/** The rules of all icons, added to the stylesheet. An icon without a rule shows a page, so that rule comes first. */
export function iconRules(): string {
  const { 'file-lines': page = '', ...others } = PATHS
  const rules = [
    ['.icon', page],
    ...Object.entries(others).map(([name, path]) => [`.icon-${name}`, path]),
  ].map(([selector, path = '']) => `${selector}{--icon:${pictureOf(path)}}`)
  const themes = ['sun', 'moon'].map(name => `--icon-${name}:${pictureOf(PATHS[name] ?? '')}`)
  return `:root{${themes.join(';')}}\n${rules.join('\n')}\n`
}
